import type { CheckedRow, RowCheck } from '../platform/row-check.ts'
import { servedColumns, type PriceRecord } from './price-record.ts'
import { isAmount } from './price-records.ts'

/** Of `updated_at` the contract requires only its form. */
const someInstant = '2000-01-01T00:00:00.000000Z'

/** The record as it may be served, by the check that answers must pass. */
export function mendRecord<R extends PriceRecord>(check: RowCheck, record: R): CheckedRow<R> {
  const stored = servedColumns.map((column) => [column, readValue(column, record[column])])
  const served = { ...Object.fromEntries(stored), updated_at: someInstant } as Record<string, unknown>
  served.effective_at ??= someInstant
  const { row, complaints } = check.mend('Price', served)
  if (row === null || complaints.length === 0) return { row: row && record, complaints }
  // Values that became null are taken over. The instant in place of a missing date is not one.
  const gone = servedColumns.filter(
    (column) => row[column] === null || (column === 'effective_at' && row[column] === someInstant),
  )
  const nothing = Object.fromEntries(gone.map((column) => [column, null]))
  return { row: { ...record, ...nothing }, complaints }
}

function readValue(column: string, value: string | null): unknown {
  return isAmount(column) && value !== null ? Number(value) : value
}
