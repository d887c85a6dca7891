import type { CheckedRow, RowCheck } from '../../platform/row-check.ts'
import type { ChangeInput } from './change-input.ts'

/** What is assigned when a change is published. Of it the contract demands no more than its form. */
const id = 'assigned'
const created_at = '2000-01-01T00:00:00.000000Z'

/** The change as it may be served, by the check of the lists. */
export function mendChange(check: RowCheck, change: ChangeInput): CheckedRow<ChangeInput> {
  const { source_url, alternatives = [], ...fields } = change
  const served = {
    first_seen: created_at,
    last_seen: created_at,
    ...fields,
    id: change.id ?? id,
    created_at,
    updated_at: created_at,
    access: 'full',
    alternatives: alternatives.map((alternative, index) => ({
      ...alternative,
      id: String(index),
      change_id: id,
      created_at,
    })),
  }
  const { row, complaints } = check.mend('Change', served)
  if (row === null || complaints.length === 0) return { row: row && change, complaints }
  const kept = Object.fromEntries(
    Object.keys(fields).map((name) => [name, row[name as keyof typeof row]]),
  ) as typeof fields
  const indexes = new Set(row.alternatives.map((alternative) => alternative.id))
  const shown = alternatives.filter((_, index) => indexes.has(String(index)))
  return {
    row: { ...kept, ...(source_url !== undefined && { source_url }), alternatives: shown },
    complaints,
  }
}
