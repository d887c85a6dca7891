import type { Db } from '../../database/connect.ts'
import type { ListText } from '../../database/list-text.ts'
import type { ListPosition } from '../../catalog/list-filter.ts'

/** The operations that answer with a list, each with the schema of its rows in the contract. */
export const listOperations = { listPrices: 'Price', listChanges: 'Change' } as const

export type ListOperationId = keyof typeof listOperations

/** What a list operation answers with. Its unit is taken, and its body checked, where it is read. */
export interface ListQuery {
  operation: ListOperationId
  /** Equal for requests that get the same body. */
  key: string
  /** @param db the database, or a replica of it */
  read: (db: Db) => Promise<ListText>
}

/** @param shows all that decides what the rows show */
export function listQuery(
  operation: ListOperationId,
  shows: { filter: object; position: ListPosition; access?: string },
  read: ListQuery['read'],
): ListQuery {
  // In one order, whatever the order in the request.
  const filter = Object.entries(shows.filter).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return { operation, key: `${operation} ${JSON.stringify({ ...shows, filter })}`, read }
}
