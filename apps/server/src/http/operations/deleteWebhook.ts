import { insertAuditEntry } from '../../features/members/audit-store.ts'
import * as webhooks from '../../features/webhooks/webhook-store.ts'
import { ApiError } from '../errors.ts'
import type { Operation } from '../operation.ts'

export const deleteWebhook: Operation<'deleteWebhook'> = async ({ path, caller, reserveIn }, { db }) => {
  const deleted = await db.transaction().execute(async (trx) => {
    await reserveIn(trx)
    const isDeleted = await webhooks.deleteWebhook(trx, caller.accountId, path.id)
    if (isDeleted) {
      await insertAuditEntry(trx, {
        accountId: caller.accountId,
        actor: { kind: 'key', keyId: caller.keyId },
        action: 'webhook.deleted',
        subjectId: path.id,
      })
    }
    return isDeleted
  })
  // The same answer whether it belongs to somebody else or never was.
  if (!deleted)
    throw new ApiError('not_found', {
      message: 'You have no webhook with this id. GET /v1/webhooks lists those you have.',
    })
  return { status: 200, body: { success: true } }
}
