import { atlascloud } from './atlascloud.ts'
import {
  aihubmix,
  cerebras,
  chutes,
  deepinfra,
  llmgateway,
  novita,
  together,
  vercel,
  xai,
} from './by-documentation.ts'
import type { HostList } from './host-list.ts'
import { huggingface } from './huggingface.ts'
import { openrouterList as openrouter, ovhcloud } from './provider-form.ts'
import { venice } from './venice.ts'

/** Sellers' own lists by the names of their sources. */
export const hostLists = {
  ...{ openrouter, venice, ovhcloud, atlascloud, huggingface },
  ...{ deepinfra, vercel, together, novita, xai, cerebras, chutes, llmgateway, aihubmix },
} satisfies Record<string, HostList>
