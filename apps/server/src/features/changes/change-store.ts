import { sql, type RawBuilder } from 'kysely'
import type { Change, ChangeAlternative } from '@ratecard/contract'
import type { Db } from '../../database/connect.ts'
import { afterCursor, utcText, utcTextOrNull } from '../../database/keyset.ts'
import type { Cursor } from '../../platform/cursor.ts'
import type { Page } from '../prices/price-store.ts'

export interface ChangeFilter {
  vendor?: string | undefined
  product?: string | undefined
  category?: string | undefined
  includeIncidents?: boolean | undefined
  /** 1 to 5. */
  minSeverity?: number | undefined
  since?: string | undefined
}

/** A change with everything it has; `access` is decided when it is served. */
export type StoredChange = Omit<Change, 'access'> & { source_url: string | null }

/** One page in the order `updated_at`, then `id`, both descending. */
export async function listChangePage(
  db: Db,
  filter: ChangeFilter,
  { cursor, limit }: { cursor: Cursor | null; limit: number },
): Promise<Page<StoredChange>> {
  const rows = await changePageQuery(db, filter, cursor, limit).execute()
  const page = await withAlternatives(db, rows.slice(0, limit))
  const last = page.at(-1)
  return {
    rows: page,
    next: rows.length > limit && last ? { updatedAt: last.updated_at, id: last.id } : null,
  }
}

export async function findChange(db: Db, id: string): Promise<StoredChange | undefined> {
  const rows = await selectServed(db, allOf(db).where('id', '=', id)).execute()
  return (await withAlternatives(db, rows))[0]
}

/**
 * Asks for one row more than the page holds: whether it comes decides whether there is a next page.
 *
 * An index is in page order only below conditions that name one value. "Severity 3 or more" is therefore asked
 * as severity 3, 4 and 5, "incidents too" as incidents and the others: PostgreSQL merges the walks and stops at
 * the limit. It does so only when each walk says its order and limit itself.
 */
export function changePageQuery(db: Db, filter: ChangeFilter, cursor: Cursor | null, limit: number) {
  const [first, ...others] = listWalks(filter).map((walk) => walkQuery(db, filter, walk, cursor, limit))
  const matching = others.reduce((union, walk) => union.unionAll(walk), first!)
  return selectServed(db, matching)
    .orderBy('changes.updated_at', 'desc')
    .orderBy('changes.id', 'desc')
    .limit(limit + 1)
}

/** Literals and not parameters, so that the planner sees which partial index holds them. */
interface Walk {
  category: RawBuilder<boolean>
  severity: RawBuilder<boolean> | null
}

const severityMax = 5
const isIncident = sql<boolean>`category = 'incident'`
const isNoIncident = sql<boolean>`category <> 'incident'`

function listWalks({ product, category, includeIncidents, minSeverity = 1 }: ChangeFilter): Walk[] {
  // Incidents are shown to those who ask for them: by category, or by including them.
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
) {
  const { vendor, product, since } = filter
  let query = allOf(db).where(category)
  if (severity !== null) query = query.where(severity)
  if (vendor !== undefined) query = query.where('vendor', '=', vendor)
  if (product !== undefined) query = query.where('product', '=', product)
  if (since !== undefined) query = query.where('updated_at', '>=', since)
  // Says nothing new, but tells the planner how little may lie between the two.
  if (cursor && since !== undefined) query = query.where('updated_at', '<=', cursor.updatedAt)
  if (cursor) query = afterCursor(query, 'id', cursor)
  const page = query
    .orderBy('changes.updated_at', 'desc')
    .orderBy('changes.id', 'desc')
    .limit(limit + 1)
  return db.selectFrom(page.as('changes')).selectAll()
}

function allOf(db: Db) {
  return db.selectFrom('changes').selectAll()
}

/** The columns of `StoredChange` from rows of `changes`. */
function selectServed(db: Db, rows: ReturnType<typeof allOf>) {
  return db
    .selectFrom(rows.as('changes'))
    .select(['id', 'vendor', 'product', 'modality', 'category', 'severity', 'title', 'summary'])
    .select(['diff_before', 'diff_after', 'diff_keys'])
    .select(['impact_score', 'impact_cost', 'impact_reliability', 'impact_migration', 'impact_quality'])
    .select(['impact_compliance', 'impact_notes', 'migration_deadline', 'effective_time'])
    .select([utcText('first_seen').as('first_seen_text'), utcText('last_seen').as('last_seen_text')])
    .select(['verified', utcTextOrNull('verified_at').as('verified_at_text'), 'status', 'source_url'])
    .select([utcText('created_at').as('created_at_text'), utcText('updated_at').as('updated_at_text')])
}

type ChangeRow = Awaited<ReturnType<ReturnType<typeof selectServed>['execute']>>[number]

async function withAlternatives(db: Db, rows: readonly ChangeRow[]): Promise<StoredChange[]> {
  const alternatives = await listAlternatives(
    db,
    rows.map((row) => row.id),
  )
  return rows.map(
    ({ first_seen_text, last_seen_text, verified_at_text, created_at_text, updated_at_text, ...row }) => ({
      ...row,
      first_seen: first_seen_text,
      last_seen: last_seen_text,
      verified_at: verified_at_text,
      created_at: created_at_text,
      updated_at: updated_at_text,
      alternatives: alternatives.filter((alternative) => alternative.change_id === row.id),
    }),
  )
}

async function listAlternatives(db: Db, changeIds: readonly string[]): Promise<ChangeAlternative[]> {
  if (changeIds.length === 0) return []
  const rows = await db
    .selectFrom('change_alternatives')
    .select(['id', 'change_id', 'product_id', 'product_name', 'vendor', 'migration_effort'])
    .select(['cost_diff_pct', 'quality_comparison', 'notes', 'rank', utcText('created_at').as('created_at')])
    .where('change_id', '=', sql<string>`any(${changeIds})`)
    .orderBy('change_id')
    .orderBy('rank')
    .orderBy('id')
    .execute()
  // The table's own check keeps migration_effort to the three words.
  return rows as ChangeAlternative[]
}

export async function countChanges(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from changes`.execute(db)
  return rows[0]?.count ?? 0
}
