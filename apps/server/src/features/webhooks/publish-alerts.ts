import { alertsOf, alertText } from '@ratecard/contract/alert'
import type { Trx } from '../../database/connect.ts'
import { UserError } from '../../platform/user-error.ts'
import type { Queue } from '../../queue/queue.ts'
import type { ChangeInput } from '../changes/change-input.ts'
import { publishChanges } from '../changes/publish-changes.ts'
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
  const alerted = changes
    .map((change, index) => ({ ...change, id: ids[index]! }))
    .filter(({ severity }) => severity >= severityMin)
  let deliveries = 0
  for (const alert of alertsOf(alerted, publicUrl)) {
    const body = alertText(alert.event, JSON.stringify(alert.changes), new Date(0))
    const problem = check(alert.event, JSON.parse(body))
    if (problem !== null)
      throw new UserError(`Nothing was published: the alert would not be what the contract says: ${problem}.`)
    const changeIds = alert.changes.map(({ id }) => id)
    const created = await insertAlert(trx, alert.event, changeIds)
    const jobs = created.map(({ id, webhookId }) => ({
      data: { deliveryId: id, attempt: 1 },
      group: webhookId,
    }))
    await queue.enqueue(trx, 'deliver', jobs)
    deliveries += created.length
  }
  return { ids, deliveries }
}
