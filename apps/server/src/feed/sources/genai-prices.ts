import { waitForUpdate } from '@pydantic/genai-prices'
import { z } from 'zod'
import { amountReader, perHourToPerMinute, type Scale } from '../../features/prices/decimal.ts'
import type { Modality, RejectedRow } from '../../features/prices/price-record.ts'
import { UserError } from '../../platform/user-error.ts'
import { identify, sellerOf } from '../linking.ts'
import type { SourceReading } from '../source-record.ts'
import { complaints, toReading, webAddress, type Candidate } from './reading.ts'

/**
 * The catalogue that the installed package carries. Nothing is fetched: `waitForUpdate` is the package's only exported
 * way to all providers at once, and without a call of `updatePrices` it answers with what was bundled.
 */
export async function readGenaiPricesPackage(
  now: Date,
  knownProducts: Iterable<string> = [],
): Promise<SourceReading> {
  return readGenaiPrices(await waitForUpdate(), now, knownProducts)
}

/** Pydantic's genai-prices, as the package or its v2 data file has it: providers with models, in USD. (MIT) */
export function readGenaiPrices(
  providers: unknown,
  now: Date,
  knownProducts: Iterable<string> = [],
): SourceReading {
  const parsed = Providers.safeParse(providers)
  if (!parsed.success || parsed.data.every(({ models }) => models.length === 0)) {
    const complaint = parsed.success ? 'it lists no model' : complaints(parsed.error)
    throw new UserError(`This is not a genai-prices v2 data file: ${complaint}.`)
  }
  const candidates: Candidate[] = []
  const rejected: RejectedRow[] = []
  for (const provider of parsed.data) {
    for (const [index, model] of provider.models.entries()) {
      const row = readModel(provider, model, now)
      if ('reason' in row)
        rejected.push({ id: `${provider.id}:${nameOf(model) ?? `#${index}`}`, reason: row.reason })
      else candidates.push(row)
    }
  }
  return toReading(candidates, rejected, knownProducts)
}

const Providers = z.array(
  z.looseObject({
    id: z.string().min(1),
    pricing_urls: z.array(z.string()).nullish(),
    models: z.array(z.unknown()),
  }),
)
type Provider = z.infer<typeof Providers>[number]

const Amount = z.union([z.number(), z.string()])
const Prices = z.record(z.string(), z.union([Amount, z.looseObject({ base: Amount })]).nullish())
const DatedPrices = z.object({
  // Either a day from which the prices hold, or hours of the day in which they do.
  constraint: z
    .looseObject({ start_date: z.iso.date().nullish(), start_time: z.string().nullish() })
    .nullish(),
  prices: Prices,
})
const Model = z.looseObject({
  id: z.string().min(1),
  prices: z.union([Prices, z.array(DatedPrices).min(1)]),
})
type Model = z.infer<typeof Model>

/** The kinds of price other than of tokens, by the ending of their name; surcharges (`_kcount`) make no kind. */
const otherKinds: readonly { ending: RegExp; modality: Modality; unit: string }[] = [
  { ending: /_hours$/, modality: 'audio', unit: 'minute' },
  { ending: /_kpages$/, modality: 'ocr', unit: 'page' },
  { ending: /_gpixels$/, modality: 'image', unit: 'pixel' },
  { ending: /_mchars$/, modality: 'audio', unit: '1m_characters' },
]

function readModel(provider: Provider, source: unknown, now: Date): Candidate | { reason: string } {
  const model = Model.safeParse(source)
  if (!model.success) return { reason: `cannot be read: ${complaints(model.error)}` }

  const { prices, effective_at } = inForce(model.data.prices, now)
  const { read, problems } = amountReader()
  // The base of tiers: the price of a request below the first threshold.
  const amount = (field: string, scale?: Scale) => {
    const price = prices[field]
    return read(field, typeof price === 'object' ? price?.base : price, scale)
  }
  const audioHours = ['audio_hours', 'input_audio_hours', 'output_audio_hours'].find(
    (field) => prices[field] != null,
  )
  const price = {
    ...kindOf(prices),
    input_per_mtok: amount('input_mtok'),
    output_per_mtok: amount('output_mtok'),
    cached_input_per_mtok: amount('cache_read_mtok'),
    image_per_unit: null, // images are billed by their tokens here
    audio_per_min: audioHours === undefined ? null : amount(audioHours, perHourToPerMinute),
    video_per_sec: null,
    currency: 'USD',
    source_url: webAddress(provider.pricing_urls?.[0]),
    effective_at,
  }
  if (problems.length > 0) return { reason: `has no usable price: ${problems.join('; ')}` }

  const id = model.data.id
  return { id: `${provider.id}:${id}`, identity: identify(sellerOf(provider.id), id), price, rank: 0 }
}

/**
 * The last entry that has begun. Hours of the day (DeepSeek's) are left out: the standard price is the one without
 * them, and a price that moves twice a day would be told as two changes a day.
 */
function inForce(
  prices: Model['prices'],
  now: Date,
): { prices: z.infer<typeof Prices>; effective_at: string | null } {
  if (!Array.isArray(prices)) return { prices, effective_at: null }
  const begun = ({ constraint }: z.infer<typeof DatedPrices>) => {
    if (constraint == null) return true
    return constraint.start_date != null && new Date(constraint.start_date) <= now
  }
  const current = prices.findLast(begun)
  return { prices: current?.prices ?? {}, effective_at: current?.constraint?.start_date ?? null }
}

/** `{}` means free or unknown, the source does not say which: so neither modality nor unit. */
function kindOf(prices: z.infer<typeof Prices>): { modality: Modality | null; unit: string | null } {
  const fields = Object.keys(prices).filter((field) => prices[field] != null)
  if (fields.some((field) => field.endsWith('_mtok'))) return { modality: 'llm', unit: '1m_tokens' }
  const kinds = otherKinds.filter(({ ending }) => fields.some((field) => ending.test(field)))
  const [kind] = kinds
  return kind && kinds.length === 1
    ? { modality: kind.modality, unit: kind.unit }
    : { modality: null, unit: null }
}

function nameOf(model: unknown): string | undefined {
  if (typeof model !== 'object' || model === null || !('id' in model)) return undefined
  return typeof model.id === 'string' ? model.id : undefined
}
