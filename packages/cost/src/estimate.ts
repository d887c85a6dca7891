import { compareDecimals, multiplyDecimals, subtractDecimals } from '../../contract/src/decimal.js'
import { cardOf, makeCard } from './card.ts'
import { itemsOf, asBilled } from './counts.ts'
import { formatDecimal, plus, zero } from './exact.ts'
import { amountOf, priceOf, type LineContext } from './line.ts'
import { isWithin } from './pick-rate.ts'
import { thresholdPassed } from './threshold.ts'
import type { CatalogRecord, Decimal, Meter, UnpricedReason } from './types.ts'

// What a use would cost, for people who ask before they use a model: the calculators of the site and of the dashboard.
// They have a record, and a share of the input that is cached. Every line is priced as `costOf` prices it.

export interface Use {
  /** Tokens, those from the cache included. */
  readonly input: Decimal
  readonly output: Decimal
  /** How much of the input is read from a cache, in percent. */
  readonly cached: Decimal
  readonly isBatch: boolean
  /** One request, of known length. Otherwise many, of which none is taken to be long. */
  readonly isOneRequest: boolean
}

export interface When {
  /** Prices that are announced for this day, or for one before it, have begun. */
  readonly day?: string
  /** The minute of the day in UTC. Without it rates that depend on the hour are unpriced. */
  readonly minute?: number
}

export interface Estimate {
  /** Null: something has no price. */
  readonly total: Decimal | null
  readonly unpriced: readonly { readonly meter: Meter; readonly reason: UnpricedReason }[]
  /** A rate of long prompts applies. */
  readonly isLong: boolean
  /** What is due for each of many requests besides the total; null: nothing, or it is in the total. */
  readonly fee: Decimal | null
}

export function estimate(record: CatalogRecord, use: Use, { day, minute }: When = {}): Estimate {
  const cached = multiplyDecimals(multiplyDecimals(use.input, use.cached), '0.01')
  const tokens = itemsOf({
    counts: {
      input_tokens: subtractDecimals(use.input, cached),
      cached_input_tokens: cached,
      output_tokens: use.output,
    },
  })
  const begun = day === undefined ? [] : (record.announced ?? []).filter(({ starts_on }) => starts_on <= day)
  const card = begun.length > 0 ? makeCard(record, begun) : cardOf(record)
  const isLong = use.isOneRequest && card.thresholds.length > 0
  const context: LineContext = {
    record,
    card,
    conditions: {
      tier: use.isBatch ? 'batch' : null,
      region: null,
      isOfRegion: true,
      threshold: isLong ? thresholdPassed(card, record.platform, tokens) : null,
      minute: minute ?? null,
    },
  }
  const items = asBilled(tokens, card, 1)
  const lines = items.map((item) => ({ meter: item.meter, count: item.count, price: priceOf(item, context) }))
  const isFee = (meter: string) => meter === 'requests' && !use.isOneRequest
  const unpriced = lines.flatMap(({ meter, price }) =>
    'reason' in price
      ? [{ meter, reason: price.reason }]
      : // As `costOf`: an amount in no currency is none.
        record.currency === null
        ? [{ meter, reason: 'no_rate' as const }]
        : [],
  )
  let [total, fee] = [zero, zero]
  for (const { meter, count, price } of lines) {
    if ('reason' in price) continue
    const amount = amountOf(count, price)
    if (isFee(meter)) fee = plus(fee, amount)
    else total = plus(total, amount)
  }
  return {
    total: unpriced.length === 0 ? formatDecimal(total) : null,
    unpriced,
    isLong: lines.some(({ price }) => 'rate' in price && price.threshold !== null),
    fee: fee.units ? formatDecimal(fee) : null,
  }
}

/** Cheapest first; what is not known comes last. */
export function compareTotals(a: Decimal | null, b: Decimal | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return compareDecimals(a, b)
}

/** The hours that have rates of their own, and a minute of each; null hours: all others. None where all day is one. */
export function hoursOf({ rates }: CatalogRecord): { hours: string | null; minute: number }[] {
  const bands = [...new Set((rates ?? []).flatMap(({ hours }) => hours ?? []))].sort()
  const minuteOf = (time: string) => 60 * Number(time.slice(0, 2)) + Number(time.slice(3, 5))
  const other = bands
    .map((hours) => minuteOf(hours.slice(6)))
    .find((end) => !bands.some((hours) => isWithin(hours, end)))
  return [
    ...bands.map((hours) => ({ hours, minute: minuteOf(hours) })),
    ...(other === undefined ? [] : [{ hours: null, minute: other }]),
  ]
}
