import { z } from 'zod'
import {
  amountReader,
  perSecondToPerMinute,
  perTokenToPerMtok,
  readDecimal,
  type Scale,
} from '../../features/prices/decimal.ts'
import {
  amountColumns,
  type AmountColumn,
  type DecimalText,
  type Modality,
  type RejectedRow,
} from '../../features/prices/price-record.ts'
import type { Rate } from '../../features/prices/rate-card.ts'
import { UserError } from '../../platform/user-error.ts'
import { identify, sellerOf } from '../linking.ts'
import type { Amounts, SourceReading } from '../source-record.ts'
import { isPriceField, meaningOf } from './litellm-rates.ts'
import { complaints, rateOf, toReading, webAddress, type Candidate } from './reading.ts'

/**
 * LiteLLM's model_prices_and_context_window.json: one object, keyed by model, in USD per single unit.
 * https://github.com/BerriAI/litellm (MIT)
 */
export function readLitellm(json: unknown, knownProducts: Iterable<string> = []): SourceReading {
  const candidates: Candidate[] = []
  const rejected: RejectedRow[] = []
  for (const [key, value] of Object.entries(modelMap(json))) {
    const row = readRow(key, value)
    if ('reason' in row) rejected.push({ id: key, reason: row.reason })
    else candidates.push(row)
  }
  if (candidates.length === 0)
    throw new UserError(`This is not a LiteLLM price file: none of its entries is a model.`)
  return toReading(candidates, rejected, knownProducts)
}

/** The documentation entry and the routing rules that the file keeps among its models. */
const notModels = new Set(['sample_spec', 'fallback_generalizations'])

const modalities = new Map<string, Modality>([
  ['chat', 'llm'],
  ['completion', 'llm'],
  ['responses', 'llm'],
  ['realtime', 'llm'],
  ['embedding', 'embedding'],
  ['image_generation', 'image'],
  ['image_edit', 'image'],
  ['audio_transcription', 'audio'],
  ['audio_speech', 'audio'],
  ['video_generation', 'video'],
  ['rerank', 'rerank'],
  ['moderation', 'moderation'],
  ['ocr', 'ocr'],
  ['search', 'search'],
  ['vector_store', 'other'],
])

/** What a row is billed by when none of our columns fits, by the field that says so. */
const otherUnits: readonly { field: RegExp; unit: string }[] = [
  { field: /_per_character$/, unit: '1m_characters' },
  { field: /_per_query$/, unit: 'query' },
  { field: /_per_page$/, unit: 'page' },
  { field: /_per_credit$/, unit: 'credit' },
  { field: /_per_request$/, unit: 'request' },
  { field: /_per_session$/, unit: 'session' },
  { field: /_per_pixel$/, unit: 'pixel' },
  { field: /_per_image$/, unit: 'image' },
  { field: /_per_(?:\w+_)?second$/, unit: 'second' },
]

const amount = z.union([z.number(), z.string()]).nullish()
const fields = {
  input_cost_per_token: amount,
  output_cost_per_token: amount,
  cache_read_input_token_cost: amount,
  input_cost_per_token_cache_hit: amount,
  input_cost_per_image: amount,
  output_cost_per_image: amount,
  input_cost_per_second: amount,
  output_cost_per_second: amount,
  output_cost_per_video_per_second: amount,
}
const Row = z.looseObject({
  litellm_provider: z.string().min(1),
  mode: z.string().nullish(),
  source: z.string().nullish(),
  deprecation_date: z.unknown().optional(),
  provider_specific_entry: z.record(z.string(), z.unknown()).nullish().catch(null),
  tiered_pricing: z.array(z.looseObject(fields)).nullish(),
  ...fields,
})
type Row = z.infer<typeof Row>

function modelMap(json: unknown): Record<string, unknown> {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw new UserError('This is not a LiteLLM price file: its top level is not an object keyed by model.')
  }
  return json as Record<string, unknown>
}

function readRow(key: string, value: unknown): Candidate | { reason: string } {
  if (notModels.has(key)) return { reason: 'is not a model: an entry of the file about itself' }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { reason: 'is not a model: not an object' } // mirrors add a `last_updated` string
  }
  if (!('litellm_provider' in value)) {
    // Seen from here, the format has changed: to go on would drop priced models one by one.
    const priced = Object.keys(value).find((field) => /cost/.test(field))
    if (priced)
      throw new UserError(`The LiteLLM file is refused: ${key} has ${priced} but no litellm_provider.`)
    return { reason: 'is not a model: no litellm_provider' }
  }
  if (/\/\d+-month-commitment\//.test(key)) return { reason: 'is rented throughput, not a price of use' }
  if (key.includes('*')) return { reason: 'is a pattern, not one model' }
  if (key === '' || key.endsWith('/')) return { reason: 'names no model' }

  const row = Row.safeParse(value)
  if (!row.success) return { reason: `cannot be read: ${complaints(row.error)}` }
  const { read, problems } = amountReader()
  const lowest = { ...row.data, ...tiersOf(row.data)[0] }
  const columns = columnsOf(lowest)
  const amounts = amountsIn(lowest, columns, read)
  const rates = ratesOf(row.data, columns, amounts, read)
  if (problems.length > 0) return { reason: `has no usable price: ${problems.join('; ')}` }

  const provider = row.data.litellm_provider
  const seller = sellerOf(provider)
  const id = withoutPrefix(key, seller.platform)
  return {
    id: key,
    identity: identify(seller, id),
    price: priceOf(lowest, amounts),
    rates,
    // The file's documentation calls it the day on which the model goes; three rows had text there.
    retires_on: z.iso.date().safeParse(row.data.deprecation_date).data ?? null,
    // `azure/gpt-5.5` before `azure_ai/gpt-5.5`, and `deepseek/deepseek-chat` before `deepseek-chat`.
    rank: (provider === seller.platform ? 0 : 2) + (id === key ? 1 : 0),
  }
}

/** litellm routes by a prefix that is not part of the platform's own id: `groq/`, `vertex_ai/`. */
function withoutPrefix(key: string, platform: string): string {
  const slash = key.indexOf('/')
  return slash > 0 && sellerOf(key.slice(0, slash)).platform === platform ? key.slice(slash + 1) : key
}

type Fields = Record<string, unknown>
type Read = ReturnType<typeof amountReader>['read']

/** The lowest first: it is the headline, for rows with `tiered_pricing` have no price beside it. */
function tiersOf({ tiered_pricing }: Row): Fields[] {
  const start = (tier: Fields) => rangeOf(tier)?.from ?? 0
  return (tiered_pricing ?? []).toSorted((a, b) => start(a) - start(b))
}

/** `range` is of input tokens, any other is of what its name says: `max_results_range`. */
function rangeOf(tier: Fields): { of: string; from: number; to: number } | null {
  const [field, range] = Object.entries(tier).find(([name]) => /range$/.test(name)) ?? []
  if (field === undefined || !Array.isArray(range)) return null
  return { of: field.replace(/_?range$/, ''), from: Number(range[0]), to: Number(range[1]) }
}

type Columns = Record<AmountColumn, { fields: readonly string[]; scale?: Scale }>

/** Which fields state a column; the first that has a price is taken. */
function columnsOf({ mode }: Row): Columns {
  const modality = modalityOf(mode)
  const perSecond = ['input_cost_per_second', 'output_cost_per_second']
  return {
    input_per_mtok: { fields: ['input_cost_per_token'], scale: perTokenToPerMtok },
    output_per_mtok: { fields: ['output_cost_per_token'], scale: perTokenToPerMtok },
    cached_input_per_mtok: {
      // The second is the old spelling, still on rows of deepseek and novita.
      fields: ['cache_read_input_token_cost', 'input_cost_per_token_cache_hit'],
      scale: perTokenToPerMtok,
    },
    image_per_unit: {
      // DALL-E's price of an output image stands under `input_`; in a chat model that field is an image given.
      fields: ['output_cost_per_image', 'input_cost_per_image'].slice(
        0,
        modality !== 'image' ? 0 : mode === 'image_generation' ? 2 : 1,
      ),
    },
    audio_per_min: {
      // One of the two, never their sum: whisper-1 states its one price in both.
      fields: modality !== 'audio' ? [] : mode === 'audio_speech' ? perSecond.toReversed() : perSecond,
      scale: perSecondToPerMinute,
    },
    video_per_sec: {
      fields: modality === 'video' ? ['output_cost_per_video_per_second', 'output_cost_per_second'] : [],
    },
  }
}

function modalityOf(mode: string | null | undefined): Modality | null {
  return mode == null ? null : (modalities.get(mode) ?? 'other')
}

function amountsIn(row: Row, columns: Columns, read: Read): Amounts {
  const amount = (column: AmountColumn) => {
    const { fields, scale } = columns[column]
    const stated = fields.map((field) => read(field, row[field] as number | string | null | undefined, scale))
    // A 0 in one of two alternative fields fills it (`output_cost_per_second: 0.0` on all of Deepgram).
    const positive = stated.find(isPositive) ?? null
    return positive ?? (column.endsWith('_per_mtok') && stated.includes('0') ? '0' : null)
  }
  const amounts = Object.fromEntries(amountColumns.map((column) => [column, amount(column)])) as Amounts

  // litellm writes 0 tokens where tokens are not what one pays for (rerank by query, images, speech): not "free".
  const tokens = [amounts.input_per_mtok, amounts.output_per_mtok, amounts.cached_input_per_mtok]
  const isFiller =
    !tokens.some(isPositive) && (otherUnitOf(row) !== null || isBilledOtherwise(modalityOf(row.mode)))
  const nothing = { input_per_mtok: null, output_per_mtok: null, cached_input_per_mtok: null }
  return isFiller ? { ...amounts, ...nothing } : amounts
}

function priceOf(row: Row, amounts: Amounts): Candidate['price'] {
  return {
    modality: modalityOf(row.mode),
    unit: headline(amounts) ?? otherUnitOf(row),
    ...amounts,
    currency: 'USD',
    source_url: webAddress(row.source),
    // The file dates no price; its deprecation_date is the model's, entered a month late in the median.
    effective_at: null,
  }
}

/** A price field of a row or of one of its tiers, and the rate that it states. */
interface StatedRate {
  field: string
  value: unknown
  rate: Rate
}

/** Every price that the row states and no column holds. A 0 beside other prices only fills its field. */
function ratesOf(row: Row, columns: Columns, amounts: Amounts, read: Read): Rate[] {
  const stated = [...statedRates(row, read), ...tiersOf(row).flatMap((tier) => statedRates(tier, read))]
  const isFiller = ({ rate }: StatedRate) => rate.amount === '0' && stated.length > 1
  const besideColumns = stated.filter((one) => !isInColumn(one, columns, amounts) && !isFiller(one))
  return [...besideColumns.map(({ rate }) => rate), ...multipliersOf(row, read)]
}

function isInColumn({ field, value, rate }: StatedRate, columns: Columns, amounts: Amounts): boolean {
  if (rate.threshold !== null || rate.variant !== null) return false
  return amountColumns.some((column) => {
    const { fields, scale } = columns[column]
    if (!fields.includes(field)) return false
    const inColumn = readDecimal(value as number | string, scale)
    return rate.amount === '0' || ('amount' in inColumn && inColumn.amount === amounts[column])
  })
}

function statedRates(fields: Fields, read: Read): StatedRate[] {
  const tier = tierOf(fields)
  return Object.entries(fields)
    .filter(([field]) => isPriceField(field))
    .flatMap(([field, value]) => {
      const { scale, ...meaning } = meaningOf(field)
      return valuesOf(value).flatMap(([kind, stated]) => {
        const amount = read(field, stated, scale)
        if (amount === null) return []
        const variant = kind ?? tier.variant ?? meaning.variant
        const threshold = tier.threshold ?? meaning.threshold
        return [{ field, value: stated, rate: { ...meaning, amount, variant, threshold } }]
      })
    })
}

/** One number, or one for each kind: `search_context_cost_per_query` has three sizes. What is no number is no price. */
function valuesOf(value: unknown): [kind: string | null, stated: number | string][] {
  if (typeof value === 'number' || (typeof value === 'string' && Number.isFinite(Number(value))))
    return [[null, value]]
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  return Object.entries(value).flatMap(([kind, inner]) =>
    typeof inner === 'number' ? [[kind.replace(/^search_context_size_/, ''), inner]] : [],
  )
}

/** Which requests a tier is for: those above its start, or those that its other range names. */
function tierOf(fields: Fields): { threshold: number | null; variant: string | null } {
  const range = rangeOf(fields)
  if (range === null) return { threshold: null, variant: null }
  if (range.of !== '' || !Number.isSafeInteger(range.from))
    return { threshold: null, variant: `${range.of || 'input_tokens'}:${range.from}-${range.to}` }
  return { threshold: range.from > 0 ? range.from : null, variant: null }
}

/** What every price of the row is multiplied by, in a region (`us`) or a mode of service (`fast`). */
function multipliersOf(row: Row, read: Read): Rate[] {
  const uplift = /^regional_processing_uplift_multiplier_(\w+)$/
  const regional = Object.entries(row).flatMap(([field, value]) => {
    const region = uplift.exec(field)?.[1]
    return region === undefined ? [] : [[region, value] as const]
  })
  return [...regional, ...Object.entries(row.provider_specific_entry ?? {})].flatMap(([variant, value]) => {
    const amount = typeof value === 'number' ? read(variant, value) : null
    return amount === null ? [] : [rateOf('price_multiplier', 'multiplier', amount, { variant })]
  })
}

function isPositive(amount: DecimalText | null): boolean {
  return amount !== null && amount !== '0'
}

function isBilledOtherwise(modality: Modality | null): boolean {
  return modality !== null && ['image', 'audio', 'video', 'ocr', 'search'].includes(modality)
}

function headline(price: Amounts): string | null {
  if (price.image_per_unit !== null) return 'image'
  if (price.audio_per_min !== null) return 'minute'
  if (price.video_per_sec !== null) return 'second'
  return price.input_per_mtok !== null || price.output_per_mtok !== null ? '1m_tokens' : null
}

function otherUnitOf(row: Row): string | null {
  const isBilled = ({ field }: { field: RegExp }) =>
    Object.entries(row).some(([name, value]) => field.test(name) && Number(value) > 0)
  return otherUnits.find(isBilled)?.unit ?? null
}
