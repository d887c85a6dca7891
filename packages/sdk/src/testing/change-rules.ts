import { isDateText, parseInstant } from '@ratecard/contract/instant'
import type { FakeChange } from './changes.ts'
import { checkFields, integer, isObject, oneOf, orNull, text, textOrNull, type Rule } from './refusal.ts'

// What a change may hold, by the contract.

/** The times that a test may give. */
export const timeNames = [
  'first_seen',
  'last_seen',
  'verified_at',
  'effective_time',
  'migration_deadline',
] as const

const score = integer(0, 100)
const diff: Rule = {
  wants: 'JSON text or null (for an object, give its JSON.stringify)',
  holds: textOrNull.holds,
}
const instant: Rule = {
  wants: 'an instant such as 2026-01-31T12:00:00Z',
  holds: (value) => typeof value === 'string' && parseInstant(value) !== null,
}
const dateOrInstant: Rule = orNull({
  wants: 'a date such as 2026-01-31, or an instant such as 2026-01-31T12:00:00Z',
  holds: (value) => typeof value === 'string' && (isDateText(value) || parseInstant(value) !== null),
})

const rules: Record<string, Rule> = {
  id: text(256),
  vendor: text(256),
  product: text(256),
  modality: text(64),
  category: text(64),
  severity: integer(1, 5),
  title: text(200),
  summary: text(4_000),
  diff_before: diff,
  diff_after: diff,
  diff_keys: diff,
  impact_score: score,
  impact_cost: orNull(score),
  impact_reliability: orNull(score),
  impact_migration: orNull(score),
  impact_quality: orNull(score),
  impact_compliance: orNull(score),
  impact_notes: textOrNull,
  migration_deadline: dateOrInstant,
  effective_time: dateOrInstant,
  first_seen: instant,
  last_seen: instant,
  verified: {
    wants: 'true, false or null',
    holds: (value) => value === null || typeof value === 'boolean',
  },
  verified_at: orNull(instant),
  status: textOrNull,
  alternatives: { wants: 'a list', holds: Array.isArray },
}

const alternativeRules: Record<string, Rule> = {
  product_id: text(),
  product_name: text(),
  vendor: text(),
  migration_effort: oneOf(['low', 'medium', 'high']),
  cost_diff_pct: orNull({ wants: 'a number', holds: Number.isFinite }),
  quality_comparison: textOrNull,
  notes: textOrNull,
  rank: integer(1, 2_147_483_647),
}

/**
 * Refuses a change that the service could not send.
 * @throws TypeError says which field, and what it may hold
 */
export function checkChange(change: FakeChange): void {
  const name: unknown = change.id ?? change.product ?? change.title
  const what = typeof name === 'string' ? `The change ${JSON.stringify(name.slice(0, 40))}` : 'The change'
  checkFields(what, change, rules)
  for (const alternative of change.alternatives ?? []) {
    const given: unknown = alternative
    if (!isObject(given)) throw new TypeError(`${what}: \`alternatives\` is a list of objects.`)
    checkFields(`${what}, in \`alternatives\``, given, alternativeRules)
  }
}
