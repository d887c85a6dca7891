import { readChangeList } from '../../features/changes/change-store.ts'
import { readListPosition, readSince } from '../lists/list-position.ts'
import { listQuery } from '../lists/list-query.ts'
import type { Operation } from '../pipeline/operation.ts'

export const listChanges: Operation<'listChanges'> = ({
  query: { cursor, limit, since, ...values },
  caller,
}) => {
  const filter = { ...values, since: readSince(since) }
  const position = readListPosition({ cursor, limit })
  const access = caller.terms.changeAccess
  return Promise.resolve(
    listQuery('listChanges', { filter, position, access }, (db) =>
      readChangeList(db, filter, position, access),
    ),
  )
}
