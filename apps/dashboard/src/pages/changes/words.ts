import { formatAmount, formatDigits, isAmountField, language, nameField } from '@ratecard/contract/wording'
import type { Schemas } from '../../../contract/index.ts'
import { fieldNameWithUnit } from '../prices/words.ts'

type Change = Schemas['Change']
type Move = Schemas['PriceMove']

/** One side of a move. Amounts have the currency of their record; null: there was no value. */
export function valueText(value: string | null, { field, currency }: Move): string {
  if (value === null) return '–'
  if (parseAmount(value) === null) return value
  return isAmountField(field) ? formatAmount(value, currency) : formatDigits(value)
}

/** The same move of one or several records. */
export interface MoveLine {
  move: Move
  name: string
  /** For who wants to know: "per 1M tokens", and of which records. */
  title: string
  records: number
}

/** The moves of a change, each said once however many records made it. Another source link is none. */
export function moveLines({ moves }: Pick<Change, 'moves'>): MoveLine[] {
  const groups = Map.groupBy(
    moves.filter(({ field }) => field !== 'source_url'),
    ({ field, currency, before, after }) => JSON.stringify([field, currency, before, after]),
  )
  return [...groups.values()].map((same) => {
    const { field } = same[0]!
    const title = `${fieldNameWithUnit(field)}: ${same.map(({ resource_id }) => resource_id).join(', ')}`
    return { move: same[0]!, name: nameField(field), title, records: same.length }
  })
}

const month = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** "November 2026": the month in which a change became known. */
export function formatMonth({ first_seen, created_at }: Pick<Change, 'first_seen' | 'created_at'>): string {
  return month.format(new Date(first_seen ?? created_at))
}

/** A plain number, not a date or a version. */
function parseAmount(text: string): number | null {
  return /^-?\d+(\.\d+)?(e-?\d+)?$/.test(text) ? Number(text) : null
}
