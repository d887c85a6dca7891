import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import { UserError } from '../../platform/user-error.ts'
import { isEntitled } from './delivery-store.ts'
import { silentCategories } from './publish-alerts.ts'

export interface Explanation {
  webhook_id: string
  change_id: string
  /** Whether an alert of the change would be sent to the subscription now. */
  would_send: boolean
  /** Every condition, in the order in which they are asked. */
  checks: { id: string; holds: boolean; detail: string }[]
  /** Deliveries of the change to the subscription that there are. */
  deliveries: { id: string; state: string; attempts: number }[]
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

  const wantsEvent = webhook.events.some((event) => event === 'change.alert' || event === '*')
  const isTold = !silentCategories.has(change.category)
  const checks = [
    {
      id: 'category',
      holds: isTold,
      detail: isTold ? `${change.category} is alerted` : `${change.category} is never alerted`,
    },
    { id: 'event', holds: wantsEvent, detail: `the subscription lists ${webhook.events.join(', ')}` },
    {
      id: 'active',
      holds: webhook.active,
      detail: webhook.active
        ? 'the subscription is active'
        : `the subscription is switched off; "ratecard webhooks enable ${webhookId}" switches it on`,
    },
    {
      id: 'entitled',
      holds: webhook.entitled,
      detail: webhook.entitled
        ? 'the account has a current paid plan'
        : 'the account has no current paid plan',
    },
  ]
  return {
    webhook_id: webhookId,
    change_id: changeId,
    would_send: checks.every((check) => check.holds),
    checks,
    deliveries,
  }
}
