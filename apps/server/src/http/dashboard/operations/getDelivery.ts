import { findDelivery } from '../../../features/webhooks/delivery-store.ts'
import { deliveryBody } from '../delivery-body.ts'
import { notFound } from '../errors.ts'
import type { Operation } from '../operation.ts'

export const getDelivery: Operation<'getDelivery'> = async ({ member, path }, { db }) => {
  const delivery = await findDelivery(db, member.account.id, path.id)
  if (!delivery) throw notFound('delivery')
  return { status: 200, body: { data: await deliveryBody(db, delivery) } }
}
