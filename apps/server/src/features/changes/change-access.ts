import type { Change } from '@ratecard/contract'
import type { StoredChange } from './change-store.ts'

/** A change as a plan with this access may see it: a summary leaves out what makes the full one worth paying for. */
export function changeForAccess(stored: StoredChange, access: Change['access']): Change {
  const { source_url: _, ...change } = stored
  if (access === 'full') return { ...change, access }
  const {
    diff_before,
    diff_after,
    diff_keys,
    impact_cost,
    impact_reliability,
    impact_migration,
    impact_quality,
    impact_compliance,
    impact_notes,
    migration_deadline,
    ...summary
  } = change
  return { ...summary, alternatives: [], access }
}
