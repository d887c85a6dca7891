import { insertAuditEntry } from '../../../features/members/audit-store.ts'
import { findWebhookRecord } from '../../../features/webhooks/webhook-details-store.ts'
import { toInstant } from '../../../platform/instant.ts'
import { notFound } from '../errors.ts'
import { actorOf } from '../member.ts'
import type { Operation } from '../operation.ts'
import { requirePatience } from '../patience.ts'
import { requireWebhooks } from '../webhook-terms.ts'

const limit = { action: 'webhook.tested', most: 10, minutes: 1 } as const

export const testWebhook: Operation<'testWebhook'> = async ({ member, path }, services) => {
  const { db, plans, clock, sendTestAlert } = services
  const accountId = member.account.id
  const webhook = await findWebhookRecord(db, accountId, path.id)
  if (!webhook) throw notFound('webhook')
  await requireWebhooks(db, plans, accountId)
  await db.transaction().execute(async (trx) => {
    await requirePatience(trx, accountId, limit)
    await insertAuditEntry(trx, {
      accountId,
      actor: actorOf(member),
      action: limit.action,
      subjectId: path.id,
    })
  })
  // Not in the transaction, which must not wait for somebody else's server.
  const startedAt = clock.now()
  const { durationMs, status, errorClass, error } = await sendTestAlert(webhook)
  return {
    status: 200,
    body: {
      data: {
        attempt: 1,
        started_at: toInstant(startedAt),
        duration_ms: durationMs,
        status,
        error_class: errorClass,
        error,
      },
    },
  }
}
