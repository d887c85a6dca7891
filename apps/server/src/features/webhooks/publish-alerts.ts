import type { AlertEvent } from '@ratecard/contract'
import { alertsOf, alertText, splitIntoAlerts } from '@ratecard/contract/alert'
import type { Trx } from '../../database/connect.ts'
import { UserError } from '../../platform/user-error.ts'
import type { Queue } from '../../queue/queue.ts'
import type { ChangeInput } from '../changes/change-input.ts'
import { publishChanges } from '../changes/publish-changes.ts'
import type { BodyCheck } from './alert-schema.ts'
import { insertAlerts, readTargets, type NewAlert } from './delivery-store.ts'
import { audiencesOf } from './filter.ts'

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

type ToldAlerts = ReturnType<typeof alertsOf>

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
  const whole = alertsOf(alerted, publicUrl)
  requireGoodBodies(whole, check)
  let deliveries = 0
  for (const [event, ofEvent] of Map.groupBy(whole, (alert) => alert.event)) {
    const created = await insertAlerts(trx, await narrowed(trx, event, ofEvent), { event, publicUrl })
    const jobs = created.map(({ id, webhookId }) => ({
      data: { deliveryId: id, attempt: 1 },
      group: webhookId,
    }))
    await queue.enqueue(trx, 'deliver', jobs)
    deliveries += created.length
  }
  return { ids, deliveries }
}

/** What fits with all changes fits with some of them: the alerts of filtered subscriptions need no check of their own. */
function requireGoodBodies(alerts: ToldAlerts, check: BodyCheck): void {
  for (const { event, changes } of alerts) {
    const problem = check(event, JSON.parse(alertText(event, JSON.stringify(changes), new Date(0))))
    if (problem !== null)
      throw new UserError(`Nothing was published: the alert would not be what the contract says: ${problem}.`)
  }
}

/**
 * The alerts of an event for each set of changes that some subscription is told of. Filtered first and split then: few
 * changes out of many are one delivery. Filters count as they stand now.
 */
async function narrowed(trx: Trx, event: AlertEvent, whole: ToldAlerts): Promise<NewAlert[]> {
  const told = whole.flatMap(({ changes }) => changes)
  const audiences = audiencesOf(await readTargets(trx, event), told)
  return audiences.flatMap(({ places, targets }) => {
    const all = places.length === told.length
    const split = all
      ? whole.map(({ changes }) => changes)
      : splitIntoAlerts(places.map((place) => told[place]!))
    return split.map((changes) => ({ changeIds: changes.map(({ id }) => id), targets }))
  })
}
