import { insertAuditEntry } from '../../../features/members/audit-store.ts'
import { findWebhookDetails } from '../../../features/webhooks/webhook-details-store.ts'
import * as store from '../../../features/webhooks/webhook-store.ts'
import { notFound } from '../errors.ts'
import { actorOf } from '../member.ts'
import type { Operation } from '../operation.ts'

export const deleteWebhook: Operation<'deleteWebhook'> = async ({ member, path }, { db }) => {
  const accountId = member.account.id
  await db.transaction().execute(async (trx) => {
    const webhook = await findWebhookDetails(trx, accountId, path.id)
    if (!webhook || !(await store.deleteWebhook(trx, accountId, path.id))) throw notFound('webhook')
    await insertAuditEntry(trx, {
      accountId,
      actor: actorOf(member),
      action: 'webhook.deleted',
      subjectId: path.id,
      details: { host: new URL(webhook.url).host },
    })
  })
  return { status: 200, body: { success: true } }
}
