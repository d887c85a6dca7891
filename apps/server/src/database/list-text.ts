import { sql, type RawBuilder } from 'kysely'
import type { Cursor } from '../platform/cursor.ts'
import type { Db } from './connect.ts'
import { runPrepared } from './prepared.ts'

// Pages are written as JSON by PostgreSQL.

/** A page of a feed, as text. */
export interface ListText {
  /** The state of the feed that the page shows. */
  version: string
  /** The rows as JSON objects, with commas between. */
  rows: string
  /** Place of the last row when there are more. */
  next: Cursor | null
}

/** A page of a feed, as values. */
export interface Page<T> {
  rows: T[]
  next: Cursor | null
}

/**
 * Reads a page and the version it belongs to in one statement, so from one snapshot.
 * @param rows a query for up to `limit + 1` rows in page order: `id`, `updated_at` as text, and `json`, a record
 * @param canPrepare whether one plan is the best for all values in `rows`
 */
export async function readListText(
  db: Db,
  feed: 'prices' | 'changes',
  rows: RawBuilder<unknown>,
  limit: number,
  { canPrepare = false } = {},
): Promise<ListText> {
  const most = sql.lit(limit)
  const statement = sql<{
    version: string
    rows: string | null
    has_more: boolean
    last_updated_at: string
    last_id: string
  }>`
    select (select version::text from feed_versions where feed = ${feed}) as version,
      string_agg(row_to_json(listed.json)::text, ${separator}) as rows, count(*) > ${most} as has_more,
      (array_agg(listed.updated_at))[${most}] as last_updated_at, (array_agg(listed.id))[${most}] as last_id
    from (${rows}) as listed`
  const isRepeated = canPrepare && usualLimits.has(limit)
  const result = await (isRepeated ? runPrepared(db, statement) : statement.execute(db))
  const page = result.rows[0]
  if (!page?.version) throw new Error(`The feed ${feed} has no version.`)
  const { version, has_more: hasMore, last_updated_at: updatedAt, last_id: id } = page
  const listed = page.rows ?? ''
  return {
    version,
    rows: (hasMore ? listed.slice(0, listed.lastIndexOf(separator)) : listed).replaceAll(separator, ','),
    next: hasMore ? { updatedAt, id } : null,
  }
}

/**
 * Whether the best plan of a page is the same for all values. With a filter it depends on how common the value is;
 * between `since` and a cursor may lie a few rows or nearly all, and PostgreSQL would suppose few, and sort them.
 */
export function canPrepare(
  filters: readonly unknown[],
  since: string | undefined,
  cursor: Cursor | null,
): boolean {
  return filters.every((value) => value === undefined) && (since === undefined || cursor === null)
}

/** The contract's default and its maximum: a limit is part of the statement, because the plan depends on it. */
const usualLimits = new Set([100, 500])

/** Stands in no row: JSON has it in strings only, and there escaped. */
const separator = '\n'

/** The same page with its rows read. */
export function parseListText<T>({ rows, next }: ListText): Page<T> {
  return { rows: JSON.parse(`[${rows}]`) as T[], next }
}
