import { addDecimals, compareDecimals, isZero, multiplyDecimals, subtractDecimals } from './decimal.js'

// What a use of a model costs by its prices and its rate card: the calculators of the public pages and of the dashboard.
// Only what is stated counts: no discount is assumed, and what is not known has no cost.

/**
 * One rate of a card, as far as a cost depends on it.
 * @typedef {object} CardRate
 * @property {string} meter
 * @property {string} unit
 * @property {string} amount
 * @property {string | null} service_tier
 * @property {string | null} variant
 * @property {number | null} threshold
 * @property {string | null} hours
 */

/**
 * The prices of a record for a million tokens; null: not known.
 * @typedef {object} TokenPrices
 * @property {string | null} input_per_mtok
 * @property {string | null} output_per_mtok
 * @property {string | null} cached_input_per_mtok
 */

/**
 * What is paid for a million tokens and for a request; null: not known.
 * @typedef {object} TokenRates
 * @property {string | null} input
 * @property {string | null} output
 * @property {string | null} cached
 * @property {string} request What each request costs besides; `0` where nothing is stated.
 */

/**
 * How a model is used.
 * @typedef {object} Conditions
 * @property {boolean} isBatch
 * @property {number | null} [promptTokens] Of each request: long ones may cost more. Null: not known, so none is long.
 * @property {string | null} [hours] Rates of these hours, where there are any.
 */

/**
 * How much, as decimals.
 * @typedef {object} Use
 * @property {string} input Million tokens, those from the cache included.
 * @property {string} output Million tokens.
 * @property {string} cached How much of the input is read from a cache, in percent.
 * @property {string} [requests] How many requests.
 */

/**
 * The rates that a use pays.
 * @param {TokenPrices} prices
 * @param {readonly CardRate[]} card
 * @param {Conditions} conditions
 * @returns {TokenRates}
 */
export function tokenRates(prices, card, { isBatch, promptTokens = null, hours = null }) {
  const own = isBatch ? 'batch' : null
  /** @type {(meter: string, unit: string, standard: string | null, tier?: string | null) => string | null} */
  const rateOf = (meter, unit, standard, tier = own) => {
    const stated = card.filter(
      (rate) =>
        rate.meter === meter &&
        rate.unit === unit &&
        rate.service_tier === tier &&
        rate.variant === null &&
        (rate.hours === null || rate.hours === hours) &&
        (rate.threshold === null || (promptTokens !== null && promptTokens > rate.threshold)),
    )
    // The highest threshold that is passed holds for the whole request; the rate of an hour is the more special one.
    const [best] = stated.sort(
      (a, b) =>
        (b.threshold ?? -1) - (a.threshold ?? -1) || Number(b.hours !== null) - Number(a.hours !== null),
    )
    return best?.amount ?? standard
  }
  const standard = isBatch
    ? { input: null, output: null, cached: null }
    : {
        input: prices.input_per_mtok,
        output: prices.output_per_mtok,
        cached: prices.cached_input_per_mtok,
      }
  return {
    input: rateOf('input_tokens', '1m_tokens', standard.input),
    output: rateOf('output_tokens', '1m_tokens', standard.output),
    cached: rateOf('cached_input_tokens', '1m_tokens', standard.cached),
    request: rateOf('requests', 'request', rateOf('requests', 'request', '0', null)) ?? '0',
  }
}

/**
 * What a use costs, exactly; null: a rate that it needs is not known.
 * @param {TokenRates} rates
 * @param {Use} use
 * @returns {string | null}
 */
export function costOf(rates, { input, output, cached, requests = '0' }) {
  const fromCache = multiplyDecimals(multiplyDecimals(input, cached), '0.01')
  /** @type {[string, string | null][]} */
  const parts = [
    [subtractDecimals(input, fromCache), rates.input],
    [fromCache, rates.cached],
    [output, rates.output],
    [requests, rates.request],
  ]
  let sum = '0'
  for (const [count, rate] of parts) {
    if (isZero(count)) continue
    if (rate === null) return null
    sum = addDecimals(sum, multiplyDecimals(count, rate))
  }
  return sum
}

/**
 * The hours of the day that have rates of their own for a use, each once.
 * @param {readonly CardRate[]} card
 * @param {boolean} isBatch
 */
export function hoursOf(card, isBatch) {
  const tier = isBatch ? 'batch' : null
  const hours = card.flatMap((rate) =>
    rate.hours !== null && rate.service_tier === tier && rate.variant === null ? [rate.hours] : [],
  )
  return [...new Set(hours)].sort()
}

/**
 * Cheapest first; what is not known comes last.
 * @param {string | null} a
 * @param {string | null} b
 */
export function compareCosts(a, b) {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return compareDecimals(a, b)
}
