import { encodeCursor, type Cursor } from '../../platform/cursor.ts'
import { readListPosition, type ExactPositionQuery, type PositionQuery } from '../lists/list-position.ts'

/** A page of a list of an account. */
export interface Page<Row> {
  rows: Row[]
  isFirst: boolean
  /** Spread into the body: where the next page starts, when there is one. */
  next: { pagination?: { next_cursor: string } }
}

/**
 * Reads the page that a query asks for, and one row more, which shows whether there is a next page.
 * @param pickPosition the position of a row in the list
 */
export async function readPage<Row, Query extends PositionQuery>(
  query: ExactPositionQuery<Query>,
  read: (from: { cursor: Cursor | null; limit: number }) => Promise<Row[]>,
  pickPosition: (row: Row) => Cursor,
): Promise<Page<Row>> {
  const { cursor, limit } = readListPosition(query)
  const found = await read({ cursor, limit: limit + 1 })
  const rows = found.slice(0, limit)
  const last = found.length > limit ? rows.at(-1) : undefined
  return {
    rows,
    isFirst: cursor === null,
    next: last ? { pagination: { next_cursor: encodeCursor(pickPosition(last)) } } : {},
  }
}
