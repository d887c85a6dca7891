import { multiplyDecimals } from '@ratecard/contract/decimal'
import {
  compareTotals,
  estimate,
  hoursOf,
  type Estimate,
  type When,
} from '../../../../../packages/cost/src/estimate.ts'
import type { Schemas } from '../../../contract/index.ts'

/** How a model is used, as the form has it: whole numbers as text. */
export interface RequestUse {
  requests: string
  /** Tokens of each request. */
  input: string
  output: string
  /** Percent of the input. */
  cached: string
  isBatch: boolean
}

export const usual: RequestUse = {
  requests: '10000',
  input: '2000',
  output: '500',
  cached: '0',
  isBatch: false,
}

/** What a platform takes for a use, exactly. */
export interface PlatformCost {
  price: Schemas['WholePrice']
  /** Null: a rate that it needs is not known, or depends on the hour. */
  cost: string | null
  /** Of one request. */
  ofOne: string | null
  /** Which prices are missing. */
  missing: string[]
  /** A rate of long prompts applies. */
  isLong: boolean
  /** Which prices are not known for prompts as long as these, though the others are. */
  missingLong: string[]
  /** Where the hour decides: what it costs at which; null: at all others. */
  atHours: { hours: string | null; cost: string }[]
  /** At the next price that is announced, where it is another. */
  ahead: { starts_on: string; cost: string } | null
}

/** Cheapest first, by currency: US dollars, then others; what is not known last. */
export function platformCosts(prices: readonly Schemas['WholePrice'][], use: RequestUse): PlatformCost[] {
  const rank = ({ price: { currency }, cost }: PlatformCost) =>
    cost === null ? '2' : currency === 'USD' ? '0' : `1${currency}`
  return prices
    .map((price) => platformCost(price, use))
    .sort((a, b) => {
      const [x, y] = [rank(a), rank(b)]
      return x === y ? compareTotals(a.cost, b.cost) : x < y ? -1 : 1
    })
}

const names: Record<string, string> = {
  input_tokens: 'input',
  cached_input_tokens: 'cached input',
  output_tokens: 'output',
  requests: 'a request',
}

function platformCost(price: Schemas['WholePrice'], use: RequestUse): PlatformCost {
  const record = toRecord(price)
  const ofOne = (when?: When) => estimate(record, { ...use, isOneRequest: true }, when)
  const ofAll = ({ total }: Estimate) => total && multiplyDecimals(total, use.requests)
  const now = ofOne()
  const cost = ofAll(now)
  const missing = (isLong: boolean) =>
    now.unpriced
      .filter(({ reason }) => reason !== 'time_needed' && (reason === 'no_rate_above_threshold') === isLong)
      .map(({ meter }) => names[meter] ?? meter)
  const isByHour = now.unpriced.some(({ reason }) => reason === 'time_needed')
  const [next] = price.announced
  const ahead = next && ofAll(ofOne({ day: next.starts_on }))
  return {
    price,
    cost,
    ofOne: now.total,
    missing: missing(false),
    missingLong: missing(true),
    isLong: now.isLong,
    atHours: (isByHour ? hoursOf(record) : []).flatMap(({ hours, minute }) => {
      const then = ofAll(ofOne({ minute }))
      return then === null ? [] : [{ hours, cost: then }]
    }),
    ahead: next && ahead && ahead !== cost ? { starts_on: next.starts_on, cost: ahead } : null,
  }
}

/** A price as `@ratecard/cost` knows records. */
function toRecord({ amounts, announced, ...price }: Schemas['WholePrice']): Parameters<typeof estimate>[0] {
  return {
    ...price,
    ...amounts,
    announced: announced.map(({ starts_on, amounts }) => ({ ...amounts, starts_on })),
    // No moment is asked for that these would tell of.
    effective_at: null,
    updated_at: '',
  }
}

/** `12,000`, `12 000` and `12_000` are one number. Null: it is no whole number, or is larger than what is asked for. */
export function readWhole(text: string, max: number): string | null {
  const digits = text.replaceAll(/[\s,_]/g, '')
  if (!/^\d{1,15}$/.test(digits) || Number(digits) > max) return null
  return String(Number(digits))
}
