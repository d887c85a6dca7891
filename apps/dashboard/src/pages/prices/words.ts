import { language } from '../../components/language.ts'
import type { PriceRecord } from './price-index.ts'

// How prices are worded for people.

const amounts = {
  input_per_mtok: { name: 'Input', unit: '1M tokens' },
  output_per_mtok: { name: 'Output', unit: '1M tokens' },
  cached_input_per_mtok: { name: 'Cached input', unit: '1M tokens' },
  image_per_unit: { name: 'Image', unit: 'image' },
  audio_per_min: { name: 'Audio', unit: 'minute' },
  video_per_sec: { name: 'Video', unit: 'second' },
}
type AmountField = keyof typeof amounts
export const amountFields = Object.keys(amounts) as AmountField[]

/** "Input", of `input_per_mtok`. */
export function amountName(field: AmountField): string {
  return amounts[field].name
}

/** "per 1M tokens", of `input_per_mtok`. */
export function amountUnit(field: AmountField): string {
  return `per ${amounts[field].unit}`
}

/** Any field of a record in words: "Input", "Source link". */
export function fieldName(field: string): string {
  if (isAmount(field)) return amountName(field)
  if (field === 'source_url') return 'Source link'
  const words = field.replaceAll('1m_', '1M ').replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The same with the amount's unit: "Input per 1M tokens". */
export function fieldNameWithUnit(field: string): string {
  return isAmount(field) ? `${amountName(field)} ${amountUnit(field)}` : fieldName(field)
}

export function isAmount(field: string): field is AmountField {
  return Object.hasOwn(amounts, field)
}

/** The unit of a headline price, readable: "1M tokens", of `1m_tokens`. */
export function unitName(unit: string): string {
  return unit.replace(/^1m_/, '1M ').replaceAll('_', ' ')
}

// Amounts have nine decimals at most.
const digits = { minimumFractionDigits: 2, maximumFractionDigits: 9 }
const plain = new Intl.NumberFormat(language, digits)
const byCurrency = new Map<string | null, (amount: number) => string>()

/** Null: a dash, since the amount is unknown. */
export function amountText(amount: number | null, currency: string | null): string {
  if (amount === null) return '–'
  if (amount === 0) return 'free'
  let format = byCurrency.get(currency)
  if (!format) {
    format = currencyFormat(currency)
    byCurrency.set(currency, format)
  }
  return format(amount)
}

export function numberText(amount: number): string {
  return plain.format(amount)
}

function currencyFormat(currency: string | null): (amount: number) => string {
  if (currency === null) return (amount) => plain.format(amount)
  try {
    const format = new Intl.NumberFormat(language, {
      style: 'currency',
      currency,
      currencyDisplay: 'narrowSymbol',
      ...digits,
    })
    return (amount) => format.format(amount)
  } catch {
    // A source's own unit, such as "credits".
    return (amount) => `${plain.format(amount)} ${currency}`
  }
}

/** Amounts that are not per token: "$0.04 per image", or else the unit of the record's price. */
export function otherPrices(record: PriceRecord): string {
  const texts = (['image_per_unit', 'audio_per_min', 'video_per_sec'] as const)
    .filter((field) => record[field] !== null)
    .map((field) => `${amountText(record[field], record.currency)} ${amountUnit(field)}`)
  if (texts.length > 0) return texts.join(', ')
  const hasTokens = record.input_per_mtok !== null || record.output_per_mtok !== null
  return hasTokens || record.unit === null ? '' : `per ${unitName(record.unit)}`
}
