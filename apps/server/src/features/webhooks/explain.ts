import { silentCategories } from '@ratecard/contract/alert'
import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import { UserError } from '../../platform/user-error.ts'
import { isEntitled, type DeliveryState } from './delivery-store.ts'

export interface Explanation {
  webhook_id: string
  change_id: string
  /** Whether an alert of the change would be sent to the subscription now. */
  would_send: boolean
  /** Every condition, in the order in which they are asked. */
  checks: Check[]
  /** Deliveries of the change to the subscription that there are. */
  deliveries: { id: string; state: string; attempts: number }[]
}

export interface Check {
  id: string
  holds: boolean
  detail: string
}

/** What must hold of a subscription so that alerts are sent to it, in the order in which it is asked. */
export function checkSubscription({
  events,
  active,
  entitled,
}: {
  events: readonly string[]
  active: boolean
  entitled: boolean
}): Check[] {
  return [
    {
      id: 'event',
      holds: events.some((event) => event === 'change.alert' || event === '*'),
      detail: `the subscription lists ${events.join(', ')}`,
    },
    {
      id: 'active',
      holds: active,
      detail: active ? 'the subscription is active' : 'the subscription is switched off',
    },
    {
      id: 'entitled',
      holds: entitled,
      detail: entitled ? 'the account has a current paid plan' : 'the account has no current paid plan',
    },
  ]
}

/** What became of a delivery when that is not plain, and what to do; null: it arrived, or is about to be tried. */
export function adviceOn(state: DeliveryState, attempts: number): string | null {
  if (state === 'delivered') return null
  if (state === 'pending')
    return attempts === 0 ? null : 'It is tried again by itself. Mend the endpoint until then.'
  return {
    exhausted: `Given up after ${attempts} attempts. Mend the endpoint, then send it again.`,
    not_entitled: 'The account had no current paid plan when it was due. Upgrade, then send it again.',
    inactive: 'The subscription was switched off when it was due. Switch it on, then send it again.',
    cancelled: 'The subscription was deleted before it arrived.',
  }[state]
}

/** Says whether an alert would reach a subscription now, and if not, why. */
export async function explainDelivery(db: Db, webhookId: string, changeId: string): Promise<Explanation> {
  const webhook = await db
    .selectFrom('webhooks')
    .select(['id', 'active', 'events', 'last_error', isEntitled('webhooks').as('entitled')])
    .where('id', '=', webhookId)
    .executeTakeFirst()
  if (!webhook)
    throw new UserError(
      `There is no webhook "${webhookId}". "ratecard webhooks list --account ID" shows those of an account.`,
    )
  const change = await db
    .selectFrom('changes')
    .select(['id', 'category'])
    .where('id', '=', changeId)
    .executeTakeFirst()
  if (!change)
    throw new UserError(`There is no change "${changeId}". "ratecard changes list" shows the latest.`)
  const deliveries = await db
    .selectFrom('deliveries')
    .innerJoin('alerts', 'alerts.id', 'deliveries.alert_id')
    .select(['deliveries.id', 'state', 'attempts'])
    .where('webhook_id', '=', webhookId)
    .where(sql<boolean>`${changeId} = any(alerts.change_ids)`)
    .orderBy('deliveries.created_at')
    .execute()

  const isTold = !silentCategories.has(change.category)
  const checks = [
    {
      id: 'category',
      holds: isTold,
      detail: isTold ? `${change.category} is alerted` : `${change.category} is never alerted`,
    },
    ...checkSubscription(webhook).map((check) =>
      check.id === 'active' && !check.holds
        ? { ...check, detail: `${check.detail}; "ratecard webhooks enable ${webhookId}" switches it on` }
        : check,
    ),
  ]
  return {
    webhook_id: webhookId,
    change_id: changeId,
    would_send: checks.every((check) => check.holds),
    checks,
    deliveries,
  }
}
