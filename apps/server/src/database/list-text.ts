import { sql, type Expression } from 'kysely'
import type { Cursor } from '../platform/cursor.ts'
import type { Db } from './connect.ts'
import { utcText } from './keyset.ts'
import { runPrepared } from './prepared.ts'

// PostgreSQL makes the JSON of lists.

/** A part of a list, as text. */
export interface ListText {
  /** The state of the list that the rows show. */
  version: string
  /** The rows as JSON objects. */
  rows: string[]
  /** Position of the last row when there are more. */
  next: Cursor | null
}

/** A part of a list, as values. */
export interface ListRows<T> {
  rows: T[]
  next: Cursor | null
}

/**
 * Reads rows and the version they belong to in one statement, so from one snapshot.
 * @param rows a query for up to `limit + 1` rows in the list's order: `id`, `updated_at`, and `json`, a record as text
 * @param canPrepare whether one query plan is the best for all values in `rows`
 */
export async function readListText(
  db: Db,
  list: 'prices' | 'changes',
  rows: Expression<unknown>,
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
    select (select version::text from list_versions where list = ${list}) as version,
      array_to_string((array_agg(listed.json))[:${most}], chr(10)) as rows,
      count(*) > ${most} as has_more,
      ${utcText(sql`(array_agg(listed.updated_at))[${most}]`)} as last_updated_at,
      (array_agg(listed.id))[${most}] as last_id
    from (${rows}) as listed`
  const isRepeated = canPrepare && usualLimits.has(limit)
  const result = await (isRepeated ? runPrepared(db, statement) : statement.execute(db))
  const row = result.rows[0]
  if (!row?.version) throw new Error(`The list ${list} has no version.`)
  const { version, has_more: hasMore, last_updated_at: updatedAt, last_id: id } = row
  // No JSON that PostgreSQL makes has a line break in it.
  const texts = row.rows?.split('\n') ?? []
  return { version, rows: texts, next: hasMore ? { updatedAt, id } : null }
}

/** The contract's default and its maximum: a limit is part of the statement, because the query plan depends on it. */
const usualLimits = new Set([100, 500])

/** The same with its rows parsed. */
export function parseListText<T>({ rows, next }: ListText): ListRows<T> {
  return { rows: JSON.parse(`[${rows.join(',')}]`) as T[], next }
}
