import { readTerms } from '../../../../features/entitlements/account-terms.ts'
import { listRevokedKeys, listWorkingKeys } from '../../../../features/metering/key-record-store.ts'
import type { Operation } from '../../operation.ts'
import { readPage } from '../../read-page.ts'

export const listKeys: Operation<'listKeys'> = async ({ member, query }, { db, plans }) => {
  const accountId = member.account.id
  const [working, revoked, { keysMax }] = await Promise.all([
    listWorkingKeys(db, accountId),
    readPage(
      query,
      (from) => listRevokedKeys(db, accountId, from),
      ({ revoked_at, id }) => ({ updatedAt: revoked_at ?? '', id }),
    ),
    readTerms(db, plans, accountId),
  ])
  return {
    status: 200,
    body: {
      data: revoked.isFirst ? [...working, ...revoked.rows] : revoked.rows,
      active: working.filter(({ state }) => state === 'active').length,
      active_max: keysMax,
      ...revoked.next,
    },
  }
}
