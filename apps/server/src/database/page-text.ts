import { sql, type RawBuilder } from 'kysely'
import type { Cursor } from '../platform/cursor.ts'
import type { Db } from './connect.ts'

// Pages are written as JSON by PostgreSQL, to the byte as `JSON.stringify` would write them.

/** A page of a feed, as text. */
export interface PageText {
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
 */
export async function readPageText(
  db: Db,
  feed: 'prices' | 'changes',
  rows: RawBuilder<unknown>,
  limit: number,
): Promise<PageText> {
  const result = await sql<{
    version: string
    rows: string
    has_more: boolean
    last_updated_at: string
    last_id: string
  }>`
    select (select version::text from feed_versions where feed = ${feed}) as version,
      coalesce(string_agg(page.json, ',' order by page.place) filter (where page.place <= ${limit}), '') as rows,
      count(*) > ${limit} as has_more,
      max(page.updated_at) filter (where page.place = ${limit}) as last_updated_at,
      max(page.id) filter (where page.place = ${limit}) as last_id
    from (
      select row_number() over () as place, row_to_json(listed.json)::text as json, listed.updated_at, listed.id
      from (${rows}) as listed
    ) as page`.execute(db)
  const page = result.rows[0]
  if (!page?.version) throw new Error(`The feed ${feed} has no version.`)
  return {
    version: page.version,
    rows: page.rows,
    next: page.has_more ? { updatedAt: page.last_updated_at, id: page.last_id } : null,
  }
}

/** The same page with its rows read. */
export function parsePageText<T>({ rows, next }: PageText): Page<T> {
  return { rows: JSON.parse(`[${rows}]`) as T[], next }
}

/**
 * A number column as JavaScript writes it: without trailing zeros, and with an exponent where it writes one. The
 * digits are those of the column, so it must have no more than a double can tell apart.
 */
export function jsonNumber(column: string): RawBuilder<unknown> {
  const value = sql.ref(column)
  return sql`case
    when ${value} is null then null
    when ${value} = 0 then '0'::json
    when abs(${value}) >= 0.000001 and abs(${value}) < 1e21 then trim_scale(${value}::text::numeric)::text::json
    else replace(${value}::float8::text, 'e-0', 'e-')::json
  end`
}
