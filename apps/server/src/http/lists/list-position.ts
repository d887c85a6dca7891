import { readCursor, readSince as readInstant } from '@ratecard/contract/input'
import type { ListPosition } from '../../catalog/list-filter.ts'

export interface PositionQuery {
  cursor?: string | undefined
  limit?: number | undefined
}

/** A query of a position alone: a parameter that is new in the contract and that is not read does not compile. */
export type ExactPositionQuery<Query extends PositionQuery> = Query &
  Record<Exclude<keyof Query, keyof PositionQuery>, never>

/**
 * Where a list begins.
 * @param query what is left of the query when every filter is taken out: a parameter that is new in the contract and
 *   that the operation does not read does not compile
 */
export function readListPosition<Query extends PositionQuery>({
  cursor,
  limit,
}: ExactPositionQuery<Query>): ListPosition {
  // The validator has filled in the contract's default.
  return { cursor: cursor === undefined ? null : readCursor(cursor), limit: limit ?? 100 }
}

/** `since` as UTC text with microseconds, or undefined when it is not given. */
export const readSince = (since: string | undefined) => (since === undefined ? undefined : readInstant(since))
