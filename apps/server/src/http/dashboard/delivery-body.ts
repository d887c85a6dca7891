import type { Schemas } from '@ratecard/dashboard/contract'
import type { Db } from '../../database/connect.ts'
import { withAttempts, type Delivery } from '../../features/webhooks/delivery-store.ts'
import { adviceOn } from '../../features/webhooks/explain.ts'

/** Deliveries as the contract has them, each with every attempt. */
export async function deliveryBodies(
  db: Db,
  deliveries: readonly Delivery[],
): Promise<Schemas['Delivery'][]> {
  const rows = await withAttempts(db, deliveries)
  return rows.map(({ account_id: _, changes, ...delivery }) => ({
    ...delivery,
    change_ids: changes,
    advice: adviceOn(delivery.state, delivery.attempts),
  }))
}

/** One delivery as the contract has it. */
export async function deliveryBody(db: Db, delivery: Delivery): Promise<Schemas['Delivery']> {
  const [body] = await deliveryBodies(db, [delivery])
  if (!body) throw new Error('A delivery was lost on the way.')
  return body
}
