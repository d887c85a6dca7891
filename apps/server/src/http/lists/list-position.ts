import type { ListPosition } from '../../features/prices/list-filter.ts'
import { decodeCursor, type Cursor } from '../../platform/cursor.ts'
import { parseInstant } from '../../platform/instant.ts'
import { ApiError } from '../errors.ts'

interface PositionQuery {
  cursor?: string | undefined
  limit?: number | undefined
}

/**
 * Where a list begins.
 * @param query what is left of the query when every filter is taken out: a parameter that is new in the contract and
 *   that the operation does not read does not compile
 */
export function readListPosition<Query extends PositionQuery>({
  cursor,
  limit,
}: Query & Record<Exclude<keyof Query, keyof PositionQuery>, never>): ListPosition {
  // The validator has put the contract's default in place.
  return { cursor: cursor === undefined ? null : readCursor(cursor), limit: limit ?? 100 }
}

function readCursor(text: string): Cursor {
  const cursor = decodeCursor(text)
  if (cursor) return cursor
  throw new ApiError('invalid_request', {
    message: 'The cursor is not one of ours. Pass pagination.next_cursor of the page before, unchanged.',
  })
}

/** `since` as UTC text with microseconds, or undefined when it is not given. */
export function readSince(since: string | undefined): string | undefined {
  if (since === undefined) return undefined
  const instant = parseInstant(since)
  if (instant !== null) return instant
  throw new ApiError('invalid_request', {
    message:
      'since must be an RFC 3339 time with offset on a real date, such as 2026-01-31T00:00:00Z (write "+" as %2B).',
  })
}
