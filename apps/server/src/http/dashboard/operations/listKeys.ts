import { termsFor } from '../../../features/entitlements/plans.ts'
import { listCurrentPlans } from '../../../features/entitlements/subscription-store.ts'
import { listRevokedKeys, listWorkingKeys } from '../../../features/metering/key-record-store.ts'
import { encodeCursor } from '../../../platform/cursor.ts'
import { readListPosition } from '../../lists/list-position.ts'
import type { Operation } from '../operation.ts'

export const listKeys: Operation<'listKeys'> = async ({ member, query }, { db, plans }) => {
  const accountId = member.account.id
  const { cursor, limit } = readListPosition(query)
  const [working, revoked, current] = await Promise.all([
    listWorkingKeys(db, accountId),
    // One more tells whether there is a next page.
    listRevokedKeys(db, accountId, { cursor, limit: limit + 1 }),
    listCurrentPlans(db, accountId),
  ])
  const page = revoked.slice(0, limit)
  const last = revoked.length > limit ? page.at(-1) : undefined
  return {
    status: 200,
    body: {
      data: cursor === null ? [...working, ...page] : page,
      active: working.filter(({ state }) => state === 'active').length,
      active_max: termsFor(plans, current).keysMax,
      ...(last && {
        pagination: { next_cursor: encodeCursor({ updatedAt: last.revoked_at ?? '', id: last.id }) },
      }),
    },
  }
}
