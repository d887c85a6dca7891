import * as actions from '../../../../features/webhooks/actions.ts'
import { getDelivery } from '../../../../features/webhooks/delivery-store.ts'
import { deliveryBody } from '../../delivery-body.ts'
import { actingOf } from '../../member.ts'
import type { Operation } from '../../operation.ts'

export const resendDelivery: Operation<'resendDelivery'> = async (
  { member, path },
  { db, openAlertQueue },
) => {
  const queue = await openAlertQueue()
  const delivery = await db.transaction().execute(async (trx) => {
    const { id } = await actions.resendDelivery(trx, actingOf(member), queue, path.id)
    return getDelivery(trx, id)
  })
  return { status: 201, body: { data: deliveryBody(delivery) } }
}
