import { z } from 'zod'
import { asStated, perOneToPerMillion, type Scale } from '../../../catalog/decimal.ts'
import { toDay } from '../../days.ts'
import { Entries } from '../reading/reading.ts'
import { listEntries, Stated, tokens, toRetirement, type HostList, type Meter } from './host-list.ts'
import { readForm } from './provider-form.ts'

// By documentation: nobody here has seen an answer of these addresses, so that they are read when they are named only.

export const cerebras = readForm("Cerebras' /public/v1/models", {
  ...{ platform: 'cerebras', scale: perOneToPerMillion },
})
export const chutes = readForm("Chutes' /v1/models", { platform: 'chutes', scale: asStated })
export const llmgateway = readForm("LLM Gateway's /v1/models", {
  ...{ platform: 'llmgateway', scale: perOneToPerMillion },
})

interface FlatForm {
  platform: string
  /** Where a row has its id. */
  id?: string
  /** Where a row has its amounts; without it they stand in the row itself. */
  at?: string
  meters: Readonly<Record<string, Meter>>
}

/** A list of rows with an amount in each field. */
function readFlat(title: string, { platform, id = 'id', at, meters }: FlatForm): HostList {
  const Amounts = z.object(Object.fromEntries(Object.keys(meters).map((field) => [field, Stated]))).nullish()
  const Row = z.object({ id: z.string().min(1), amounts: Amounts })
  return {
    ...{ platform, title: `an answer of ${title}` },
    Row: z
      .preprocess((stated) => {
        const row = Entries.safeParse(stated).data
        return row && { id: row[id], amounts: at === undefined ? row : row[at] }
      }, Row)
      .transform(({ id, amounts }) => ({ id, entries: listEntries(amounts ?? {}, meters) })),
    fields: {
      reads: (path) =>
        Object.keys(meters).some((field) => path === (at === undefined ? field : `${at}.${field}`)),
      ignored: [],
    },
  }
}

export const aihubmix = readFlat("AIHubMix's /api/v1/models", {
  platform: 'aihubmix',
  ...{ id: 'model_id', at: 'pricing' },
  meters: {
    input: tokens('input_tokens'),
    output: tokens('output_tokens'),
    cache_read: tokens('cached_input_tokens'),
    cache_write: tokens('cache_write_tokens'),
  },
})

/** `base`, `finetune` and `hourly` are of machines and of training. */
export const together = readFlat("Together's /v1/models", {
  ...{ platform: 'together', at: 'pricing' },
  meters: { input: tokens('input_tokens'), output: tokens('output_tokens') },
})

/** Ten-thousandths of a dollar, as whole numbers. */
const perTenThousand: Scale = { over: 10_000 }

export const novita = readFlat("Novita's /openai/v1/models", {
  platform: 'novita',
  meters: {
    input_token_price_per_m: tokens('input_tokens', perTenThousand),
    output_token_price_per_m: tokens('output_tokens', perTenThousand),
  },
})

/** The base tier: prices of long requests stand on xAI's page. A key sees the models that it may use. */
export const xai = readFlat("xAI's /v1/language-models", {
  platform: 'xai',
  meters: {
    prompt_text_token_price: tokens('input_tokens', perTenThousand),
    cached_prompt_text_token_price: tokens('cached_input_tokens', perTenThousand),
    completion_text_token_price: tokens('output_tokens', perTenThousand),
    prompt_image_token_price: tokens('input_image_tokens', perTenThousand),
  },
})

const vercelMeters: Readonly<Record<string, Meter>> = {
  input: tokens('input_tokens', perOneToPerMillion),
  output: tokens('output_tokens', perOneToPerMillion),
  input_cache_read: tokens('cached_input_tokens', perOneToPerMillion),
  input_cache_write: tokens('cache_write_tokens', perOneToPerMillion),
  image: { meter: 'output_images', unit: 'image', variant: null, scale: asStated },
}

const Tiers = z.array(z.looseObject({ cost: Stated, min: z.int().nonnegative() }))

/** Each field may have tiers, whose `min` is the first token of a longer request. */
export const vercel: HostList = {
  platform: 'vercel',
  title: "an answer of Vercel AI Gateway's /v1/models",
  Row: z
    .looseObject({
      id: z.string().min(1),
      type: z.string().nullish(),
      pricing: z.record(z.string(), z.union([Stated, Tiers])).nullish(),
    })
    .transform(({ id, type, pricing }) => ({
      ...{ id, outputs: type === 'language' ? ['text'] : [] },
      entries: Object.entries(pricing ?? {}).flatMap(([name, value]) => {
        if (!Array.isArray(value)) return listEntries({ [name]: value }, vercelMeters)
        const field = name.replace(/_tiers$/, '')
        return value.flatMap(({ cost, min }) =>
          listEntries({ [field]: cost }, vercelMeters, { threshold: min > 1 ? min - 1 : null }),
        )
      }),
    })),
  fields: {
    reads: (path) => {
      const [, field = ''] = /^pricing\.(\w+?)(?:_tiers\[\]\.(?:cost|min|max))?$/.exec(path) ?? []
      return Object.hasOwn(vercelMeters, field)
    },
    ignored: [{ path: /^pricing\.web_search$/, reason: 'of one search or of a thousand: not said' }],
  },
}

/** Cents per token. */
const fromCents = (share = 1): Scale => ({ times: 10_000 * share })
const Share = z.number().nonnegative().nullish()

/** Prices in cents; those of the cache are shares of the price of input. */
export const deepinfra: HostList = {
  platform: 'deepinfra',
  title: "an answer of DeepInfra's /models/list",
  Row: z
    .looseObject({
      model_name: z.string().min(1),
      deprecated: z.union([z.number(), z.boolean()]).nullish(),
      replaced_by: z.string().nullish(),
      pricing: z
        .looseObject({
          type: z.string(),
          cents_per_input_token: Stated,
          cents_per_output_token: Stated,
          rate_per_input_token_cached: Share,
          rate_per_input_token_cache_write: Share,
          discount: z
            .literal(0, { error: 'it does not say whether the price is before the discount' })
            .nullish(),
        })
        .nullish(),
    })
    .transform(({ model_name: id, deprecated, replaced_by, pricing }) => {
      const isByToken = pricing?.type === 'tokens' || pricing?.type === 'input_tokens'
      const { cents_per_input_token: input, cents_per_output_token: output } = pricing ?? {}
      const cached = pricing?.rate_per_input_token_cached
      const written = pricing?.rate_per_input_token_cache_write
      return {
        ...{ id, replaced_by: replaced_by ?? null },
        retires_on: typeof deprecated === 'number' ? toUnixDay(deprecated) : null,
        entries: !isByToken
          ? []
          : [
              { field: 'cents_per_input_token', stated: input, ...tokens('input_tokens', fromCents()) },
              { field: 'cents_per_output_token', stated: output, ...tokens('output_tokens', fromCents()) },
              ...(cached == null
                ? []
                : [{ field: 'cached', stated: input, ...tokens('cached_input_tokens', fromCents(cached)) }]),
              ...(written == null
                ? []
                : [{ field: 'written', stated: input, ...tokens('cache_write_tokens', fromCents(written)) }]),
            ],
      }
    }),
  fields: {
    reads: (path) =>
      /^pricing\.(?:cents_per_(?:in|out)put_token|rate_per_input_token_cache(?:d|_write))$/.test(path),
    ignored: [
      {
        path: /^pricing\.(?:discount|rate_per_service_tier_\w+)$/,
        reason: 'of what it is a share is not said',
      },
      {
        path: /^pricing\.(?:cents|default|table|full|short)\b/,
        reason: 'of other units, and texts for people',
      },
    ],
  },
}

function toUnixDay(seconds: number): string | null {
  return Number.isInteger(seconds) && seconds > 1_000_000_000 && seconds < 4_000_000_000
    ? toRetirement(toDay(new Date(seconds * 1_000)))
    : null
}
