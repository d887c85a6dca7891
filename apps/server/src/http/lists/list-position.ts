import type { ListPosition } from '../../features/prices/price-store.ts'
import { decodeCursor, type Cursor } from '../../platform/cursor.ts'
import { parseInstant } from '../../platform/instant.ts'
import { ApiError } from '../errors.ts'

// What the two lists have in common: where a page starts.

export function readListPosition(query: { cursor?: string; limit?: number }): ListPosition {
  // The validator has put the contract's default in place.
  return { cursor: query.cursor === undefined ? null : readCursor(query.cursor), limit: query.limit ?? 100 }
}

function readCursor(text: string): Cursor {
  const cursor = decodeCursor(text)
  if (cursor) return cursor
  throw new ApiError('invalid_request', {
    message: 'The cursor is not one of ours. Pass pagination.next_cursor of the page before, unchanged.',
  })
}

/** `since` as UTC text with microseconds, or undefined when it is not given. */
export function readSince({ since }: { since?: string }): string | undefined {
  if (since === undefined) return undefined
  const instant = parseInstant(since)
  if (instant !== null) return instant
  throw new ApiError('invalid_request', {
    message:
      'since must be an RFC 3339 time with offset on a real date, such as 2026-01-31T00:00:00Z (write "+" as %2B).',
  })
}
