import type { Schemas } from '@ratecard/dashboard/contract'
import type { LoggedDelivery } from '../../features/webhooks/delivery-store.ts'
import { adviceOn } from '../../features/webhooks/explain.ts'

/** A delivery as the contract has it. */
export function deliveryBody(record: LoggedDelivery): Schemas['Delivery'] {
  const { account_id: _, changes, ...delivery } = record
  return { ...delivery, change_ids: changes, advice: adviceOn(delivery.state, delivery.attempts) }
}
