import type { Trx } from '../../database/connect.ts'
import type { Queue } from '../../queue/queue.ts'
import { insertResend, type NewDelivery } from './delivery-store.ts'

/** Where deliveries are put that are to be sent. */
export type AlertQueue = Pick<Queue, 'enqueue'>

/**
 * Sends the alert of a delivery to the same subscription again, as a new delivery.
 * @throws UserError when there is no such delivery, or its subscription is deleted
 */
export async function resendDelivery(trx: Trx, queue: AlertQueue, id: string): Promise<NewDelivery> {
  const delivery = await insertResend(trx, id)
  const job = { data: { deliveryId: delivery.id, attempt: 1 }, group: delivery.webhookId }
  await queue.enqueue(trx, 'deliver', [job])
  return delivery
}
