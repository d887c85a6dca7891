import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { z } from 'zod'
import { amountReader, perHourToPerMinute, type Scale } from '../../../catalog/decimal.ts'
import type { Modality } from '../../../catalog/price-record.ts'
import { sortRates, type Rate } from '../../../catalog/rate-card.ts'
import { UserError } from '../../../platform/user-error.ts'
import { pickAmounts } from '../../amounts.ts'
import { identify, findSeller, type Identity } from '../../match/identify.ts'
import type { Amounts, PastPrice, ScheduledPrice, SourceReading, SourceRecord } from '../../source-record.ts'
import { newestDay } from '../reading/data-day.ts'
import { findMeter } from './genai-prices-meters.ts'
import { readVariants } from './genai-prices-variants.ts'
import { DatedPrices, inForce, Prices, type PriceList } from './genai-prices-periods.ts'
import { toDay } from '../../days.ts'
import { genaiPricesFields } from './known-fields.ts'
import { complaints, toRate, toReading, type Candidate, type ReadRow } from '../reading/reading.ts'
import { findUnknownFields } from '../reading/unknown-fields.ts'

/**
 * The catalogue in the installed package. Nothing is fetched: `waitForUpdate` is the package's only exported way to get
 * all providers at once, and without a call of `updatePrices` it answers with the bundled data.
 */
export async function readGenaiPricesPackage(now: Date): Promise<SourceReading> {
  // Loaded when it is read: it is the largest module of all.
  const { waitForUpdate } = await import('@pydantic/genai-prices')
  return { ...readGenaiPrices(await waitForUpdate(), now), version: installedVersion() }
}

function installedVersion(): string | null {
  const path = findPackageJSON('@pydantic/genai-prices', import.meta.url)
  if (path === undefined) return null
  const { version } = JSON.parse(readFileSync(path, 'utf8')) as { version?: string }
  return version ?? null
}

/** Pydantic's genai-prices, from the package or its v2 data file: providers with models, in USD. (MIT) */
export function readGenaiPrices(providers: unknown, now: Date): SourceReading {
  const parsed = Providers.safeParse(providers)
  if (!parsed.success || parsed.data.every(({ models }) => models.length === 0)) {
    const complaint = parsed.success ? 'it lists no model' : complaints(parsed.error)
    throw new UserError(`This is not a genai-prices v2 data file: ${complaint}.`)
  }
  const rows = parsed.data.flatMap((provider) =>
    provider.models.map((model, index) => ({
      ...{ id: `${provider.id}:${readName(model) ?? `#${index}`}`, provider, model },
    })),
  )
  return {
    ...toReading(
      rows.flatMap(({ id, provider, model }): ReadRow[] => {
        const row = { id, ...readModel(provider, model, now) }
        return 'reason' in row ? [row] : [row, ...soldApart(row)]
      }),
    ),
    data_at: newestDay(
      rows.flatMap(({ model }) => statedDays(model)),
      now,
    ),
    unknown_fields: findUnknownFields(
      rows.map(({ id, model }) => [id, model] as const),
      genaiPricesFields,
    ),
  }
}

/** One model of such a file; null: it is no price. */
export function readGenaiPricesRow(provider: string, model: unknown, now: Date): SourceRecord | null {
  return (
    toReading([{ id: provider, ...readModel({ id: provider, models: [] }, model, now) }]).records[0] ?? null
  )
}

const Providers = z.array(
  z.looseObject({
    id: z.string().min(1),
    // An invalid link does not refuse the model.
    pricing_urls: z.array(z.string()).nullish().catch(null),
    models: z.array(z.unknown()),
  }),
)
type Provider = z.infer<typeof Providers>[number]

const Model = z.looseObject({
  id: z.string().min(1),
  prices: z.union([Prices, z.array(DatedPrices).min(1)]),
  price_variants: z.array(z.unknown()).nullish(),
})

/** The kinds of price other than tokens, by the ending of their name. Surcharges (`_kcount`) make no kind. */
const otherKinds: readonly { ending: RegExp; modality: Modality; unit: string }[] = [
  { ending: /_hours$/, modality: 'audio', unit: 'minute' },
  { ending: /_kpages$/, modality: 'ocr', unit: 'page' },
  { ending: /_gpixels$/, modality: 'image', unit: 'pixel' },
  { ending: /_mchars$/, modality: 'audio', unit: '1m_characters' },
]

function readModel(provider: Provider, source: unknown, now: Date): Candidate | { reason: string } {
  const model = Model.safeParse(source)
  if (!model.success) return { reason: `cannot be read: ${complaints(model.error)}` }

  const today = toDay(now)
  const current = inForce(model.data.prices, today)
  const { read, problems } = amountReader()
  const amounts = amountsIn(current.prices, read)
  const price = {
    ...classifyPrices(current.prices),
    ...amounts,
    currency: 'USD',
    source_url: provider.pricing_urls?.[0] ?? null,
    effective_at: current.effective_at,
  }
  const rates = [
    ...besideColumns(current.prices, amounts, read),
    ...current.bands.flatMap(({ hours, prices }) =>
      statedRates(prices, read).map(({ rate }) => ({ ...rate, hours })),
    ),
    ...readVariants(model.data.price_variants ?? [], today, (prices) =>
      statedRates(prices, read).map(({ rate }) => rate),
    ),
  ]
  const scheduled = laterPrices(model.data.prices, today, read)
  const past = earlierPrices(`${provider.id}:${model.data.id}`, model.data.prices, today, read)
  if (problems.length > 0) return { reason: `has no usable price: ${problems.join('; ')}` }

  const id = model.data.id
  const identity = soldAt(provider.id, id)
  // OpenRouter's own ids name the maker: `x-ai/grok-3` before `grok-3`, which the list has as well.
  const rank = id.includes('/') ? 0 : 1
  const checked_on = checkedOn(source, today)
  return { id: `${provider.id}:${id}`, identity, price, rates, scheduled, past, checked_on, rank }
}

/** The day on which somebody compared the prices with the vendor's page; null: it is not stated, or is to come. */
function checkedOn(model: unknown, today: string): string | null {
  const day = z.iso.date().safeParse(Dated.safeParse(model).data?.prices_checked).data
  return day === undefined || day > today ? null : day
}

/** The list has Claude under `google`, whose own API sells Google's models alone: it is paid on Vertex AI. */
function soldAt(provider: string, id: string): Identity {
  const identity = identify(findSeller(provider), id)
  return provider === 'google' && identity.vendor !== 'google'
    ? identify(findSeller('google-vertex'), id)
    : identity
}

type Read = ReturnType<typeof amountReader>['read']

function laterPrices(prices: PriceList, today: string, read: Read): ScheduledPrice[] {
  if (!Array.isArray(prices)) return []
  const days = prices.flatMap(({ constraint }) => constraint?.start_date ?? []).filter((day) => day > today)
  return [...new Set(days)].flatMap((day) => {
    const { prices: then, effective_at } = inForce(prices, day)
    return effective_at === day ? [{ starts_on: day, amounts: amountsIn(then, read) }] : []
  })
}

/**
 * The prices of before. Hours that hold today stand there without a beginning: their amounts are those of today's prices, so
 * they are no part of what was before.
 */
function earlierPrices(key: string, prices: PriceList, today: string, read: Read): PastPrice[] {
  if (!Array.isArray(prices)) return []
  const days = prices.flatMap(({ constraint }) => constraint?.start_date ?? []).filter((day) => day <= today)
  const ofToday = new Set(inForce(prices, today).bands.map((band) => band.prices))
  return [...new Set(days)].sort().flatMap((ended_on) => {
    const { prices: then, bands } = inForce(prices, toDay(new Date(Date.parse(ended_on) - 1)))
    const amounts = withPublished(key, amountsIn(then, read))
    const rates = [
      ...besideColumns(then, amounts, read),
      ...bands
        .filter((band) => !ofToday.has(band.prices))
        .flatMap(({ hours, prices }) => statedRates(prices, read).map(({ rate }) => ({ ...rate, hours }))),
    ]
    const isEmpty = rates.length === 0 && Object.values(amounts).every((amount) => amount === null)
    return isEmpty ? [] : [{ ended_on, ...amounts, rates: sortRates(rates) }]
  })
}

/**
 * Before its cut of 2025-06-10 OpenAI sold what o3 reads from a cache for a quarter of its input (LiteLLM's map has that from
 * 2025-04-16 on). The list has the price of after the cut there.
 */
function withPublished(key: string, amounts: Amounts): Amounts {
  return key === 'openai:o3' && amounts.input_per_mtok === '10'
    ? { ...amounts, cached_input_per_mtok: '2.5' }
    : amounts
}

/**
 * Google's previews of April and May of 2025 are one model to the list. From 2025-06-20 on the later one cost what its
 * successor cost, by Google's page, which also had the prices of its cache and of thinking. What asks for it by its own
 * name is priced by the day.
 */
function soldApart({ past: _past, ...row }: Candidate): Candidate[] {
  if (row.id !== 'google:gemini-2.5-flash-preview') return []
  const name = 'gemini-2.5-flash-preview-05-20'
  const since = { input_per_mtok: '0.3', cached_input_per_mtok: '0.075', output_per_mtok: '2.5' }
  const before = { ...pickAmounts(row.price), cached_input_per_mtok: '0.0375' }
  const thinking = toRate('reasoning_tokens', '1m_tokens', '3.5')
  return [
    {
      ...row,
      id: `google:${name}`,
      identity: identify(findSeller('google'), name),
      price: { ...row.price, ...since, effective_at: '2025-06-20' },
      rates: [],
      past: [{ ended_on: '2025-06-20', ...before, rates: [thinking] }],
    },
  ]
}

/** The base of tiers: the price of a request below the first threshold. */
function readBase(price: Prices[string]): number | string | null | undefined {
  return typeof price === 'object' ? price?.base : price
}

const audioHours = ['audio_hours', 'input_audio_hours', 'output_audio_hours']

function amountsIn(prices: Prices, read: Read): Amounts {
  const amount = (field: string, scale?: Scale) => read(field, readBase(prices[field]), scale)
  const heard = audioHours.find((field) => prices[field] != null)
  return {
    input_per_mtok: amount('input_mtok'),
    output_per_mtok: amount('output_mtok'),
    cached_input_per_mtok: amount('cache_read_mtok'),
    image_per_unit: null, // images are billed by their tokens here
    audio_per_min: heard === undefined ? null : amount(heard, perHourToPerMinute),
    video_per_sec: null,
  }
}

interface StatedRate {
  field: string
  rate: Rate
}

/** Every price of an entry, and every tier of it: a tier applies to the whole request above its threshold. */
function statedRates(prices: Prices, read: Read): StatedRate[] {
  return Object.entries(prices).flatMap(([field, price]) => {
    const { meter, unit, variant, scale } = findMeter(field)
    const tiers = (typeof price === 'object' ? price?.tiers : null) ?? []
    const stated = [
      { threshold: null, price: readBase(price) },
      ...tiers.map(({ start, price }) => ({ threshold: start, price })),
    ]
    return stated.flatMap(({ threshold, price }) => {
      const amount = read(field, price, scale)
      return amount === null ? [] : [{ field, rate: toRate(meter, unit, amount, { variant, threshold }) }]
    })
  })
}

function besideColumns(prices: Prices, amounts: Amounts, read: Read): Rate[] {
  const tokenColumns = ['input_mtok', 'output_mtok', 'cache_read_mtok']
  const isInColumn = ({ field, rate }: StatedRate) =>
    rate.threshold === null &&
    (tokenColumns.includes(field) || (audioHours.includes(field) && rate.amount === amounts.audio_per_min))
  return statedRates(prices, read).flatMap((one) => (isInColumn(one) ? [] : [one.rate]))
}

/** `{}` means free or unknown, and the source does not say which, so there is neither modality nor unit. */
function classifyPrices(prices: Prices): { modality: Modality | null; unit: string | null } {
  const fields = Object.keys(prices).filter((field) => prices[field] != null)
  if (fields.some((field) => field.endsWith('_mtok'))) return { modality: 'llm', unit: '1m_tokens' }
  const kinds = otherKinds.filter(({ ending }) => fields.some((field) => ending.test(field)))
  const [kind] = kinds
  return kind && kinds.length === 1
    ? { modality: kind.modality, unit: kind.unit }
    : { modality: null, unit: null }
}

/** The days of an entry: when its prices begin, and when somebody checked them. */
function statedDays(model: unknown): (string | null | undefined)[] {
  const dated = Dated.safeParse(model)
  if (!dated.success) return []
  const { prices, prices_checked } = dated.data
  const entries = Array.isArray(prices) ? prices : []
  return [prices_checked, ...entries.map((entry) => entry.constraint?.start_date)]
}

const Text = z.string().nullish().catch(null)
const Dated = z.looseObject({
  prices_checked: Text,
  prices: z
    .array(z.looseObject({ constraint: z.looseObject({ start_date: Text }).nullish().catch(null) }))
    .nullish()
    .catch(null),
})

function readName(model: unknown): string | undefined {
  if (typeof model !== 'object' || model === null || !('id' in model)) return undefined
  return typeof model.id === 'string' ? model.id : undefined
}
