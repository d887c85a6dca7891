import { listChanges as listStoredChanges } from '../../../features/changes/change-store.ts'
import { termsFor } from '../../../features/entitlements/plans.ts'
import { listCurrentPlans } from '../../../features/entitlements/subscription-store.ts'
import { encodeCursor } from '../../../platform/cursor.ts'
import { readListPosition } from '../../lists/list-position.ts'
import { changeBody } from '../change-body.ts'
import type { Operation } from '../operation.ts'

/** Enough to see what it is about; the change itself tells more. */
const movesMax = 5

export const listChanges: Operation<'listChanges'> = async ({ query, member }, { db, plans }) => {
  const { vendor, product, category, include_incidents, min_severity, ...position } = query
  const filter = { vendor, product, category, include_incidents, min_severity }
  const [{ rows, next }, current] = await Promise.all([
    listStoredChanges(db, filter, readListPosition(position)),
    listCurrentPlans(db, member.account.id),
  ])
  const { changeAccess } = termsFor(plans, current)
  return {
    status: 200,
    body: {
      data: rows.map((change) => changeBody(change, changeAccess, movesMax)),
      ...(next && { pagination: { next_cursor: encodeCursor(next) } }),
    },
  }
}
