import type { Schemas } from '../../../contract/index.ts'
import { numberText } from '../prices/words.ts'
import { language } from '../../components/language.ts'

type Move = Schemas['PriceMove']

/** "price cut", of `price_cut`. */
export function inWords(name: string): string {
  return name.replaceAll('_', ' ')
}

/** One side of a move. Numbers are formatted for the viewer; null: there was no value. */
export function valueText(value: string | null): string {
  if (value === null) return '–'
  const amount = numberOf(value)
  return amount === null ? value : numberText(amount)
}

/** "−25 %", of a number that moved; null: not a number, or zero or no value on one side. */
export function moveText({ before, after }: Move): string | null {
  const was = before === null ? null : numberOf(before)
  const is = after === null ? null : numberOf(after)
  return was === null || is === null || was === 0 ? null : percentText(((is - was) / was) * 100)
}

const percent = new Intl.NumberFormat(language, {
  style: 'percent',
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
})

export function percentText(percentage: number): string {
  return percent.format(percentage / 100)
}

/** A plain number, not a date or a version. */
function numberOf(text: string): number | null {
  return /^-?\d+(\.\d+)?(e-?\d+)?$/.test(text) ? Number(text) : null
}
