/**
 * One rate of a card, as far as its words depend on it.
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

// A rate card in words, on the public pages and in the dashboard.

/** @type {Readonly<Record<string, string>>} */
const meters = {
  input_tokens: 'Input',
  output_tokens: 'Output',
  cached_input_tokens: 'Cached input',
  cache_write_tokens: 'Cache write',
  cache_storage_tokens: 'Cache storage',
  reasoning_tokens: 'Reasoning',
  price_multiplier: 'All prices',
}

/**
 * "Price cut", of `price_cut`.
 * @param {string} text
 */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1).replaceAll('_', ' ')
}

/**
 * "Cache write", of `cache_write_tokens`.
 * @param {string} meter
 */
export function meterName(meter) {
  return (Object.hasOwn(meters, meter) ? meters[meter] : undefined) ?? capital(meter)
}

/**
 * "per 1M tokens", of `1m_tokens`.
 * @param {string} unit
 */
export function unitText(unit) {
  return unit === 'multiplier' ? 'times' : `per ${unit.replace(/^1m_/, '1M ').replaceAll('_', ' ')}`
}

const number = new Intl.NumberFormat('en-US')

/**
 * When a rate applies: "batch, above 200,000 input tokens".
 * @param {Pick<CardRate, 'service_tier' | 'threshold' | 'hours' | 'variant'>} rate
 */
export function conditionText({ service_tier, threshold, hours, variant }) {
  const parts = [
    service_tier?.replaceAll('_', ' '),
    threshold !== null && `above ${number.format(threshold)} input tokens`,
    hours !== null && `${hours} UTC`,
    variant === '1h' ? 'kept for 1 hour' : variant?.replaceAll('_', ' '),
  ]
  return parts.filter(Boolean).join(', ') || 'standard'
}

/**
 * As people read a card: standard rates first, then by condition.
 * @template {CardRate} R
 * @param {readonly R[]} card
 * @returns {R[]}
 */
export function inReadingOrder(card) {
  return [...card].sort((a, b) => {
    const [x, y] = [conditionText(a), conditionText(b)]
    return x === y ? 0 : x === 'standard' ? -1 : y === 'standard' ? 1 : x < y ? -1 : 1
  })
}

/** @type {Readonly<Record<string, keyof TokenPrices>>} */
const baseColumns = {
  input_tokens: 'input_per_mtok',
  output_tokens: 'output_per_mtok',
  cached_input_tokens: 'cached_input_per_mtok',
  cache_write_tokens: 'input_per_mtok',
}

/**
 * "× 2", of the amount that the record has for the same; no text where it has none.
 * @param {TokenPrices} prices
 * @param {Pick<CardRate, 'meter' | 'unit' | 'amount'>} rate
 */
export function toStandard(prices, { meter, unit, amount }) {
  const column = Object.hasOwn(baseColumns, meter) ? baseColumns[meter] : undefined
  const base = column === undefined ? null : prices[column]
  if (base === null || Number(base) === 0 || unit !== '1m_tokens') return ''
  return `× ${Number((Number(amount) / Number(base)).toFixed(2))}`
}

/** @type {Readonly<Record<string, string>>} */
const modalityNames = { llm: 'Text', embedding: 'Embedding', ocr: 'OCR', rerank: 'Reranking' }

/** @param {string | null} modality */
export function modalityName(modality) {
  if (modality === null) return 'Unknown'
  return (Object.hasOwn(modalityNames, modality) ? modalityNames[modality] : undefined) ?? capital(modality)
}
