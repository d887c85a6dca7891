import { sql, type RawBuilder } from 'kysely'
import type { Change, ChangeAlternative } from '@ratecard/contract'
import type { Db } from '../../database/connect.ts'
import { afterCursor, utcText, utcTextOrNull } from '../../database/keyset.ts'
import { parseListText, readListText, type ListRows, type ListText } from '../../database/list-text.ts'
import type { DB } from '../../database/generated/tables.ts'
import type { Cursor } from '../../platform/cursor.ts'
import {
  canPrepare,
  filterConditions,
  type FilterOf,
  type FilterRules,
  type ListPosition,
} from '../../catalog/list-filter.ts'
import { isShown, type ChangeAccess } from './change-access.ts'

/** Filters of `GET /v1/changes`. */
export type ChangeFilter = FilterOf<'listChanges'>

// Each lowest severity makes another statement: prepared, a connection would keep too many of them.
const filterRules: FilterRules<ChangeFilter, keyof DB['changes']> = {
  vendor: { equals: 'vendor' },
  product: { equals: 'product' },
  category: { own: 'planned by value' },
  min_severity: { own: 'planned by value' },
  include_incidents: { own: 'planned for all values' },
}

/** A change with everything it has; `access` is decided when it is served. */
export type StoredChange = Omit<Change, 'access'> & { source_url: string | null }

/**
 * Changes in the order `updated_at`, then `id`, both descending.
 * @param variants products whose changes count as those of the product
 * @param without categories that are left out
 */
export async function listChanges(
  db: Db,
  filter: ChangeFilter,
  { cursor, limit, ...options }: ListPosition & ChangeListOptions,
): Promise<ListRows<StoredChange>> {
  const changes = changeListQuery(db, filter, cursor, limit, options)
  return parseListText(await readListText(db, 'changes', listed(changes, storedFields), limit))
}

/** Categories that tell nothing of the market: corrections are shown where they are asked for. */
export const noNews = ['correction', 'metadata']

interface ChangeListOptions {
  variants?: readonly string[]
  without?: readonly string[]
}

/** The same as a plan with this access may see it. */
export function readChangeList(
  db: Db,
  filter: ChangeFilter,
  { cursor, limit }: ListPosition,
  access: ChangeAccess,
): Promise<ListText> {
  const changes = changeListQuery(db, filter, cursor, limit)
  const rows = listed(changes, fieldsFor(access))
  return readListText(db, 'changes', rows, limit, { canPrepare: canPrepareChangeList(filter, cursor) })
}

export function canPrepareChangeList(filter: ChangeFilter, cursor: Cursor | null): boolean {
  return canPrepare(filterRules, filter, cursor)
}

export async function findChange(db: Db, id: string): Promise<StoredChange | undefined> {
  const changes = selectServed(db, selectChanges(db).where('id', '=', id))
  return parseListText<StoredChange>(await readListText(db, 'changes', listed(changes, storedFields), 1))
    .rows[0]
}

/**
 * The changes of some days, the most severe first: by the day since which they hold, else on which they were first seen.
 * Incidents are passed, as lists pass them.
 * @param from the first day, `YYYY-MM-DD`
 * @param to the day after the last
 */
export async function listChangesOfDays(
  db: Db,
  { from, to, limit }: { from: string; to: string; limit: number },
): Promise<StoredChange[]> {
  const day = sql<string>`left(coalesce(effective_time, (first_seen at time zone 'UTC')::text), 10)`
  const found = selectChanges(db).where(isNoIncident).where(day, '>=', from).where(day, '<', to)
  const changes = selectServed(db, found)
    .orderBy('changes.severity', 'desc')
    .orderBy('changes.first_seen', 'desc')
    .orderBy('changes.id')
    .limit(limit)
  return parseListText<StoredChange>(await readListText(db, 'changes', listed(changes, storedFields), limit))
    .rows
}

/**
 * Asks for one row more than the list shows: whether it comes decides whether there are more.
 *
 * An index is in the order of the list only below conditions that name one value. "Severity 3 or more" is therefore asked
 * as severity 3, 4 and 5, "incidents too" as incidents and the others: PostgreSQL merges the walks and stops at
 * the limit. It does so only when each walk says its order and limit itself. Several products are asked for alike.
 */
export function changeListQuery(
  db: Db,
  filter: ChangeFilter,
  cursor: Cursor | null,
  limit: number,
  { variants = [], without = [] }: ChangeListOptions = {},
) {
  const [first, ...others] = [filter.product, ...variants].flatMap((product) =>
    listWalks(filter).map((walk) => walkQuery(db, { ...filter, product }, walk, cursor, limit, without)),
  )
  const matching = others.reduce((union, walk) => union.unionAll(walk), first!)
  return selectServed(db, matching)
    .orderBy('changes.updated_at', 'desc')
    .orderBy('changes.id', 'desc')
    .limit(sql.lit(limit + 1))
}

/** Literals and not parameters: the planner must see which partial index holds them. */
interface Walk {
  category: RawBuilder<boolean>
  severity: RawBuilder<boolean> | null
}

const severityMax = 5
const isIncident = sql<boolean>`category = 'incident'`
const isNoIncident = sql<boolean>`category <> 'incident'`

function listWalks({
  product,
  category,
  include_incidents: includeIncidents,
  min_severity: minSeverity = 1,
}: ChangeFilter): Walk[] {
  // Incidents are shown on request: by category, or by including them.
  let categories = includeIncidents ? [isNoIncident, isIncident] : [isNoIncident]
  if (category !== undefined) {
    categories = [category === 'incident' ? isIncident : sql<boolean>`category = ${category}`]
  }
  let severities: Walk['severity'][] = [null]
  if (minSeverity > 1 && product !== undefined) {
    // A product's few rows are walked once.
    severities = [sql<boolean>`severity >= ${sql.lit(minSeverity)}`]
  } else if (minSeverity > 1) {
    severities = Array.from(
      { length: severityMax - minSeverity + 1 },
      (_, index) => sql<boolean>`severity = ${sql.lit(minSeverity + index)}`,
    )
  }
  return categories.flatMap((category) => severities.map((severity) => ({ category, severity })))
}

function walkQuery(
  db: Db,
  filter: ChangeFilter,
  { category, severity }: Walk,
  cursor: Cursor | null,
  limit: number,
  without: readonly string[],
) {
  let query = selectChanges(db).where(category)
  if (without.length > 0) query = query.where('category', 'not in', without)
  if (severity !== null) query = query.where(severity)
  for (const condition of filterConditions(filterRules, filter, cursor)) query = query.where(condition)
  if (cursor) query = afterCursor(query, 'id', cursor)
  const walk = query
    .orderBy('changes.updated_at', 'desc')
    .orderBy('changes.id', 'desc')
    .limit(sql.lit(limit + 1))
  return db.selectFrom(walk.as('changes')).selectAll()
}

function selectChanges(db: Db) {
  return db.selectFrom('changes').selectAll()
}

/** The columns of `StoredChange` from rows of `changes`. */
function selectServed(db: Db, rows: ReturnType<typeof selectChanges>) {
  return db
    .selectFrom(rows.as('changes'))
    .select(['id', 'updated_at', 'vendor', 'product', 'modality', 'category', 'severity', 'title', 'summary'])
    .select(['diff_before', 'diff_after', 'diff_keys'])
    .select(['impact_score', 'impact_cost', 'impact_reliability', 'impact_migration', 'impact_quality'])
    .select(['impact_compliance', 'impact_notes', 'migration_deadline', 'effective_time'])
    .select([utcText('first_seen').as('first_seen_text'), utcText('last_seen').as('last_seen_text')])
    .select(['verified', utcTextOrNull('verified_at').as('verified_at_text'), 'status', 'source_url'])
    .select([utcText('created_at').as('created_at_text'), utcText('updated_at').as('updated_at_text')])
}

type Fields<T> = Record<keyof T, RawBuilder<unknown>>

const column = (name: string) => sql.ref(name)

/**
 * A column of floating-point numbers as JavaScript writes them: without trailing zeros, and with an exponent where it
 * writes one.
 */
function jsonNumber(column: string): RawBuilder<unknown> {
  const value = sql.ref(column)
  return sql`case
    when ${value} is null then null
    when ${value} = 0 then '0'::json
    when abs(${value}) >= 0.000001 and abs(${value}) < 1e21 then trim_scale(${value}::text::numeric)::text::json
    else replace(${value}::text, 'e-0', 'e-')::json
  end`
}

/** Each field of an alternative in the order of the contract. */
const alternativeFields: Fields<Required<ChangeAlternative>> = {
  id: column('id'),
  change_id: column('change_id'),
  product_id: column('product_id'),
  product_name: column('product_name'),
  vendor: column('vendor'),
  migration_effort: column('migration_effort'),
  cost_diff_pct: jsonNumber('cost_diff_pct'),
  quality_comparison: column('quality_comparison'),
  notes: column('notes'),
  rank: column('rank'),
  created_at: utcText('created_at'),
}

const alternatives = sql`(
  select ('[' || coalesce(string_agg(row_to_json(served)::text, ',' order by served.rank, served.id), '') || ']')::json
  from (
    select ${sql.join(named(alternativeFields))} from change_alternatives where change_id = change.id
  ) as served
)`

/** Each field of a change in the order of the contract, from the columns of `selectServed`. */
const changeFields: Fields<Required<Omit<Change, 'access' | 'view_count'>>> = {
  id: column('id'),
  vendor: column('vendor'),
  product: column('product'),
  modality: column('modality'),
  category: column('category'),
  severity: column('severity'),
  title: column('title'),
  summary: column('summary'),
  diff_before: column('diff_before'),
  diff_after: column('diff_after'),
  diff_keys: column('diff_keys'),
  impact_score: column('impact_score'),
  impact_cost: column('impact_cost'),
  impact_reliability: column('impact_reliability'),
  impact_migration: column('impact_migration'),
  impact_quality: column('impact_quality'),
  impact_compliance: column('impact_compliance'),
  impact_notes: column('impact_notes'),
  migration_deadline: column('migration_deadline'),
  effective_time: column('effective_time'),
  first_seen: column('first_seen_text'),
  last_seen: column('last_seen_text'),
  verified: column('verified'),
  verified_at: column('verified_at_text'),
  status: column('status'),
  created_at: column('created_at_text'),
  updated_at: column('updated_at_text'),
  alternatives,
}

// It is a link on public HTML pages: only a web address is shown, whatever was stored.
const webAddress = sql`case when ${column('source_url')} ~* '^https?://' then ${column('source_url')} end`
const storedFields = { ...changeFields, source_url: webAddress }

function fieldsFor(access: ChangeAccess): Record<string, RawBuilder<unknown>> {
  const fields = Object.entries(changeFields).filter(([name]) => isShown(name, access))
  return {
    ...Object.fromEntries(fields),
    ...(access === 'summary' && { alternatives: sql`'[]'::json` }),
    access: sql`${sql.lit(access)}::text`,
  }
}

/** The rows of `selectServed`, as `readListText` wants them. */
function listed(changes: ReturnType<typeof selectServed>, fields: Record<string, RawBuilder<unknown>>) {
  return sql`
    select row_to_json(record)::text as json, change.id, change.updated_at
    from ${changes} as change, lateral (select ${sql.join(named(fields))}) as record`
}

function named(fields: Record<string, RawBuilder<unknown>>): RawBuilder<unknown>[] {
  return Object.entries(fields).map(([name, value]) => sql`${value} as ${sql.ref(name)}`)
}

export async function countChanges(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from changes`.execute(db)
  return rows[0]?.count ?? 0
}
