import type { Change } from '@ratecard/contract'
import type { StoredChange } from './change-store.ts'

const withheldFromSummary = [
  'diff_before',
  'diff_after',
  'diff_keys',
  'impact_cost',
  'impact_reliability',
  'impact_migration',
  'impact_quality',
  'impact_compliance',
  'impact_notes',
  'migration_deadline',
] as const satisfies (keyof Change)[]

/** A change as a plan with this access may see it: a summary leaves out what makes the full one worth paying for. */
export function changeForAccess(stored: StoredChange, access: Change['access']): Change {
  const { source_url: _, ...rest } = stored
  const change: Change = { ...rest, access }
  if (access === 'full') return change
  for (const field of withheldFromSummary) delete change[field]
  return { ...change, alternatives: [] }
}
