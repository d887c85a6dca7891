import type { Schemas } from '@ratecard/dashboard/contract'
import * as actions from '../../../features/webhooks/actions.ts'
import * as deliveries from '../../../features/webhooks/delivery-store.ts'
import { adviceOn } from '../../../features/webhooks/explain.ts'
import { getWebhook } from '../../../features/webhooks/webhook-store.ts'
import { actingOf } from '../member.ts'
import type { Operation } from '../operation.ts'
import { readPage } from '../read-page.ts'

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

export const getDelivery: Operation<'getDelivery'> = async ({ member, path }, { db }) => {
  const delivery = await deliveries.getDelivery(db, path.id, member.account.id)
  return { status: 200, body: { data: deliveryBody(delivery) } }
}

export const resendDelivery: Operation<'resendDelivery'> = async (
  { member, path },
  { db, openAlertQueue },
) => {
  const queue = await openAlertQueue()
  const delivery = await db.transaction().execute(async (trx) => {
    const { id } = await actions.resendDelivery(trx, actingOf(member), queue, path.id)
    return deliveries.getDelivery(trx, id)
  })
  return { status: 201, body: { data: deliveryBody(delivery) } }
}

/** A delivery as the contract has it. */
function deliveryBody(record: deliveries.LoggedDelivery): Schemas['Delivery'] {
  const { account_id: _, changes, ...delivery } = record
  return { ...delivery, change_ids: changes, advice: adviceOn(delivery.state, delivery.attempts) }
}
