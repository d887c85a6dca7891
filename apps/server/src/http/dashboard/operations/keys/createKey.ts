import * as actions from '../../../../features/accounts/actions.ts'
import { readTerms } from '../../../../features/entitlements/account-terms.ts'
import { getKeyRecord } from '../../../../features/metering/key-record-store.ts'
import { actingOf } from '../../member.ts'
import type { Operation } from '../../operation.ts'

export const createKey: Operation<'createKey'> = async ({ member, body: { name } }, { db, plans }) => {
  const accountId = member.account.id
  const { keysMax } = await readTerms(db, plans, accountId)
  return db.transaction().execute(async (trx) => {
    const { id, key } = await actions.createKey(trx, actingOf(member), { name, keysMax })
    return { status: 201, body: { data: { key, record: await getKeyRecord(trx, accountId, id) } } }
  })
}
