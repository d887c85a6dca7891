import { silentCategories } from '@ratecard/contract/alert'
import type { Trx } from '../../database/connect.ts'
import { UserError } from '../../platform/user-error.ts'
import type { Queue } from '../../queue/queue.ts'
import type { ChangeInput } from '../changes/change-input.ts'
import { publishChanges } from '../changes/publish-changes.ts'
import { alertBody, alertedChange, splitIntoAlerts } from './alert-body.ts'
import type { BodyCheck } from './alert-schema.ts'
import { insertAlert } from './delivery-store.ts'

export interface AlertOptions {
  queue: Pick<Queue, 'enqueue'>
  publicUrl: string
  check: BodyCheck
  /** Changes below are published without an alert. */
  severityMin?: number
}

export interface Publication {
  ids: string[]
  /** Deliveries that were queued. */
  deliveries: number
}

/**
 * Publishes changes and queues their alerts in one transaction: when the changes are visible, every delivery is
 * certain. Without `alerts` none is queued.
 */
export async function publishWithAlerts(
  trx: Trx,
  changes: readonly ChangeInput[],
  { runId = null, alerts }: { runId?: string | null; alerts: AlertOptions | null },
): Promise<Publication> {
  const ids = await publishChanges(trx, changes, { runId })
  if (!alerts) return { ids, deliveries: 0 }
  const { queue, publicUrl, check, severityMin = 1 } = alerts
  const alerted = changes.flatMap((change, index) => {
    const id = ids[index]
    const isAlerted = !silentCategories.has(change.category) && change.severity >= severityMin
    return isAlerted && id !== undefined ? [alertedChange({ ...change, id }, publicUrl)] : []
  })
  let deliveries = 0
  for (const batch of splitIntoAlerts(alerted)) {
    const problem = check(JSON.parse(alertBody(JSON.stringify(batch), new Date(0)).toString()))
    if (problem !== null)
      throw new UserError(`Nothing was published: the alert would not be what the contract says: ${problem}.`)
    const created = await insertAlert(
      trx,
      batch.map((change) => change.id),
    )
    const jobs = created.map(({ id, webhookId }) => ({
      data: { deliveryId: id, attempt: 1 },
      group: webhookId,
    }))
    await queue.enqueue(trx, 'deliver', jobs)
    deliveries += created.length
  }
  return { ids, deliveries }
}
