import { z } from 'zod'
import { amountReader, perSecondToPerMinute, perTokenToPerMtok } from '../../features/prices/decimal.ts'
import type { DecimalText, Modality, RejectedRow } from '../../features/prices/price-record.ts'
import { UserError } from '../../platform/user-error.ts'
import { identify, sellerOf } from '../linking.ts'
import type { SourceReading } from '../source-record.ts'
import { complaints, toReading, webAddress, type Candidate } from './reading.ts'

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
  const price = priceOf({ ...row.data, ...firstTier(row.data) })
  if ('reason' in price) return price

  const provider = row.data.litellm_provider
  const seller = sellerOf(provider)
  const id = withoutPrefix(key, seller.platform)
  // `azure/gpt-5.5` before `azure_ai/gpt-5.5`, and `deepseek/deepseek-chat` before `deepseek-chat`.
  const rank = (provider === seller.platform ? 0 : 2) + (id === key ? 1 : 0)
  return { id: key, identity: identify(seller, id), price, rank }
}

/** litellm routes by a prefix that is not part of the platform's own id: `groq/`, `vertex_ai/`. */
function withoutPrefix(key: string, platform: string): string {
  const slash = key.indexOf('/')
  return slash > 0 && sellerOf(key.slice(0, slash)).platform === platform ? key.slice(slash + 1) : key
}

/** The 21 rows with `tiered_pricing` have no price beside it; its lowest tier is the headline. */
function firstTier(row: Row): Record<string, unknown> {
  const start = (tier: Record<string, unknown>) =>
    Object.entries(tier).flatMap(([field, range]) =>
      /range$/.test(field) && Array.isArray(range) ? Number(range[0]) : [],
    )
  return row.tiered_pricing?.toSorted((a, b) => (start(a)[0] ?? 0) - (start(b)[0] ?? 0))[0] ?? {}
}

function priceOf(row: Row): Candidate['price'] | { reason: string } {
  const modality = row.mode == null ? null : (modalities.get(row.mode) ?? 'other')
  const { read, problems } = amountReader()
  const perMtok = (field: keyof typeof fields) => read(field, row[field], perTokenToPerMtok)

  const input = perMtok('input_cost_per_token')
  const output = perMtok('output_cost_per_token')
  // The second is the old spelling, still on rows of deepseek and novita.
  const cached = perMtok('cache_read_input_token_cost') ?? perMtok('input_cost_per_token_cache_hit')
  const image = modality === 'image' ? imagePerUnit(row, read) : null
  const audio = modality === 'audio' ? audioPerMin(row, read) : null
  const video = modality === 'video' ? videoPerSec(row, read) : null
  if (problems.length > 0) return { reason: `has no usable price: ${problems.join('; ')}` }

  const otherUnit = otherUnitOf(row)
  const billedByTokens = isPositive(input) || isPositive(output)
  // litellm writes 0 tokens where tokens are not what one pays for (rerank by query, images, speech): not "free".
  const fillers = !billedByTokens && (otherUnit !== null || isBilledOtherwise(modality))
  const tokens = fillers ? nothing : { input, output, cached }

  return {
    modality,
    unit: headline({ image, audio, video, ...tokens }) ?? otherUnit,
    input_per_mtok: tokens.input,
    output_per_mtok: tokens.output,
    cached_input_per_mtok: tokens.cached,
    image_per_unit: image,
    audio_per_min: audio,
    video_per_sec: video,
    currency: 'USD',
    source_url: webAddress(row.source),
    // The file dates no price; its deprecation_date is the model's, entered a month late in the median.
    effective_at: null,
  }
}

const nothing = { input: null, output: null, cached: null }

type Read = ReturnType<typeof amountReader>['read']

/** DALL-E's price of an output image stands under `input_`; in a chat model that field is an image given. */
function imagePerUnit(row: Row, read: Read): DecimalText | null {
  return firstPositive(
    read('output_cost_per_image', row.output_cost_per_image),
    row.mode === 'image_generation' ? read('input_cost_per_image', row.input_cost_per_image) : null,
  )
}

/** One of the two, never their sum: whisper-1 states its one price in both. */
function audioPerMin(row: Row, read: Read): DecimalText | null {
  const heard = read('input_cost_per_second', row.input_cost_per_second, perSecondToPerMinute)
  const spoken = read('output_cost_per_second', row.output_cost_per_second, perSecondToPerMinute)
  return row.mode === 'audio_speech' ? firstPositive(spoken, heard) : firstPositive(heard, spoken)
}

function videoPerSec(row: Row, read: Read): DecimalText | null {
  return firstPositive(
    read('output_cost_per_video_per_second', row.output_cost_per_video_per_second),
    read('output_cost_per_second', row.output_cost_per_second),
  )
}

/** A 0 in one of two alternative fields fills it (`output_cost_per_second: 0.0` on all of Deepgram). */
function firstPositive(...amounts: readonly (DecimalText | null)[]): DecimalText | null {
  return amounts.find(isPositive) ?? null
}

function isPositive(amount: DecimalText | null): boolean {
  return amount !== null && amount !== '0'
}

function isBilledOtherwise(modality: Modality | null): boolean {
  return modality !== null && ['image', 'audio', 'video', 'ocr', 'search'].includes(modality)
}

function headline(
  price: Record<'image' | 'audio' | 'video' | 'input' | 'output', DecimalText | null>,
): string | null {
  if (price.image !== null) return 'image'
  if (price.audio !== null) return 'minute'
  if (price.video !== null) return 'second'
  return price.input !== null || price.output !== null ? '1m_tokens' : null
}

function otherUnitOf(row: Row): string | null {
  const isBilled = ({ field }: { field: RegExp }) =>
    Object.entries(row).some(([name, value]) => field.test(name) && Number(value) > 0)
  return otherUnits.find(isBilled)?.unit ?? null
}
