import { compareCosts, costOf, hoursOf, tokenRates } from '@ratecard/contract/cost'
import { isZero, multiplyDecimals } from '@ratecard/contract/decimal'
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
  /** Null: a rate that it needs is not known. */
  cost: string | null
  /** Of one request. */
  ofOne: string | null
  /** Which prices are missing. */
  missing: string[]
  /** A rate of long prompts applies. */
  isLong: boolean
  /** At the hours that have rates of their own. */
  atHours: { hours: string; cost: string }[]
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
      return x === y ? compareCosts(a.cost, b.cost) : x < y ? -1 : 1
    })
}

function platformCost(price: Schemas['WholePrice'], use: RequestUse): PlatformCost {
  const { amounts, rates: card, announced } = price
  const conditions = { isBatch: use.isBatch, promptTokens: Number(use.input) }
  const costAt = (stated: Schemas['Amounts'], requests: string, hours: string | null = null) =>
    costOf(tokenRates(stated, card, { ...conditions, hours }), totalsOf(use, requests))
  const rates = tokenRates(amounts, card, conditions)
  const cost = costAt(amounts, use.requests)
  const short = tokenRates(amounts, card, { ...conditions, promptTokens: null })
  const [next] = announced
  const aheadCost = next && !use.isBatch ? costAt(withStated(amounts, next.amounts), use.requests) : null
  return {
    price,
    cost,
    ofOne: costAt(amounts, '1'),
    missing: [
      rates.input === null && use.input !== '0' && use.cached !== '100' ? 'input' : null,
      rates.cached === null && use.input !== '0' && !isZero(use.cached) ? 'cached input' : null,
      rates.output === null && use.output !== '0' ? 'output' : null,
    ].filter((name) => name !== null),
    isLong: rates.input !== short.input || rates.output !== short.output,
    atHours: hoursOf(card, use.isBatch).flatMap((hours) => {
      const then = costAt(amounts, use.requests, hours)
      return then === null || then === cost ? [] : [{ hours, cost: then }]
    }),
    ahead:
      next && aheadCost !== null && aheadCost !== cost
        ? { starts_on: next.starts_on, cost: aheadCost }
        : null,
  }
}

function totalsOf({ input, output, cached }: RequestUse, requests: string) {
  const mtok = (tokens: string) => multiplyDecimals(multiplyDecimals(tokens, requests), '0.000001')
  return { input: mtok(input), output: mtok(output), cached, requests }
}

/** Amounts that an announcement does not state stay. */
function withStated(now: Schemas['Amounts'], then: Schemas['Amounts']): Schemas['Amounts'] {
  const stated = Object.entries(then).filter(([, amount]) => amount !== null)
  return { ...now, ...Object.fromEntries(stated) }
}

/** `12,000`, `12 000` and `12_000` are one number. Null: it is no whole number, or is larger than what is asked for. */
export function readWhole(text: string, max: number): string | null {
  const digits = text.replaceAll(/[\s,_]/g, '')
  if (!/^\d{1,15}$/.test(digits) || Number(digits) > max) return null
  return String(Number(digits))
}
