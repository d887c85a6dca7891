import { listChanges as listStoredChanges } from '../../../../features/changes/change-store.ts'
import { readTerms } from '../../../../features/entitlements/account-terms.ts'
import { encodeCursor } from '../../../../platform/cursor.ts'
import { readListPosition } from '../../../lists/list-position.ts'
import { changeBody } from '../../change-body.ts'
import type { Operation } from '../../operation.ts'

/** Enough for an overview; the change itself has more. */
const movesMax = 5

export const listChanges: Operation<'listChanges'> = async ({ query, member }, { db, plans }) => {
  const { vendor, product, category, include_incidents, min_severity, ...position } = query
  const filter = { vendor, product, category, include_incidents, min_severity }
  const [{ rows, next }, { changeAccess }] = await Promise.all([
    listStoredChanges(db, filter, readListPosition(position)),
    readTerms(db, plans, member.account.id),
  ])
  return {
    status: 200,
    body: {
      data: rows.map((change) => changeBody(change, changeAccess, movesMax)),
      ...(next && { pagination: { next_cursor: encodeCursor(next) } }),
    },
  }
}
