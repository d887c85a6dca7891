import { findChange } from '../../../../features/changes/change-store.ts'
import { readTerms } from '../../../../features/entitlements/account-terms.ts'
import { changeBody } from '../../change-body.ts'
import { DashboardError } from '../../errors.ts'
import type { Operation } from '../../operation.ts'

/** As many as an HTML page can show. */
const movesMax = 1_000

export const getChange: Operation<'getChange'> = async ({ path, member }, { db, plans }) => {
  const [change, { changeAccess }] = await Promise.all([
    findChange(db, path.id),
    readTerms(db, plans, member.account.id),
  ])
  if (!change) throw new DashboardError('not_found', { message: 'There is no such change.' })
  return {
    status: 200,
    body: { data: changeBody(change, changeAccess, movesMax) },
  }
}
