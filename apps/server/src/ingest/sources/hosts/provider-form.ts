import { z } from 'zod'
import { perOneToPerMillion, type Scale } from '../../../catalog/decimal.ts'
import { openrouterFields } from '../lists/known-fields.ts'
import { openrouterFacts } from '../reading/model-facts.ts'
import { lookUp } from '../../match/identify.ts'
import {
  pieces,
  Stated,
  tokens,
  toRetirement,
  type Entry,
  type HostList,
  type HostRow,
  type Meter,
} from './host-list.ts'

/**
 * The fields of the form that OpenRouter gives its providers and publishes itself; hosts answer in it too. `image` and
 * `audio` are tokens, not pictures and minutes. OVHcloud writes two of the names in the plural.
 */
const readMeters = (scale: Scale) => ({
  prompt: tokens('input_tokens', scale),
  completion: tokens('output_tokens', scale),
  input_cache_read: tokens('cached_input_tokens', scale),
  input_cache_reads: tokens('cached_input_tokens', scale),
  input_cache_write: tokens('cache_write_tokens', scale),
  input_cache_writes: tokens('cache_write_tokens', scale),
  input_cache_write_1h: tokens('cache_write_tokens', scale, '1h'),
  internal_reasoning: tokens('reasoning_tokens', scale),
  image: tokens('input_image_tokens', scale),
  image_token: tokens('input_image_tokens', scale),
  image_output: tokens('output_image_tokens', scale),
  audio: tokens('input_audio_tokens', scale),
  audio_output: tokens('output_audio_tokens', scale),
  input_audio_cache: tokens('cached_input_audio_tokens', scale),
  web_search: pieces('searches', 'query'),
  request: pieces('requests', 'request'),
})

/** Another currency is refused: nothing is converted here. */
const Usd = z.literal('USD', { error: 'it is not in USD' })

const Override = z.object({ min_prompt_tokens: z.int().positive() }).catchall(Stated)

/** Reads `pricing`: the amounts from the first token and those above each threshold. */
function readPricing(
  findMeter: (field: string) => Meter | undefined,
  currency_unit: z.ZodType<'USD' | undefined> = Usd.optional(),
) {
  const Pricing = z.object({ overrides: z.array(Override).nullish(), currency_unit }).catchall(Stated)
  return Pricing.transform(({ overrides, currency_unit: _, ...base }) =>
    [{ ...base, min_prompt_tokens: null }, ...(overrides ?? [])].flatMap(
      ({ min_prompt_tokens: threshold, ...amounts }) =>
        Object.entries(amounts).flatMap(([field, stated]): Entry[] => {
          const meter = findMeter(field)
          return meter === undefined ? [] : [{ field, stated, threshold, ...meter }]
        }),
    ),
  )
}

const meters: Readonly<Record<string, Meter>> = readMeters(perOneToPerMillion)

/** OpenRouter's own: of a field that is not known the amount is kept as it is written. */
export const openrouterPricing = readPricing((field) => {
  if (field === 'discount') return undefined // a share, already taken off
  return lookUp(meters, field) ?? pieces(field, 'unit')
})

const Model = <Pricing extends z.ZodType<Entry[]>>(pricing: Pricing) =>
  z.looseObject({
    // `id` is what a request names. `canonical_slug` carries a date and moves.
    id: z.string().min(1),
    architecture: z.looseObject({ output_modalities: z.array(z.string()).nullish() }).nullish(),
    pricing,
    expiration_date: z.string().nullish(),
    links: z.looseObject({ details: z.string().nullish() }).nullish(),
  })

const home = 'https://openrouter.ai'

/** OpenRouter's own list: amounts are texts, in USD per single unit. */
export const openrouterList: HostList = {
  platform: 'openrouter',
  title: "an answer of OpenRouter's /api/v1/models",
  fields: openrouterFields(Object.keys(meters)),
  Row: Model(openrouterPricing).transform((model): HostRow => {
    const { id, pricing: entries, links } = model
    const outputs = model.architecture?.output_modalities ?? []
    return {
      ...{ id, entries, outputs },
      // Music and images are paid by the piece, which the answer does not state: their 0 per token is no price.
      zero: id.endsWith(':free') || outputs.every((output) => output === 'text') ? 'price' : 'beside',
      link: links?.details == null ? null : (URL.parse(links.details, home)?.href ?? links.details),
      retires_on: toRetirement(model.expiration_date),
      facts: openrouterFacts(model),
    }
  }),
}

interface FormOptions {
  platform: string
  /** Of an amount per token: as the list writes it, or as it is. */
  scale: Scale
  /** The list states the currency of each row: a row without one is refused. */
  statesCurrency?: boolean
}

/** A host's list in the form. What 0 means nobody says there, so that it is no price. */
export function readForm(title: string, { platform, scale, statesCurrency }: FormOptions): HostList {
  // `image` was of a whole picture once, and nobody says which it is at a host.
  const { image: _, ...sure } = readMeters(scale)
  const Pricing = readPricing(
    (field) => lookUp<Meter>(sure, field),
    statesCurrency === true ? Usd : Usd.optional(),
  )
  return {
    ...{ platform, title: `an answer of ${title}`, fields: openrouterFields(Object.keys(sure)) },
    Row: Model(Pricing).transform(({ id, architecture, pricing: entries }) => ({
      ...{ id, entries, outputs: architecture?.output_modalities ?? [] },
    })),
  }
}

export const ovhcloud = readForm("OVHcloud's /rest/v2/openrouter", {
  ...{ platform: 'ovhcloud', scale: perOneToPerMillion, statesCurrency: true },
})
