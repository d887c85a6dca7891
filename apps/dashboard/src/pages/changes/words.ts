import type { Schemas } from '../../../contract/index.ts'
import { language } from '../../components/language.ts'
import {
  amountName,
  amountText,
  fieldName,
  fieldNameWithUnit,
  isAmount,
  numberText,
} from '../prices/words.ts'

type Change = Schemas['Change']
type Move = Schemas['PriceMove']

/** "price cut", of `price_cut`. */
export function inWords(name: string): string {
  return name.replaceAll('_', ' ')
}

/** "Price cut", of `price_cut`. */
export function capital(name: string): string {
  return name.charAt(0).toUpperCase() + inWords(name.slice(1))
}

/** One side of a move. Amounts have the currency of their record; null: there was no value. */
export function valueText(value: string | null, { field, currency }: Move): string {
  if (value === null) return '–'
  const amount = numberOf(value)
  if (amount === null) return value
  return isAmount(field) ? amountText(amount, currency) : numberText(amount)
}

/** By how much a number moved, in percent; null: not a number, or zero or no value on one side. */
export function percentOf({ before, after }: Move): number | null {
  const was = before === null ? null : numberOf(before)
  const is = after === null ? null : numberOf(after)
  return was === null || is === null || was === 0 ? null : ((is - was) / was) * 100
}

/** "−25 %", of a number that moved; null: see `percentOf`. */
export function moveText(move: Move): string | null {
  const percentage = percentOf(move)
  return percentage === null ? null : percentText(percentage)
}

const percent = new Intl.NumberFormat(language, { maximumFractionDigits: 1, signDisplay: 'exceptZero' })

/** "−25 %", "+100 %". */
export function percentText(percentage: number): string {
  return `${percent.format(percentage).replace('-', '−')}\u00a0%`
}

/** The same move of one or several records. */
export interface MoveLine {
  move: Move
  name: string
  /** For who wants to know: "per 1M tokens", and of which records. */
  title: string
  records: number
}

/** The moves of a change, each said once however many records made it. */
export function moveLines({ moves }: Pick<Change, 'moves'>): MoveLine[] {
  const lines = new Map<string, MoveLine & { ids: string[] }>()
  for (const move of moves) {
    const { field, currency, before, after, resource_id } = move
    const key = JSON.stringify([field, currency, before, after])
    const known = lines.get(key)
    const ids = [...(known?.ids ?? []), resource_id]
    const name = isAmount(field) ? amountName(field) : fieldName(field)
    lines.set(key, {
      move,
      name,
      ids,
      records: ids.length,
      title: `${fieldNameWithUnit(field)}: ${ids.join(', ')}`,
    })
  }
  return [...lines.values()]
}

const month = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** "November 2026": the month in which a change became known. */
export function monthOf({ first_seen, created_at }: Pick<Change, 'first_seen' | 'created_at'>): string {
  return month.format(new Date(first_seen ?? created_at))
}

/** A plain number, not a date or a version. */
function numberOf(text: string): number | null {
  return /^-?\d+(\.\d+)?(e-?\d+)?$/.test(text) ? Number(text) : null
}
