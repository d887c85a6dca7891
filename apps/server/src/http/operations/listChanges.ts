import { readChangeList } from '../../features/changes/change-store.ts'
import type { Operation } from '../operation.ts'
import { readListPosition, readSince } from '../lists/list-position.ts'

export const listChanges: Operation<'listChanges'> = ({ query, caller }) => {
  const filter = {
    vendor: query.vendor,
    product: query.product,
    category: query.category,
    includeIncidents: query.include_incidents,
    minSeverity: query.min_severity,
    since: readSince(query),
  }
  const place = readListPosition(query)
  const access = caller.terms.changeAccess
  return Promise.resolve({
    page: { shows: [filter, place, access], read: (db) => readChangeList(db, filter, place, access) },
  })
}
