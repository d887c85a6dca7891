import * as input from '@ratecard/contract/input'
import type { PagePlace } from '../features/prices/price-store.ts'

// What the two lists have in common: where a page starts.

export function readPagePlace(query: { cursor?: string; limit?: number }): PagePlace {
  // The validator has put the contract's default in place.
  return {
    cursor: query.cursor === undefined ? null : input.readCursor(query.cursor),
    limit: query.limit ?? 100,
  }
}

/** `since` as UTC text with microseconds, or undefined when it is not given. */
export function readSince({ since }: { since?: string }): string | undefined {
  return since === undefined ? undefined : input.readSince(since)
}
