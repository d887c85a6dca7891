import type { Schemas } from '../../../contract/index.ts'
import type { Tone } from '../../components/Badge.tsx'
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
export type AmountField = keyof typeof amounts
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

/** The same of an amount that travels as exact text. */
export function exactAmountText(amount: string | null, currency: string | null): string {
  return amountText(amount === null ? null : Number(amount), currency)
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
  if (record.input_per_mtok !== null || record.output_per_mtok !== null) return ''
  const unit = record.unit === null || record.unit === '1m_tokens' ? '' : ` per ${unitName(record.unit)}`
  return record.rates > 0 ? `By its rate card${unit}` : `No price is known${unit}`
}

/** Why a price may not be what everybody pays: before its amount. */
export const markWords: Record<NonNullable<Schemas['PriceMark']>, { text: string; title: string }> = {
  from: { text: 'from', title: 'Some requests pay more, such as long prompts. The rate card has them.' },
  off_peak: { text: 'off-peak', title: 'More at other hours of the day. The rate card has them.' },
}

interface StandingWords {
  text: string
  about: string
  tone?: Tone
}

/** What stands behind a price. */
export const standingWords: Record<NonNullable<Schemas['PriceStanding']>, StandingWords> = {
  gone: {
    text: 'no longer listed',
    about: 'No source has it any more. This is its last price.',
    tone: 'bad',
  },
  held: {
    text: 'move under review',
    about: 'A source states another price, which is not believed yet.',
    tone: 'warn',
  },
  disputed: { text: 'sources differ', about: 'A source states another amount.', tone: 'warn' },
  one_source: { text: 'one source', about: 'One source alone states this price.' },
  confirmed: {
    text: 'confirmed',
    about: 'Two or more independent sources state this price, and none denies it.',
    tone: 'good',
  },
}

/** The ones that a list warns of. */
export function isDoubtful(standing: Schemas['PriceStanding']): standing is 'gone' | 'held' | 'disputed' {
  return standing === 'gone' || standing === 'held' || standing === 'disputed'
}

/** Why a move waits, in a sentence's part. */
export const holdWords: Record<Schemas['HoldReason'], string> = {
  large: 'the move is large',
  factor: 'it looks like another unit',
  to_zero: 'it would become free',
  from_zero: 'it was free',
  swapped: 'input and output look swapped',
  vanished: 'an amount is no longer stated',
  bulk: 'many prices moved at once',
  range: 'it is out of the usual range',
  denied: 'other sources deny it',
  outlier: 'it is far from what the model costs elsewhere',
  half_row: 'only half of the prices moved',
  incoherent: 'it contradicts another amount of its row',
  copied: "it is a router's price, not the maker's",
  flood: 'more rows came at once than a list gains',
  card: 'it does not fit the rates beside it',
}

/** "2 rates" */
export function counted(count: number, one: string, more = `${one}s`): string {
  return `${new Intl.NumberFormat(language).format(count)} ${count === 1 ? one : more}`
}
