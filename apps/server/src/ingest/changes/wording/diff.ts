import { formatCount } from '@ratecard/contract/wording'
import type { ChangeInput } from '../../../features/changes/change-input.ts'
import { amountColumns, servedColumns } from '../../../catalog/price-record.ts'
import type { Rate } from '../../../catalog/rate-card.ts'
import type { ChangeDraft, FeedCategory, MovedRow, RowState } from '../change-draft.ts'
import { movedRates, rateName } from './moves.ts'

/** The limit of each of the three texts in `changeInput`. */
const charsMax = 1_000_000

type Diff = Pick<ChangeInput, 'diff_before' | 'diff_after' | 'diff_keys'> & {
  /** What was left out because of the limits, as a sentence; null: nothing. */
  omission: string | null
}

/** A field that differs, with its value on each side as JSON. */
interface FieldDiff {
  field: string
  before: unknown
  after: unknown
}

interface RowDiff {
  resource_id: string
  fields: FieldDiff[]
  /** Each side as it is written in the text, without its comma; null: the row is not there. */
  before: string | null
  after: string | null
}

/**
 * The fields that differ, row by row. When a text would be too long, rows that do not fit are left out on both sides.
 * `diff_keys` stays complete if it can, else it names one field of each row.
 */
export function buildDiff(draft: ChangeDraft): Diff {
  const rows = draft.rows
    .map((row) => diffRow(row, draft.category))
    .filter(({ fields }) => fields.length > 0)
    .sort((a, b) => (a.resource_id < b.resource_id ? -1 : 1))
  const shown = fitting(rows)
  const allKeys = listKeys(rows)
  const keys = isTooLong(allKeys) ? shortened(rows) : allKeys

  const omissions = [
    shown.length < rows.length ? `The diff shows ${shown.length} of ${formatCount(rows.length, 'row')}.` : '',
    keys === allKeys ? '' : `Its keys name one field of each of ${formatCount(keys.length, 'row')}.`,
  ].filter((sentence) => sentence !== '')
  return {
    diff_before: objectText(shown.map(({ before }) => before)),
    diff_after: objectText(shown.map(({ after }) => after)),
    diff_keys: keys.length > 0 ? JSON.stringify(keys) : null,
    omission: omissions.length > 0 ? omissions.join(' ') : null,
  }
}

function diffRow({ resource_id, before, after }: MovedRow, category: FeedCategory): RowDiff {
  const fields = [
    ...servedColumns.map((column) => ({
      field: column,
      before: served(before, column),
      after: served(after, column),
    })),
    ...besidePrices(before, after, category),
  ].filter(
    ({ field, before: was, after: is }) => was !== is && (field !== 'resource_id' || (before && after)),
  )
  const side = (name: 'before' | 'after') =>
    `${JSON.stringify(resource_id)}:${JSON.stringify(Object.fromEntries(fields.map((field) => [field.field, field[name]])))}`
  return { resource_id, fields, before: before && side('before'), after: after && side('after') }
}

/** As the API serves it: amounts as numbers. */
function served(state: RowState | null, column: (typeof servedColumns)[number]): string | number | null {
  const value = state?.record[column] ?? null
  return value !== null && (amountColumns as readonly string[]).includes(column) ? Number(value) : value
}

/** A fact that is not served with prices is shown where it moved, and with a row that appears or disappears. */
function besidePrices(before: RowState | null, after: RowState | null, category: FeedCategory): FieldDiff[] {
  const isWhole = before === null || after === null
  const fields: FieldDiff[] = []
  const rates = movedRates(before?.rates ?? [], after?.rates ?? [])
  if (rates.length > 0 && (isWhole || category === 'tier_change')) {
    const card = (amount: (moved: (typeof rates)[number]) => string | null) =>
      Object.fromEntries(
        rates.flatMap((moved) => {
          const text = amount(moved)
          return text === null ? [] : [[rateLabel(moved.rate), Number(text)]]
        }),
      )
    fields.push({ field: 'rates', before: card(({ was }) => was), after: card(({ is }) => is) })
  }
  if (isWhole || category === 'deprecation') {
    fields.push({
      field: 'retires_on',
      before: before?.retires_on ?? null,
      after: after?.retires_on ?? null,
    })
  }
  return fields
}

function rateLabel(rate: Rate): string {
  return `${rateName(rate)} per ${rate.unit}`
}

/** The rows, in order, that fit on both sides. */
function fitting(rows: readonly RowDiff[]): RowDiff[] {
  const chars = { before: 2, after: 2 }
  return rows.filter(({ before, after }) => {
    const next = {
      before: chars.before + (before === null ? 0 : before.length + 1),
      after: chars.after + (after === null ? 0 : after.length + 1),
    }
    if (next.before > charsMax || next.after > charsMax) return false
    Object.assign(chars, next)
    return true
  })
}

function objectText(entries: readonly (string | null)[]): string | null {
  const present = entries.filter((entry) => entry !== null)
  return present.length > 0 ? `{${present.join(',')}}` : null
}

function listKeys(rows: readonly Pick<RowDiff, 'resource_id' | 'fields'>[]): string[] {
  return [
    ...new Set(
      rows.flatMap(({ resource_id, fields }) => fields.map(({ field }) => `${resource_id}#${field}`)),
    ),
  ].sort()
}

function isTooLong(keys: readonly string[]): boolean {
  return JSON.stringify(keys).length > charsMax
}

/** One key per row, and fewer rows while those are too many. */
function shortened(rows: readonly RowDiff[]): string[] {
  let keys = listKeys(rows.map(({ resource_id, fields }) => ({ resource_id, fields: fields.slice(0, 1) })))
  while (isTooLong(keys)) keys = keys.slice(0, Math.floor(keys.length / 2))
  return keys
}
