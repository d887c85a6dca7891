import { z } from 'zod'
import { amountReader } from '../../../catalog/decimal.ts'
import type { RejectedRow } from '../../../catalog/price-record.ts'
import type { Rate } from '../../../catalog/rate-card.ts'
import { UserError } from '../../../platform/user-error.ts'
import { identify, lookUp, findSeller } from '../../match/identify.ts'
import { noAmounts, type Amounts, type SourceReading } from '../../source-record.ts'
import type { Seller } from '../../match/taxonomy.ts'
import { toDay } from '../../days.ts'
import { newestDay } from '../reading/data-day.ts'
import { llmPricesFields } from './known-fields.ts'
import { complaints, toRate, toReading, type Candidate, type ReadRow } from '../reading/reading.ts'
import { findUnknownFields } from '../reading/unknown-fields.ts'

/**
 * llm-prices' historical-v1.json: prices of vendors' own models by period, in USD per million tokens.
 * https://github.com/simonw/llm-prices
 *
 * Every period of the file is a record, scheduled on one, or rejected.
 */
export function readLlmPrices(json: unknown, now: Date): SourceReading {
  const file = File.safeParse(json)
  if (!file.success || file.data.prices.length === 0) {
    const complaint = file.success ? 'it lists no price' : complaints(file.error)
    throw new UserError(`This is not an llm-prices historical-v1 file: ${complaint}.`)
  }
  const periods: Period[] = []
  const rejected: RejectedRow[] = []
  const rows: [id: string, row: unknown][] = []
  for (const [index, row] of file.data.prices.entries()) {
    const period = readPeriod(index, row)
    rows.push(['reason' in period ? period.id : period.rowKey, row])
    if ('reason' in period) rejected.push(period)
    else periods.push(period)
  }

  const today = toDay(now)
  const models = Map.groupBy(periods, ({ key }) => key)
  const read = [...models.values()].flatMap((model) => {
    const base = findBaseModel(model, models, today)
    return base === null ? readModel(model, models, today) : readTier(model, base, today)
  })
  const version = file.data.updated_at ?? null
  const days = periods.flatMap(({ from, to }) => [from, to])
  return {
    ...toReading([...rejected, ...read], version),
    data_at: newestDay([version, ...days], now),
    unknown_fields: findUnknownFields(rows, llmPricesFields),
  }
}

const File = z.looseObject({ updated_at: z.string().nullish().catch(null), prices: z.array(z.unknown()) })
const amount = z.union([z.number(), z.string()]).nullish()
const Row = z.looseObject({
  id: z.string().min(1),
  vendor: z.string().min(1),
  name: z.string().nullish(),
  input: amount,
  output: amount,
  input_cached: amount,
  from_date: z.iso.date().nullish(),
  to_date: z.iso.date().nullish(),
})

interface Period {
  /** Vendor and id, which the periods of one model share. */
  key: string
  /** The row's own key: `model` and its first day. */
  rowKey: string
  vendor: string
  id: string
  amounts: Amounts
  /** The first day; null: since the model exists. */
  from: string | null
  /** The day after the last; null: until further notice. */
  to: string | null
  /** Input tokens above which the row holds, for a row that is a tier of another model; else null. */
  threshold: number | null
}

function readPeriod(index: number, source: unknown): Period | RejectedRow {
  const row = Row.safeParse(source)
  if (!row.success) return { id: `#${index}`, reason: `cannot be read: ${complaints(row.error)}` }
  const { id, vendor, name, input, output, input_cached, from_date, to_date } = row.data
  const key = `${vendor}/${id}`
  const rowKey = from_date == null ? key : `${key} from ${from_date}`

  const { read, problems } = amountReader()
  const amounts = {
    ...noAmounts,
    input_per_mtok: read('input', input),
    output_per_mtok: read('output', output),
    cached_input_per_mtok: read('input_cached', input_cached),
  }
  if (problems.length > 0) return { id: rowKey, reason: `has no usable price: ${problems.join('; ')}` }

  const from = from_date ?? null
  const to = to_date ?? null
  return { key, rowKey, vendor, id, amounts, from, to, threshold: parseThreshold(id, name ?? '') }
}

/**
 * A long context is a model of its own here: `gemini-2.5-pro-200k`, named "Gemini 2.5 Pro >200k". Only id and name
 * together distinguish it from a model with its window in its name, such as `gpt-4-32k`.
 */
function parseThreshold(id: string, name: string): number | null {
  const thousands = /-(\d+)k$/.exec(id)?.[1]
  return thousands !== undefined && name.endsWith(`>${thousands}k`) ? Number(thousands) * 1_000 : null
}

type Models = ReadonlyMap<string, readonly Period[]>

/** The key of the model of which these periods are a tier; null: they are a model's own, or the model is not sold. */
function findBaseModel([period]: readonly Period[], models: Models, today: string): string | null {
  if (!period || period.threshold === null) return null
  const base = period.key.replace(/-\d+k$/, '')
  return models.get(base)?.some((period) => !isOver(period, today)) ? base : null
}

function readTier(periods: readonly Period[], base: string, today: string): RejectedRow[] {
  return periods.map((period) => ({
    id: period.rowKey,
    reason: isOver(period, today)
      ? `is a tier of ${base} that ended on ${period.to}`
      : isToCome(period, today)
        ? `is a tier of ${base} that begins on ${period.from}`
        : `is a tier of ${base}, kept in its rate card`,
  }))
}

function readModel(periods: readonly Period[], models: Models, today: string): ReadRow[] {
  const over = periods.filter((period) => isOver(period, today))
  const toCome = periods.filter((period) => isToCome(period, today))
  // Of two periods in force the one that began last counts. The other is reported as a second row of the resource.
  const inForce = periods
    .filter((period) => !over.includes(period) && !toCome.includes(period))
    .toSorted((a, b) => ((a.from ?? '') < (b.from ?? '') ? 1 : (a.from ?? '') > (b.from ?? '') ? -1 : 0))

  const scheduled = toCome.flatMap(({ from, amounts }) =>
    from === null ? [] : [{ starts_on: from, amounts }],
  )
  const rates = readRates(periods, models, today)
  const [first] = periods
  const candidates = inForce.map((period, rank) => toCandidate(period, { rank, rates, scheduled }))
  // Not for sale yet: a record without a price, which makes its first price an announced one.
  if (candidates.length === 0 && first && scheduled.length > 0) {
    const unpriced = { ...first, rowKey: first.key, amounts: noAmounts, from: null }
    candidates.push(toCandidate(unpriced, { rates, scheduled }))
  }
  return [...candidates, ...over.map(({ rowKey, to }) => ({ id: rowKey, reason: `ended on ${to}` }))]
}

function isOver({ to }: Period, today: string): boolean {
  return to !== null && to <= today
}

function isToCome({ from }: Period, today: string): boolean {
  return from !== null && from > today
}

/** The tiers of a model that apply today, from the rows that are listed as models. */
function readRates([model]: readonly Period[], models: Models, today: string): Rate[] {
  if (!model) return []
  return [...models.values()]
    .filter((periods) => findBaseModel(periods, models, today) === model.key)
    .flatMap((periods) => periods.filter((period) => !isOver(period, today) && !isToCome(period, today)))
    .flatMap(({ threshold, amounts }) => {
      const meters = {
        input_tokens: amounts.input_per_mtok,
        output_tokens: amounts.output_per_mtok,
        cached_input_tokens: amounts.cached_input_per_mtok,
      }
      return Object.entries(meters).flatMap(([meter, amount]) =>
        amount === null ? [] : [toRate(meter, '1m_tokens', amount, { threshold })],
      )
    })
}

/** Vendors with another name in this file than in other sources. */
const sellers: Readonly<Record<string, Seller>> = {
  amazon: { platform: 'bedrock', vendor: 'amazon' },
  'meta-ai': { platform: 'meta' },
  'moonshot-ai': { platform: 'moonshot' },
  qwen: { platform: 'dashscope', vendor: 'alibaba' },
}

/** The vendors' own ids of models that this file names in its own way. */
const ownIds: Readonly<Record<string, string>> = {
  'amazon/amazon-nova-lite': 'amazon.nova-lite-v1:0',
  'amazon/amazon-nova-micro': 'amazon.nova-micro-v1:0',
  'amazon/amazon-nova-premier': 'amazon.nova-premier-v1:0',
  'amazon/amazon-nova-pro': 'amazon.nova-pro-v1:0',
  'anthropic/claude-3-opus': 'claude-3-opus-latest',
  'anthropic/claude-3.5-haiku': 'claude-3-5-haiku-latest',
  'anthropic/claude-3.5-sonnet': 'claude-3-5-sonnet-latest',
  'anthropic/claude-3.7-sonnet': 'claude-3-7-sonnet-latest',
  'anthropic/claude-4.5-haiku': 'claude-haiku-4-5',
  'anthropic/claude-opus-4': 'claude-opus-4-0',
  'anthropic/claude-sonnet-4': 'claude-sonnet-4-0',
  'anthropic/claude-sonnet-4.5': 'claude-sonnet-4-5',
  'google/gemini-3-1-pro-preview': 'gemini-3.1-pro-preview',
  'openai/gpt-4.5': 'gpt-4.5-preview',
}

function toCandidate(
  { rowKey, vendor, id, amounts, from }: Period,
  rest: Pick<Candidate, 'rank' | 'rates' | 'scheduled'>,
): Candidate {
  const seller = lookUp(sellers, vendor)
  const ownId = lookUp(ownIds, `${vendor}/${id}`) ?? id
  return {
    id: rowKey,
    identity: identify(seller ?? findSeller(vendor), ownId),
    price: {
      modality: 'llm',
      unit: '1m_tokens',
      ...amounts,
      currency: 'USD',
      source_url: null,
      effective_at: from,
    },
    ...rest,
  }
}
