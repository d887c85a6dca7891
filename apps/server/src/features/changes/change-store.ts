import { sql } from 'kysely'
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
  const rows = await selectChanges(db).where('id', '=', id).execute()
  return (await withAlternatives(db, rows))[0]
}

export function changePageQuery(db: Db, filter: ChangeFilter, cursor: Cursor | null, limit: number) {
  const { vendor, product, category, includeIncidents = false, minSeverity = 1, since } = filter
  let query = selectChanges(db)
  if (vendor !== undefined) query = query.where('vendor', '=', vendor)
  if (product !== undefined) query = query.where('product', '=', product)
  if (category !== undefined) query = query.where('category', '=', category)
  // Incidents are shown to those who ask for them: by category, or by including them.
  else if (!includeIncidents) query = query.where('category', '<>', sql.lit('incident'))
  // As a literal, so that the planner can use the short index of the threshold.
  if (minSeverity > 1) query = query.where('severity', '>=', sql.lit(minSeverity))
  if (since !== undefined) query = query.where('updated_at', '>=', since)
  if (cursor) query = afterCursor(query, 'id', cursor)
  return query
    .orderBy('changes.updated_at', 'desc')
    .orderBy('changes.id', 'desc')
    .limit(limit + 1)
}

function selectChanges(db: Db) {
  return db
    .selectFrom('changes')
    .select(['id', 'vendor', 'product', 'modality', 'category', 'severity', 'title', 'summary'])
    .select(['diff_before', 'diff_after', 'diff_keys'])
    .select(['impact_score', 'impact_cost', 'impact_reliability', 'impact_migration', 'impact_quality'])
    .select(['impact_compliance', 'impact_notes', 'migration_deadline', 'effective_time'])
    .select([utcText('first_seen').as('first_seen_text'), utcText('last_seen').as('last_seen_text')])
    .select(['verified', utcTextOrNull('verified_at').as('verified_at_text'), 'status', 'source_url'])
    .select([utcText('created_at').as('created_at_text'), utcText('updated_at').as('updated_at_text')])
}

type ChangeRow = Awaited<ReturnType<ReturnType<typeof selectChanges>['execute']>>[number]

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
