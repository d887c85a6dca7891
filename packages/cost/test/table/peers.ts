import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { calcPrice } from '@pydantic/genai-prices'
import { PricingCatalog } from 'llm-pricing'
import { readUsage } from '../../src/readers.ts'
import type { Usage } from '../../src/index.ts'
import type { Row } from './rows.ts'

// What others give for the rows of the table. Each is handed the counts in the form that it documents, so that no reading
// is held against it. Their numbers are binary, as they compute them.

/** A figure of a peer; null: it gives none. */
export type Figure = number | null

/** What was used, in plain numbers. */
interface Used {
  readonly model: string
  readonly platform: string
  readonly tier: string | undefined
  readonly region: string | undefined
  readonly at: Date
  /** What is counted, without its kinds. */
  readonly meters: readonly string[]
  /** By meter; writes to a cache by time to live are `cache_write_tokens 1h`. */
  readonly of: (meter: string) => number
}

export interface Peer {
  readonly name: string
  readonly cost: (used: Used) => Figure
}

type Prices = Readonly<Record<string, number | undefined>>

/** The providers of LiteLLM and models.dev, where they have another name than ours. */
const litellmNames: Record<string, string> = { google: 'gemini', fireworks: 'fireworks_ai' }
const modelsDevNames: Record<string, string> = {
  bedrock: 'amazon-bedrock',
  vertex_ai: 'google-vertex-anthropic',
  moonshot: 'moonshotai',
  fireworks: 'fireworks-ai',
}
const genaiNames: Record<string, string> = {
  bedrock: 'aws',
  vertex_ai: 'google',
  xai: 'x-ai',
  moonshot: 'moonshotai',
}

export function usedIn({ reader, platform, answer, told }: Row): Used {
  const usage: Usage = readUsage(answer, reader ?? undefined)
  const counts = new Map<string, number>()
  for (const [meter, stated] of Object.entries(usage.counts)) {
    if (typeof stated !== 'object') counts.set(meter, Number(stated))
    else
      for (const [variant, count] of Object.entries(stated)) counts.set(`${meter} ${variant}`, Number(count))
  }
  const at = told?.at ?? usage.at ?? '2026-10-26T12:00:00Z'
  const name = told?.model ?? usage.model ?? ''
  return {
    model: told?.deployments?.[name] ?? name,
    platform: platform ?? usage.platform ?? '',
    tier: told?.tier ?? usage.tier,
    region: told?.region ?? usage.region,
    at: new Date(typeof at === 'number' ? at * 1_000 : at),
    meters: [...counts.keys()].map((meter) => meter.replace(/ .*/, '')),
    of: (meter) => counts.get(meter) ?? 0,
  }
}

const writes = ({ of }: Used) =>
  of('cache_write_tokens') + of('cache_write_tokens 5m') + of('cache_write_tokens unknown')
const hourWrites = ({ of }: Used) => of('cache_write_tokens 1h')
const cached = ({ of }: Used) =>
  of('cached_input_tokens') + of('cached_input_audio_tokens') + of('cached_input_image_tokens')
const heard = ({ of }: Used) => of('input_audio_tokens')
const text = ({ of }: Used) =>
  of('input_tokens') + of('input_image_tokens') + of('input_video_tokens') + of('input_document_tokens')
const prompt = (used: Used) => text(used) + heard(used) + cached(used) + writes(used) + hourWrites(used)
const spoken = ({ of }: Used) => of('output_audio_tokens')
const drawn = ({ of }: Used) => of('output_image_tokens')
const output = ({ of }: Used) => of('output_tokens') + of('reasoning_tokens')
const searched = ({ of }: Used) => of('searches') + of('searches ')

const genaiPrices: Peer = {
  name: 'genai-prices',
  cost: (used) => {
    const { of, platform, model, at } = used
    const usage = {
      input_tokens: prompt(used),
      output_tokens: output(used) + spoken(used) + drawn(used),
      cache_read_tokens: cached(used),
      cache_write_tokens: writes(used) + hourWrites(used),
      cache_write_1h_tokens: hourWrites(used),
      input_audio_tokens: heard(used) + of('cached_input_audio_tokens'),
      cache_audio_read_tokens: of('cached_input_audio_tokens'),
      input_image_tokens: of('input_image_tokens') + of('cached_input_image_tokens'),
      output_audio_tokens: spoken(used),
      output_image_tokens: drawn(used),
      web_searches: searched(used),
      storage_searches: of('searches file'),
      audio_seconds: of('input_audio_seconds'),
      input_document_pages: of('pages'),
      input_annotated_document_pages: of('annotated_pages'),
    }
    const said = Object.fromEntries(Object.entries(usage).filter(([, count]) => count > 0))
    if (Object.keys(said).length === 0) return null
    try {
      const found = calcPrice(said, model, { providerId: genaiNames[platform] ?? platform, timestamp: at })
      return found?.total_price ?? null
    } catch {
      return null
    }
  },
}

/** By the formula of LiteLLM's `generic_cost_per_token`: the threshold is passed by more than it says. */
function litellmCost(prices: Prices, used: Used): Figure {
  const { of, tier } = used
  const sizes = Object.keys(prices).flatMap((field) => /_above_(\d+)k_tokens$/.exec(field)?.[1] ?? [])
  const passed = Math.max(...sizes.map(Number).filter((size) => prompt(used) > size * 1_000))
  const rate = (field: string, otherwise = 0): number => {
    const own = tier === 'batch' ? prices[`${field}_batches`] : prices[`${field}_${tier}`]
    const long = passed > 0 ? prices[`${field}_above_${passed}k_tokens`] : undefined
    return own ?? (long ?? prices[field] ?? otherwise) * (tier === 'batch' ? 0.5 : 1)
  }
  const [input, out] = [rate('input_cost_per_token'), rate('output_cost_per_token')]
  const write = rate('cache_creation_input_token_cost', input)
  const search = (prices['search_context_cost_per_query'] as unknown as Prices | undefined) ?? {}
  // Factors of regions and modes, of tokens alone.
  const factors = (prices['provider_specific_entry'] as unknown as Prices | undefined) ?? {}
  const factor = (factors[used.region ?? ''] ?? 1) * (factors[tier ?? ''] ?? 1)
  const tokens =
    (text(used) - of('input_image_tokens')) * input +
    of('input_image_tokens') * rate('input_cost_per_image_token', input) +
    heard(used) * rate('input_cost_per_audio_token', input) +
    (cached(used) - of('cached_input_audio_tokens')) * rate('cache_read_input_token_cost', input) +
    of('cached_input_audio_tokens') *
      rate('cache_read_input_audio_token_cost', rate('cache_read_input_token_cost', input)) +
    writes(used) * write +
    hourWrites(used) * rate('cache_creation_input_token_cost_above_1hr', write) +
    of('output_tokens') * out +
    of('reasoning_tokens') * rate('output_cost_per_reasoning_token', out) +
    spoken(used) * rate('output_cost_per_audio_token', out) +
    drawn(used) * rate('output_cost_per_image_token', out)
  return (
    tokens * factor +
    of('input_audio_seconds') * rate('input_cost_per_second') +
    of('input_characters') * rate('input_cost_per_character') +
    of('queries') * rate('input_cost_per_query') +
    of('output_images') * rate('output_cost_per_image', rate('input_cost_per_image')) +
    of('output_video_seconds') * rate('output_cost_per_second', rate('output_cost_per_video_per_second')) +
    of('pages') * rate('ocr_cost_per_page') +
    of('annotated_pages') * rate('annotation_cost_per_page') +
    searched(used) * (search['search_context_size_medium'] ?? 0)
  )
}

/** By models.dev's own fields; it documents the tiers, and has no formula. */
function modelsDevCost(
  cost: Prices & { tiers?: readonly (Prices & { tier: { size: number } })[] },
  used: Used,
): Figure {
  const tier = (cost.tiers ?? []).filter(({ tier: { size } }) => prompt(used) > size).at(-1)
  const rate = (field: string, otherwise = 0) => (tier?.[field] ?? cost[field] ?? otherwise) / 1e6
  const [input, out] = [rate('input'), rate('output')]
  return (
    text(used) * input +
    heard(used) * rate('input_audio', 1e6 * input) +
    cached(used) * rate('cache_read', 1e6 * input) +
    (writes(used) + hourWrites(used)) * rate('cache_write', 1e6 * input) +
    used.of('output_tokens') * out +
    used.of('reasoning_tokens') * rate('reasoning', 1e6 * out) +
    spoken(used) * rate('output_audio', 1e6 * out) +
    drawn(used) * out
  )
}

const archive = new PricingCatalog({ sources: [] })

/** Its own code on the archive that it is installed with. It takes no platform, tier or region, and counts tokens alone. */
const llmPricing: Peer = {
  name: 'llm-pricing',
  cost: (used) => {
    const { of, model, at } = used
    if (isMedia(used)) return null
    const { cost, pricing } = archive.estimate({
      model,
      at,
      perRequest: true,
      inputIncludesCache: true,
      inputTokens: prompt(used),
      cachedInputTokens: cached(used),
      cacheReadInputTokens: cached(used),
      cacheCreationInputTokens: writes(used) + hourWrites(used),
      cacheCreation1hInputTokens: hourWrites(used),
      outputTokens: output(used) + spoken(used) + drawn(used),
      reasoningOutputTokens: of('reasoning_tokens'),
    })
    return pricing === null ? null : cost
  },
}

/** What is no token and no search: models.dev, llm-pricing and tokencost have no field for it. */
const isMedia = ({ meters }: Used) =>
  meters.some((meter) => /pages|seconds|characters|images|queries|requests/.test(meter))

/** The peers, with the data in this folder: see its sources. */
export function peersOf(folder: string): Peer[] {
  const json = (path: string) => JSON.parse(readFileSync(join(folder, path), 'utf8')) as never
  const map: Record<string, Prices> = json('litellm/model_prices_2026-08-01.json')
  const listed: Record<string, { models: Record<string, { cost?: Prices }> }> = json(
    'models.dev/api_equivalent_2026-07-02.json',
  )
  const litellm: Peer = {
    name: 'LiteLLM',
    cost: (used) => {
      const provider = litellmNames[used.platform] ?? used.platform
      const prices = map[`${provider}/${used.model}`] ?? map[used.model]
      return prices === undefined ? null : litellmCost(prices, used)
    },
  }
  const modelsDev: Peer = {
    name: 'models.dev',
    cost: (used) => {
      const cost = listed[modelsDevNames[used.platform] ?? used.platform]?.models[used.model]?.cost
      return cost === undefined || isMedia(used) ? null : modelsDevCost(cost, used)
    },
  }
  // `calculate_cost_by_tokens`, once for what went in and once for what came out, on the map that it fetches: LiteLLM's.
  const tokencost: Peer = {
    name: 'tokencost',
    cost: (used) => {
      const { input_cost_per_token: input, output_cost_per_token: out } = map[used.model.toLowerCase()] ?? {}
      if (input === undefined || out === undefined || isMedia(used)) return null
      return prompt(used) * input + (output(used) + spoken(used) + drawn(used)) * out
    },
  }
  return [genaiPrices, llmPricing, litellm, modelsDev, tokencost]
}
