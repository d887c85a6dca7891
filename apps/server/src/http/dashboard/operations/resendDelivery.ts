import { insertAuditEntry } from '../../../features/members/audit-store.ts'
import { findDelivery } from '../../../features/webhooks/delivery-store.ts'
import * as resend from '../../../features/webhooks/resend.ts'
import { findWebhookDetails } from '../../../features/webhooks/webhook-details-store.ts'
import { deliveryBody } from '../delivery-body.ts'
import { DashboardError, notFound } from '../errors.ts'
import { actorOf } from '../member.ts'
import type { Operation } from '../operation.ts'
import { requirePatience } from '../patience.ts'

const limit = { action: 'delivery.resent', most: 30, minutes: 1 } as const

export const resendDelivery: Operation<'resendDelivery'> = async (
  { member, path },
  { db, openAlertQueue },
) => {
  const accountId = member.account.id
  const queue = await openAlertQueue()
  return db.transaction().execute(async (trx) => {
    const old = await findDelivery(trx, accountId, path.id)
    if (!old) throw notFound('delivery')
    if (!(await findWebhookDetails(trx, accountId, old.webhook_id))) {
      throw new DashboardError('conflict', {
        message: 'The webhook of this delivery is deleted, so it cannot be sent again.',
      })
    }
    await requirePatience(trx, accountId, limit)
    const { id } = await resend.resendDelivery(trx, queue, path.id)
    await insertAuditEntry(trx, {
      accountId,
      actor: actorOf(member),
      action: limit.action,
      subjectId: path.id,
      details: { new_delivery: id, webhook: old.webhook_id },
    })
    const delivery = await findDelivery(trx, accountId, id)
    if (!delivery) throw new Error('The delivery was not stored.')
    return { status: 201, body: { data: await deliveryBody(trx, delivery) } }
  })
}
