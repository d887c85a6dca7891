import type { CheckedRow, RowCheck } from '../../platform/row-check.ts'
import { servedColumns, type PriceRecord } from './price-record.ts'
import { isAmount } from './price-records.ts'

/** Of the time of writing the contract demands no more than its form. */
const someInstant = '2000-01-01T00:00:00.000000Z'

/** The record as it may be served, by the check that pages are held to. */
export function mendRecord<R extends PriceRecord>(check: RowCheck, record: R): CheckedRow<R> {
  const stored = servedColumns.map((column) => [column, valueOf(column, record[column])])
  const served = { ...Object.fromEntries(stored), updated_at: someInstant } as Record<string, unknown>
  served.effective_at ??= someInstant
  const { row, complaints } = check.mend('Price', served)
  if (row === null || complaints.length === 0) return { row: row && record, complaints }
  // What became null is; a date that is the time of writing is none.
  const gone = servedColumns.filter(
    (column) => row[column] === null || (column === 'effective_at' && row[column] === someInstant),
  )
  const nothing = Object.fromEntries(gone.map((column) => [column, null]))
  return { row: { ...record, ...nothing }, complaints }
}

function valueOf(column: string, value: string | null): unknown {
  return isAmount(column) && value !== null ? Number(value) : value
}
