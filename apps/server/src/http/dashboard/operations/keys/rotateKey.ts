import * as actions from '../../../../features/accounts/actions.ts'
import { getKeyRecord } from '../../../../features/metering/key-record-store.ts'
import { actingOf } from '../../member.ts'
import type { Operation } from '../../operation.ts'

export const rotateKey: Operation<'rotateKey'> = async ({ member, path, body }, { db }) =>
  db.transaction().execute(async (trx) => {
    const { id, key } = await actions.rotateKey(trx, actingOf(member), path.id, body.grace_seconds ?? 0)
    return { status: 201, body: { data: { key, record: await getKeyRecord(trx, member.account.id, id) } } }
  })
