import { amountReader, type Scale } from '../../../catalog/decimal.ts'
import type { DecimalText, RejectedRow } from '../../../catalog/price-record.ts'
import { rateKey, type Rate } from '../../../catalog/rate-card.ts'
import { UserError } from '../../../platform/user-error.ts'
import { toDay } from '../../days.ts'
import type { Identity } from '../../match/identify.ts'
import type { Quote, SourceReading } from '../../source-record.ts'
import { newestDay } from '../reading/data-day.ts'
import { chooseUnit, findColumn, splitCard } from '../reading/rate-reader.ts'
import { toRate, toReading, type Candidate } from '../reading/reading.ts'

/** One line of a cloud's list: what one meter of one resource costs in one place. */
export interface Line {
  /** Its key in the document. */
  sku: string
  identity: Identity
  /** The id was found from a name by a table of ours. */
  isWitness: boolean
  rate: Rate
  /** Where it holds: later lines of a place replace earlier ones, and places of one resource must agree. */
  place: string
  /** The first day of the price, `YYYY-MM-DD`. */
  startsOn: string
  quote: Omit<Quote, 'of'> | null
}

/** What a line costs, or why it is not read. */
export type LineReading = Line | { reason: string }

/** What meters count, and whether the document's words for it say so. */
export const meters = {
  input: 'input_tokens',
  output: 'output_tokens',
  cached: 'cached_input_tokens',
  write: 'cache_write_tokens',
} as const

/** Tokens, per million. A cloud's 0 is a meter that is not charged, by itself or at all: it is no price. */
export function readAmount(
  stated: number | string | null | undefined,
  scale: Scale,
): { amount: DecimalText } | { reason: string } {
  const { read, problems } = amountReader()
  const amount = read('the price', stated, scale)
  if (problems.length > 0) return { reason: problems.join('; ') }
  return amount === null || amount === '0' ? { reason: 'states no price' } : { amount }
}

export function tokenRate(
  meter: keyof typeof meters,
  amount: DecimalText,
  only: Pick<Rate, 'service_tier' | 'variant'>,
): Rate {
  return toRate(meters[meter], '1m_tokens', amount, only)
}

/** One record per resource, from all of its lines. What the document states in two ways is not read. */
export function readLines(
  entries: Iterable<readonly [sku: string, LineReading]>,
  about: { now: Date; url: string; what: string; version: string | null; publishedOn: string | null },
): SourceReading {
  const lines: Line[] = []
  const rejected: RejectedRow[] = []
  const today = toDay(about.now)
  for (const [id, line] of entries) {
    if ('reason' in line) rejected.push({ id, reason: line.reason })
    else if (line.startsOn > today) rejected.push({ id, reason: `begins on ${line.startsOn}` })
    else lines.push(line)
  }
  const candidates: Candidate[] = []
  for (const [id, all] of Map.groupBy(lines, ({ identity }) => identity.resource_id)) {
    const kept = [...Map.groupBy(all, ({ rate }) => rateKey(rate)).values()].flatMap((same) =>
      chooseLines(same, rejected),
    )
    if (kept.length > 0) candidates.push(toCandidate(id, kept, about.url))
  }
  if (candidates.length === 0)
    throw new UserError(`This is not ${about.what}: ${rejected[0]?.reason ?? 'it lists nothing'}.`)
  const days = [about.publishedOn, ...lines.map(({ startsOn }) => startsOn)]
  return { ...toReading([...candidates, ...rejected], about.version), data_at: newestDay(days, about.now) }
}

/** Of the lines of one amount those in force, if they agree. */
function chooseLines(lines: readonly Line[], rejected: RejectedRow[]): Line[] {
  const inForce = [...Map.groupBy(lines, ({ place }) => place).values()].flatMap((here) => {
    const newest = here
      .map(({ startsOn }) => startsOn)
      .sort()
      .at(-1)!
    for (const { sku, startsOn } of here)
      if (startsOn < newest) rejected.push({ id: sku, reason: `was replaced on ${newest}` })
    return here.filter(({ startsOn }) => startsOn === newest)
  })
  const amounts = new Set(inForce.map(({ rate }) => rate.amount))
  if (amounts.size === 1) return inForce
  const stated = [...amounts].join(' and ')
  for (const { sku, identity, rate } of inForce)
    rejected.push({
      id: sku,
      reason: `is one of several amounts of ${identity.resource_id}, ${rate.meter}: ${stated}`,
    })
  return []
}

function toCandidate(id: string, lines: readonly Line[], url: string): Candidate {
  const { amounts, rates } = splitCard(lines.map(({ rate }) => rate))
  const [{ identity }] = lines as [Line, ...Line[]]
  const beside = new Set(rates.map(rateKey))
  const quotes = new Map<string, Quote>()
  for (const { rate, quote } of lines) {
    const key = rateKey(rate)
    if (quote !== null && !quotes.has(key))
      quotes.set(key, { of: [beside.has(key) ? key : findColumn(rate.meter)!], ...quote })
  }
  const isWitness = lines.some((line) => line.isWitness)
  return {
    id,
    identity,
    price: {
      modality: null,
      unit: chooseUnit(amounts, rates),
      ...amounts,
      currency: 'USD',
      source_url: url,
      effective_at: lines
        .map(({ startsOn }) => startsOn)
        .sort()
        .at(-1)!,
    },
    rates,
    ...(isWitness && { is_witness: true }),
    quotes: [...quotes.values()],
  }
}
