import type { Change } from '@ratecard/contract'

export type ChangeAccess = Change['access']

/** What makes the full change worth paying for. A summary's `alternatives` are there, but empty. */
const withheldFromSummary: ReadonlySet<string> = new Set([
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
] satisfies (keyof Change)[])

/** Whether a plan with this access may see the field of a change. */
export function isShown(field: string, access: ChangeAccess): boolean {
  return access === 'full' || !withheldFromSummary.has(field)
}
