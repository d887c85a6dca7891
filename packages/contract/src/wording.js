// Amounts, units, numbers and times in words: the public pages, the dashboard, mails, changes and the command line say
// the same.

import { roundDecimal } from './decimal.js'

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

/** The language of every page, and so of its numbers: elsewhere "1,103" is read as a little more than one. */
export const language = 'en-US'

/** @type {Readonly<Record<string, string>>} */
const abbreviations = { '1m': '1M', db: 'DB', dbu: 'DBU', dbus: 'DBUs', gb: 'GB', ocr: 'OCR' }

/**
 * "price cut", of `price_cut`; "1M tokens", of `1m_tokens`.
 * @param {string} name
 */
export function writeOut(name) {
  return name
    .replaceAll('_', ' ')
    .replaceAll(/\b(?:1m|dbus?|gb|ocr)\b/g, (word) => abbreviations[word] ?? word)
}

/**
 * "Price cut", of `price_cut`.
 * @param {string} name
 */
export function capitalize(name) {
  const text = writeOut(name)
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const number = new Intl.NumberFormat(language)

/**
 * "1,103"
 * @param {number} value
 */
export function formatNumber(value) {
  return number.format(value)
}

/**
 * "model" for one, "models" for others.
 * @param {number} count
 * @param {string} one
 */
export function pluralize(count, one, more = `${one}s`) {
  return count === 1 ? one : more
}

/**
 * "1 model", "3 models".
 * @param {number} count
 * @param {string} one
 * @param {string} [more]
 */
export function formatCount(count, one, more) {
  return `${formatNumber(count)} ${pluralize(count, one, more)}`
}

// A small move is not shown as none.
const percent = new Intl.NumberFormat(language, {
  maximumFractionDigits: 1,
  maximumSignificantDigits: 2,
  roundingPriority: 'morePrecision',
  signDisplay: 'exceptZero',
})

/**
 * A change: "−25 %", "+100 %".
 * @param {number} percentage
 */
export function formatPercent(percentage) {
  return `${percent.format(percentage).replace('-', '−')}\u00a0%`
}

/**
 * By how many percent a number moved; null: it is not known on both sides, or was 0.
 * @param {unknown} before
 * @param {unknown} after
 */
export function measureMove(before, after) {
  if (before == null || after == null || Number(before) === 0) return null
  const percentage = (100 * (Number(after) - Number(before))) / Number(before)
  return Number.isNaN(percentage) ? null : percentage
}

/**
 * "−25 %", of a number that moved; null: see `measureMove`.
 * @param {unknown} before
 * @param {unknown} after
 */
export function formatMove(before, after) {
  const percentage = measureMove(before, after)
  return percentage === null ? null : formatPercent(percentage)
}

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000]

/**
 * "45 s", "5 min", "47 h", "18 days". Hours are told up to two days, since "1 day" may be nearly two.
 * @param {number} ms
 */
export function formatAge(ms) {
  if (ms < minuteMs) return `${Math.floor(ms / 1_000)} s`
  if (ms < 2 * hourMs) return `${Math.floor(ms / minuteMs)} min`
  return ms < 2 * dayMs ? `${Math.floor(ms / hourMs)} h` : formatCount(Math.floor(ms / dayMs), 'day')
}

/**
 * A day by its distance from today: "in 3 days", "tomorrow", "today", "1 day ago".
 * @param {number} days
 */
export function formatDistance(days) {
  if (days < 0) return `${formatCount(-days, 'day')} ago`
  return days === 0 ? 'today' : days === 1 ? 'tomorrow' : `in ${formatCount(days, 'day')}`
}

/**
 * Whether the last day of a model is past, so that nobody sells it any more.
 * @param {string} retiresOn `YYYY-MM-DD`
 * @param {string} today `YYYY-MM-DD`, UTC
 */
export function hasRetired(retiresOn, today = new Date().toISOString().slice(0, 10)) {
  return retiresOn <= today
}

/**
 * "retires on 2026-05-25"; "retired on 2026-05-25" from that day on.
 * @param {string} retiresOn `YYYY-MM-DD`
 */
export function formatRetirement(retiresOn) {
  return `${hasRetired(retiresOn) ? 'retired' : 'retires'} on ${retiresOn}`
}

/**
 * "2026-11-30 06:00 UTC"
 * @param {string} instant
 */
export function formatInstant(instant) {
  return `${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC`
}

const amounts = {
  input_per_mtok: { name: 'Input', unit: '1m_tokens' },
  output_per_mtok: { name: 'Output', unit: '1m_tokens' },
  cached_input_per_mtok: { name: 'Cached input', unit: '1m_tokens' },
  image_per_unit: { name: 'Image', unit: 'image' },
  audio_per_min: { name: 'Audio', unit: 'minute' },
  video_per_sec: { name: 'Video', unit: 'second' },
}

/** @typedef {keyof typeof amounts} AmountField */

export const amountFields = /** @type {AmountField[]} */ (Object.keys(amounts))

/**
 * @param {string} field
 * @returns {field is AmountField}
 */
export function isAmountField(field) {
  return Object.hasOwn(amounts, field)
}

/**
 * "Input", of `input_per_mtok`.
 * @param {AmountField} field
 */
export function nameAmount(field) {
  return amounts[field].name
}

/**
 * Any field of a record: "Input", "Source link".
 * @param {string} field
 */
export function nameField(field) {
  if (isAmountField(field)) return nameAmount(field)
  return field === 'source_url' ? 'Source link' : capitalize(field)
}

/**
 * "per 1M tokens", of `input_per_mtok`.
 * @param {AmountField} field
 */
export function formatAmountUnit(field) {
  return formatUnit(amounts[field].unit)
}

/**
 * "per 1M tokens", of `1m_tokens`.
 * @param {string} unit
 */
export function formatUnit(unit) {
  return unit === 'multiplier' ? 'times' : `per ${writeOut(unit)}`
}

// A decimal is formatted as the text that it is, digit for digit.
const digits = new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 20 })

/**
 * With two decimals or more: "1.50", "0.075".
 * @param {string | number} amount
 */
export function formatDigits(amount) {
  return digits.format(/** @type {number} */ (amount))
}

/** What a source that multiplies in binary adds: less than this share of the amount, far behind its digits. */
const dustShareMax = 1e-5
const dustDigitsMin = 7

/**
 * An amount for a list to compare, without what a source's arithmetic added: 15 for 15.00002. Beside it stands the amount
 * as it is served. Anything else is returned as it is.
 * @param {number} amount
 */
export function withoutDust(amount) {
  const rounded = Number(amount.toPrecision(4))
  const isLong = String(amount).replace(/^0\.0*|\.|e.*$/g, '').length >= dustDigitsMin
  return isLong && Math.abs(rounded - amount) < dustShareMax * Math.abs(amount) ? rounded : amount
}

/**
 * How many decimals the amounts of a column have, where they stand below each other.
 * @param {readonly (string | null | undefined)[]} column
 */
export function countDecimals(column) {
  return Math.min(9, Math.max(2, ...column.map((amount) => amount?.split('.')[1]?.length ?? 0)))
}

/**
 * What stands before an amount: "$", the code of another currency; nothing where it is not known.
 * @param {string | null} currency
 */
export function formatCurrency(currency) {
  return currency === 'USD' ? '$' : currency === null ? '' : `${currency}\u00a0`
}

/** Far behind the digits of a price, what a program's division left or took: `0.700000007`, `2.99999`. */
const dust = /(?<=^[\d.]*[1-9][\d.]*)(0{3,}\d{1,2}|9{4,}\d{0,2})$/

/**
 * An amount as its seller writes it.
 * @param {string} amount a decimal
 */
export function dropDust(amount) {
  const [point, place] = [amount.indexOf('.'), amount.search(dust)]
  return point < 0 || place < point ? amount : roundDecimal(amount, place - point - 1)
}

/**
 * "$1.25", "CNY 1.25", "2.00 credits", "free", or "unknown".
 * @param {string | number | null | undefined} amount
 * @param {string | null} currency
 */
export function formatAmount(amount, currency) {
  if (amount === null || amount === undefined) return 'unknown'
  if (Number(amount) === 0) return 'free'
  const isUnit = currency !== null && !/^[A-Z]{3}$/.test(currency)
  const digits = formatDigits(dropDust(String(amount)))
  return isUnit ? `${digits} ${currency}` : formatCurrency(currency) + digits
}

/**
 * "Input $1.25, Output $10.00".
 * @param {readonly AmountField[]} fields
 * @param {Record<AmountField, string | number | null>} price
 * @param {string | null} currency
 */
export function listAmounts(fields, price, currency) {
  return fields.map((field) => `${nameAmount(field)} ${formatAmount(price[field], currency)}`).join(', ')
}

/**
 * What is not paid by the token: "$0.04 per image". Empty: nothing is.
 * @param {Record<AmountField, string | number | null> & { currency: string | null, unit: string | null, rates: number }} price
 */
export function formatOtherAmounts(price) {
  const stated = amountFields.filter((field) => price[field] !== null)
  if (stated.length > 0) {
    return stated
      .filter((field) => amounts[field].unit !== '1m_tokens')
      .map((field) => `${formatAmount(price[field], price.currency)} ${formatAmountUnit(field)}`)
      .join(', ')
  }
  const unit = price.unit === null || price.unit === '1m_tokens' ? '' : ` ${formatUnit(price.unit)}`
  return price.rates > 0
    ? `${formatCount(price.rates, 'rate')}${unit} on its rate card`
    : `no price is known${unit}`
}

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
 * "Cache write", of `cache_write_tokens`.
 * @param {string} meter
 */
export function nameMeter(meter) {
  return (Object.hasOwn(meters, meter) ? meters[meter] : undefined) ?? capitalize(meter)
}

/**
 * When a rate applies: "batch, above 200,000 input tokens".
 * @param {Pick<CardRate, 'service_tier' | 'threshold' | 'hours' | 'variant'>} rate
 */
export function formatCondition({ service_tier, threshold, hours, variant }) {
  const parts = [
    service_tier && writeOut(service_tier),
    threshold !== null && `above ${formatNumber(threshold)} input tokens`,
    hours !== null && `${hours} UTC`,
    variant === '1h' ? 'kept for 1 hour' : variant && writeOut(variant),
  ]
  return parts.filter(Boolean).join(', ') || 'standard'
}

/**
 * As people read a card: standard rates first, then by condition.
 * @template {CardRate} R
 * @param {readonly R[]} card
 * @returns {R[]}
 */
export function sortRates(card) {
  return [...card].sort((a, b) => {
    const [x, y] = [formatCondition(a), formatCondition(b)]
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
export function formatRatio(prices, { meter, unit, amount }) {
  const column = Object.hasOwn(baseColumns, meter) ? baseColumns[meter] : undefined
  const base = column === undefined ? null : prices[column]
  if (base === null || Number(base) === 0 || unit !== '1m_tokens') return ''
  return `× ${Number((Number(amount) / Number(base)).toFixed(2))}`
}

/** @type {Readonly<Record<string, string>>} */
const modalityNames = { llm: 'Text', embedding: 'Embedding', rerank: 'Reranking' }

/** @param {string | null} modality */
export function nameModality(modality) {
  if (modality === null) return 'Unknown'
  return (
    (Object.hasOwn(modalityNames, modality) ? modalityNames[modality] : undefined) ?? capitalize(modality)
  )
}

/**
 * Of which changes a webhook is told: "vendor openai or google, severity 4 or more"; null: of all.
 * @param {{ vendors?: readonly string[], products?: readonly string[], min_severity?: number }} filter
 */
export function formatFilter({ vendors = [], products = [], min_severity = 1 }) {
  const parts = [
    vendors.length > 0 && `vendor ${vendors.join(' or ')}`,
    products.length > 0 && `product ${products.join(' or ')}`,
    min_severity > 1 && (min_severity === 5 ? 'severity 5' : `severity ${min_severity} or more`),
  ]
  return parts.filter(Boolean).join(', ') || null
}
