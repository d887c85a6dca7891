import { KeyNotActive, rotateApiKey } from '../../../features/accounts/api-key-store.ts'
import { insertAuditEntry } from '../../../features/members/audit-store.ts'
import { findKeyRecord, lockKeyRecord } from '../../../features/metering/key-record-store.ts'
import { DashboardError, notFound } from '../errors.ts'
import { requireKeyAllowance } from '../key-terms.ts'
import { actorOf } from '../member.ts'
import type { Operation } from '../operation.ts'

export const rotateKey: Operation<'rotateKey'> = async ({ member, path, body }, { db }) => {
  const accountId = member.account.id
  const graceSeconds = body.grace_seconds ?? 0
  try {
    return await db.transaction().execute(async (trx) => {
      const old = await lockKeyRecord(trx, accountId, path.id)
      if (!old) throw notFound('key')
      if (old.state === 'active') await requireKeyAllowance(trx, accountId)
      const { id, key } = await rotateApiKey(trx, old.id, graceSeconds)
      await insertAuditEntry(trx, {
        accountId,
        actor: actorOf(member),
        action: 'key.rotated',
        subjectId: old.id,
        details: { name: old.name, new_key: id, grace_seconds: String(graceSeconds) },
      })
      const record = await findKeyRecord(trx, accountId, id)
      if (!record) throw new Error('The key was not stored.')
      return { status: 201, body: { data: { key, record } } }
    })
  } catch (error) {
    if (!(error instanceof KeyNotActive)) throw error
    throw new DashboardError('conflict', {
      message:
        'The key is revoked, or was rotated already. Create a new one, or rotate the one that took its place.',
      cause: error,
    })
  }
}
