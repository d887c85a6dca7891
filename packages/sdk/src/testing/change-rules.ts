import { isDateText, parseInstant } from '@ratecard/contract/instant'
import type { FakeChange } from './changes.ts'
import {
  buildBlank,
  checkFields,
  integer,
  isObject,
  allowOneOf,
  orNull,
  listRules,
  text,
  textOrNull,
  type Fields,
  type Rule,
} from './refusal.ts'
import type { Change } from './rows.ts'

// What a change holds, by the contract.

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

// In the order in which the service sends the fields. An empty text is always replaced.
const fields: Fields<Omit<Change, 'view_count'>> = {
  id: ['', text(256)],
  vendor: ['', text(256)],
  product: ['', text(256)],
  modality: ['llm', text(64)],
  category: ['price_cut', text(64)],
  severity: [3, integer(1, 5)],
  title: ['', text(200)],
  summary: ['', text(4_000)],
  diff_before: [null, diff],
  diff_after: [null, diff],
  diff_keys: [null, diff],
  impact_score: [0, score],
  impact_cost: [null, orNull(score)],
  impact_reliability: [null, orNull(score)],
  impact_migration: [null, orNull(score)],
  impact_quality: [null, orNull(score)],
  impact_compliance: [null, orNull(score)],
  impact_notes: [null, textOrNull],
  migration_deadline: [null, dateOrInstant],
  effective_time: [null, dateOrInstant],
  first_seen: ['', instant],
  last_seen: ['', instant],
  verified: [
    null,
    { wants: 'true, false or null', holds: (value) => value === null || typeof value === 'boolean' },
  ],
  verified_at: [null, orNull(instant)],
  status: [null, textOrNull],
  created_at: [''],
  updated_at: [''],
  alternatives: [[], { wants: 'a list', holds: Array.isArray }],
  access: ['full'],
}

export const blankChange = buildBlank(fields)
const rules = listRules(fields)

const alternativeRules: Record<string, Rule> = {
  product_id: text(),
  product_name: text(),
  vendor: text(),
  migration_effort: allowOneOf(['low', 'medium', 'high']),
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
