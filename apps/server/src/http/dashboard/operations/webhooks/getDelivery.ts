import * as deliveries from '../../../../features/webhooks/delivery-store.ts'
import { deliveryBody } from '../../delivery-body.ts'
import type { Operation } from '../../operation.ts'

export const getDelivery: Operation<'getDelivery'> = async ({ member, path }, { db }) => {
  const delivery = await deliveries.getDelivery(db, path.id, member.account.id)
  return { status: 200, body: { data: deliveryBody(delivery) } }
}
