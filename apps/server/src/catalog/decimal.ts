import { Decimal } from 'decimal.js'
import type { DecimalText } from './price-record.ts'

/** Converts a source's unit to ours. The product is exact; only its end is rounded. */
export interface Scale {
  times?: number
  over?: number
}

export const asStated: Scale = {}
/** Of tokens, characters and pixels: one alone costs less than nine decimals hold. */
export const perOneToPerMillion: Scale = { times: 1_000_000 }
export const perThousandToPerMillion: Scale = { times: 1_000 }
export const perThousandToPerOne: Scale = { over: 1_000 }
export const perSecondToPerMinute: Scale = { times: 60 }
export const perHourToPerMinute: Scale = { over: 60 }

/** An amount, null where the source does not know it, or why the stated value is not a price. */
export type DecimalReading = { amount: DecimalText | null } | { problem: string }

/** 100 digits hold any source text of `longestSource` characters times any scale without rounding. */
const Exact = Decimal.clone({ precision: 100, rounding: Decimal.ROUND_HALF_EVEN })

const longestSource = 64
const decimalNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,4})?$/i

/** A double carries 15 to 17 digits; from the 13th on, published prices hold only float dust (`0.19999999999999998`). */
const significantDigits = 12
/** The column is numeric(18,9). */
const decimals = 9
const limit = new Exact('1e9')

/** Reads `2e-7` per token as `0.2` per million: the number's text is scaled, never its binary value. */
export function readDecimal(
  source: number | string | null | undefined,
  scale: Scale = asStated,
): DecimalReading {
  if (source == null) return { amount: null }
  const text = String(source)
  if (text.length > longestSource || !decimalNumber.test(text))
    return { problem: `is not a number: ${text.slice(0, longestSource)}` }

  const stated = new Exact(text)
  // Routers publish -1 for "it depends" (OpenRouter, 5 rows). Any other negative is a fault of the source.
  if (stated.eq(-1)) return { amount: null }
  if (stated.isNegative() && !stated.isZero()) return { problem: `is negative: ${text}` }

  const rounded = stated
    .times(scale.times ?? 1)
    .div(scale.over ?? 1)
    .toSignificantDigits(significantDigits)
    .toDecimalPlaces(decimals)
  if (rounded.gte(limit)) return { problem: `is too large for a price: ${text}` }
  if (rounded.isZero()) {
    // Served as 0 it would mean "free". The smallest true price is 0.00013 per million (litellm, 2026), so it is a
    // mistake.
    return stated.isZero() ? { amount: '0' } : { problem: `is too small for a price: ${text}` }
  }
  return { amount: rounded.toFixed() }
}

/** An amount of ours in the unit of a source, by the scale that reads it: 0.2 per million tokens is 2e-7 per token. */
export function inSourceUnit(amount: DecimalText, scale: Scale): number {
  return new Exact(amount)
    .times(scale.over ?? 1)
    .div(scale.times ?? 1)
    .toNumber()
}

export interface AmountReader {
  problems: string[]
  read: (field: string, source: number | string | null | undefined, scale?: Scale) => DecimalText | null
}

/** Reads the amounts of one row and collects their errors in words, each once. */
export function amountReader(): AmountReader {
  const problems: string[] = []
  return {
    problems,
    read(field, source, scale) {
      const reading = readDecimal(source, scale)
      if ('amount' in reading) return reading.amount
      const problem = `${field} ${reading.problem}`
      if (!problems.includes(problem)) problems.push(problem)
      return null
    },
  }
}
