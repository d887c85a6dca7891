import { renameApiKey } from '../../../features/accounts/api-key-store.ts'
import { insertAuditEntry } from '../../../features/members/audit-store.ts'
import { lockKeyRecord } from '../../../features/metering/key-record-store.ts'
import { notFound } from '../errors.ts'
import { actorOf } from '../member.ts'
import type { Operation } from '../operation.ts'

export const renameKey: Operation<'renameKey'> = async ({ member, path, body: { name } }, { db }) => {
  const accountId = member.account.id
  return db.transaction().execute(async (trx) => {
    const record = await lockKeyRecord(trx, accountId, path.id)
    if (!record) throw notFound('key')
    if (record.name !== name) {
      await renameApiKey(trx, record.id, name)
      await insertAuditEntry(trx, {
        accountId,
        actor: actorOf(member),
        action: 'key.renamed',
        subjectId: record.id,
        details: { from: record.name, to: name },
      })
    }
    return { status: 200, body: { data: { ...record, name } } }
  })
}
