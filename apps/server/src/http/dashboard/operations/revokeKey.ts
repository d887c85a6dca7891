import { revokeApiKey } from '../../../features/accounts/api-key-store.ts'
import { insertAuditEntry } from '../../../features/members/audit-store.ts'
import { findKeyRecord, lockKeyRecord } from '../../../features/metering/key-record-store.ts'
import { notFound } from '../errors.ts'
import { actorOf } from '../member.ts'
import type { Operation } from '../operation.ts'

export const revokeKey: Operation<'revokeKey'> = async ({ member, path }, { db }) => {
  const accountId = member.account.id
  return db.transaction().execute(async (trx) => {
    const record = await lockKeyRecord(trx, accountId, path.id)
    if (!record) throw notFound('key')
    // Revoking it again changes nothing, and is no action.
    if (record.state === 'revoked') return { status: 200, body: { data: record } }
    await revokeApiKey(trx, record.id)
    await insertAuditEntry(trx, {
      accountId,
      actor: actorOf(member),
      action: 'key.revoked',
      subjectId: record.id,
      details: { name: record.name },
    })
    const revoked = await findKeyRecord(trx, accountId, record.id)
    if (!revoked) throw new Error('The key is gone.')
    return { status: 200, body: { data: revoked } }
  })
}
