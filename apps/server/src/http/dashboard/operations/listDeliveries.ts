import { listDeliveries as readDeliveries } from '../../../features/webhooks/delivery-store.ts'
import { findWebhookDetails } from '../../../features/webhooks/webhook-details-store.ts'
import { encodeCursor } from '../../../platform/cursor.ts'
import { readListPosition } from '../../lists/list-position.ts'
import { deliveryBodies } from '../delivery-body.ts'
import { notFound } from '../errors.ts'
import type { Operation } from '../operation.ts'

export const listDeliveries: Operation<'listDeliveries'> = async ({ member, query }, { db }) => {
  const accountId = member.account.id
  const { webhook_id: webhookId, state, ...position } = query
  const { cursor, limit } = readListPosition(position)
  const filter = { accountId, webhookId }
  const after = cursor ? { createdAt: cursor.updatedAt, id: cursor.id } : undefined
  const rows = await readDeliveries(db, { ...filter, state, after, limit: limit + 1 })
  if (rows.length === 0 && webhookId !== undefined) {
    // A deleted subscription is known by what was sent to it.
    const isKnown =
      (await findWebhookDetails(db, accountId, webhookId)) !== undefined ||
      (await readDeliveries(db, { ...filter, limit: 1 })).length > 0
    if (!isKnown) throw notFound('webhook')
  }
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return {
    status: 200,
    body: {
      data: await deliveryBodies(db, page),
      ...(last && {
        pagination: { next_cursor: encodeCursor({ updatedAt: last.created_at, id: last.id }) },
      }),
    },
  }
}
