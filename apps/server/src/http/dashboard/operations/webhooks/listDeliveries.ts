import * as deliveries from '../../../../features/webhooks/delivery-store.ts'
import { getWebhook } from '../../../../features/webhooks/webhook-store.ts'
import { deliveryBody } from '../../delivery-body.ts'
import type { Operation } from '../../operation.ts'
import { readPage } from '../../read-page.ts'

export const listDeliveries: Operation<'listDeliveries'> = async ({ member, query }, { db }) => {
  const accountId = member.account.id
  const { webhook_id: webhookId, state, ...position } = query
  const filter = { accountId, webhookId }
  const { rows, next } = await readPage(
    position,
    (from) => deliveries.listDeliveries(db, { ...filter, state, ...from }),
    ({ created_at, id }) => ({ updatedAt: created_at, id }),
  )
  // A deleted subscription is known by what was sent to it.
  const isEmpty = rows.length === 0 && webhookId !== undefined
  if (isEmpty && (await deliveries.listDeliveries(db, { ...filter, limit: 1 })).length === 0)
    await getWebhook(db, accountId, webhookId)
  const data = (await deliveries.withAttempts(db, rows)).map(deliveryBody)
  return { status: 200, body: { data, ...next } }
}
