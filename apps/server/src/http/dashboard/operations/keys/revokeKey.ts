import * as actions from '../../../../features/accounts/actions.ts'
import { getKeyRecord } from '../../../../features/metering/key-record-store.ts'
import { actingOf } from '../../member.ts'
import type { Operation } from '../../operation.ts'

export const revokeKey: Operation<'revokeKey'> = async ({ member, path }, { db }) =>
  db.transaction().execute(async (trx) => {
    await actions.revokeKey(trx, actingOf(member), path.id)
    return { status: 200, body: { data: await getKeyRecord(trx, member.account.id, path.id) } }
  })
