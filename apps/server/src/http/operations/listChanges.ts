import { changeForAccess } from '../../features/changes/change-access.ts'
import { listChangePage } from '../../features/changes/change-store.ts'
import type { Operation } from '../operation.ts'
import { listBody, readPagePlace, readSince } from '../page.ts'

export const listChanges: Operation<'listChanges'> = async ({ query, caller, reserve }, { db }) => {
  const filter = {
    vendor: query.vendor,
    product: query.product,
    category: query.category,
    includeIncidents: query.include_incidents,
    minSeverity: query.min_severity,
    since: readSince(query),
  }
  const { rows, next } = await listChangePage(db, filter, readPagePlace(query))
  await reserve()
  const changes = rows.map((change) => changeForAccess(change, caller.terms.changeAccess))
  return { status: 200, body: listBody({ rows: changes, next }) }
}
