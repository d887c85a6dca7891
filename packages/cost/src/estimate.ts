import { compareDecimals, multiplyDecimals, subtractDecimals } from '../../contract/src/decimal.js'
import { lookUpCard } from './card.ts'
import { listItems, asBilled } from './counts.ts'
import { formatDecimal, plus, zero } from './exact.ts'
import { computeAmount, lookUpPrice, type LineContext } from './line.ts'
import { thresholdPassed } from './threshold.ts'
import type { CatalogRecord, Decimal, Meter, UnpricedReason } from './types.ts'

// What a use would cost, for people who ask before they use a model: the calculator of the site.
// It has a record, and a share of the input that is cached. Every line is priced as `costOf` prices it.

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

export interface Estimate {
  /** Null: something has no price. */
  readonly total: Decimal | null
  readonly unpriced: readonly { readonly meter: Meter; readonly reason: UnpricedReason }[]
  /** A rate of long prompts applies. */
  readonly isLong: boolean
  /** What is due for each of many requests besides the total; null: nothing, or it is in the total. */
  readonly fee: Decimal | null
}

export function estimate(record: CatalogRecord, use: Use): Estimate {
  const cached = multiplyDecimals(multiplyDecimals(use.input, use.cached), '0.01')
  const tokens = listItems({
    counts: {
      input_tokens: subtractDecimals(use.input, cached),
      cached_input_tokens: cached,
      output_tokens: use.output,
    },
  })
  const card = lookUpCard(record)
  const isLong = use.isOneRequest && card.thresholds.length > 0
  const context: LineContext = {
    record,
    card,
    conditions: {
      tier: use.isBatch ? 'batch' : null,
      region: null,
      isOfRegion: true,
      threshold: isLong ? thresholdPassed(card, record.platform, tokens) : null,
      // Rates that depend on the hour are unpriced.
      minute: null,
    },
  }
  const items = asBilled(tokens, card, 1)
  const lines = items.map((item) => ({ ...item, price: lookUpPrice(item, context) }))
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
    const amount = computeAmount(count, price)
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
