import { alertText, buildAlerts } from '@ratecard/contract/alert'
import type { Trx } from '../../database/connect.ts'
import { UserError } from '../../platform/user-error.ts'
import type { ChangeInput } from '../changes/change-input.ts'
import { publishChanges } from '../changes/publish-changes.ts'
import type { BodyCheck } from './alert-schema.ts'
import { announce, type FanOutOptions } from './fan-out.ts'

export interface AlertOptions extends FanOutOptions {
  check: BodyCheck
  /** Changes below are published without an alert. */
  severityMin?: number
}

export interface Publication {
  ids: string[]
  /** Deliveries that were queued. */
  deliveries: number
}

type ToldAlerts = ReturnType<typeof buildAlerts>

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
  const whole = buildAlerts(alerted, publicUrl)
  requireGoodBodies(whole, check)
  let deliveries = 0
  for (const [event, ofEvent] of Map.groupBy(whole, (alert) => alert.event)) {
    const changes = ofEvent.flatMap((alert) => alert.changes)
    deliveries += await announce(trx, { event, changes }, { queue, publicUrl })
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
