import { z } from 'zod'
import { isDateText, parseInstant } from '../../platform/instant.ts'
import { UserError } from '../../platform/user-error.ts'
import { webAddress } from '../../platform/web-address.ts'

// What `changes publish` accepts: the fields of a change as the interface has them, less those we assign.

const text = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    // PostgreSQL stores neither.
    .refine(
      (value) => !value.includes('\0') && value.isWellFormed(),
      'must not contain NUL or half a character',
    )
const impact = z.int().min(0).max(100)
const instant = z.string().transform((value, context) => {
  const parsed = parseInstant(value)
  if (parsed === null)
    context.addIssue({ code: 'custom', message: 'must be a time such as 2026-01-31T12:00:00Z' })
  return parsed ?? ''
})
/** A plain date stays one; a time becomes UTC with six decimals, as every time is served. */
const dateOrInstant = z.string().transform((value, context) => {
  const parsed = isDateText(value) ? value : parseInstant(value)
  if (parsed === null) {
    context.addIssue({ code: 'custom', message: 'must be a date (2026-01-31) or a time with offset' })
  }
  return parsed ?? ''
})

const optionalText = (max: number) => text(max).nullish()

const alternativeInput = z.strictObject({
  product_id: text(256),
  product_name: text(200),
  vendor: text(256),
  migration_effort: z.enum(['low', 'medium', 'high']),
  cost_diff_pct: z.number().nullish(),
  quality_comparison: optionalText(1_000),
  notes: optionalText(1_000),
  rank: z.int().min(1).max(1_000),
})

export const changeInput = z.strictObject({
  id: z
    .string()
    .regex(/^[A-Za-z0-9_.:-]{1,128}$/, 'must be 1 to 128 of A-Z a-z 0-9 _ . : -')
    .optional(),
  vendor: text(256),
  product: text(256),
  modality: text(64),
  category: text(64),
  severity: z.int().min(1).max(5),
  title: text(200),
  summary: text(4_000),
  diff_before: optionalText(1_000_000),
  diff_after: optionalText(1_000_000),
  diff_keys: optionalText(1_000_000),
  impact_score: impact,
  impact_cost: impact.nullish(),
  impact_reliability: impact.nullish(),
  impact_migration: impact.nullish(),
  impact_quality: impact.nullish(),
  impact_compliance: impact.nullish(),
  impact_notes: optionalText(4_000),
  migration_deadline: dateOrInstant.nullish(),
  effective_time: dateOrInstant.nullish(),
  first_seen: instant.optional(),
  last_seen: instant.optional(),
  verified: z.boolean().nullish(),
  verified_at: instant.nullish(),
  status: optionalText(64),
  source_url: z
    .string()
    .transform((text, context) => {
      const address = webAddress(text)
      if (address === null)
        context.addIssue({ code: 'custom', message: 'must be an http or https address without a password' })
      return address ?? ''
    })
    .nullish(),
  alternatives: z.array(alternativeInput).max(100).optional(),
})

export type ChangeInput = z.output<typeof changeInput>

/** Fields that the interface has and we assign. Named for the error message. */
const assigned = new Set(['access', 'created_at', 'updated_at', 'view_count'])

/**
 * The changes in a published file: one object or an array of them.
 * @throws UserError with a line for each bad field of each change
 */
export function parseChanges(json: unknown): ChangeInput[] {
  const items: unknown[] = Array.isArray(json) ? json : [json]
  if (items.length === 0)
    throw new UserError('The file holds no change: give one object, or an array of them.')
  const problems: string[] = []
  const changes = items.flatMap((item, index) => {
    const result = changeInput.safeParse(item)
    if (result.success) return [result.data]
    const label = Array.isArray(json) ? `change ${index + 1}` : 'change'
    problems.push(
      ...result.error.issues.flatMap((issue) => describe(issue).map((line) => `${label}: ${line}`)),
    )
    return []
  })
  const ids = changes.flatMap((change) => change.id ?? [])
  const repeated = new Set(ids.filter((id, index) => ids.indexOf(id) !== index))
  for (const id of repeated) problems.push(`id "${id}" stands in the file more than once`)
  if (problems.length > 0) throw new UserError(`Nothing was published.\n${problems.join('\n')}`)
  return changes
}

function describe(issue: z.core.$ZodIssue): string[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) =>
      assigned.has(key)
        ? `${key} is assigned when the change is published; leave it out`
        : `${key} is not a field of a change`,
    )
  }
  return [`${issue.path.join('.') || 'it'}: ${issue.message}`]
}
