import { sql } from 'kysely'
import type { Db, Trx } from '../../database/connect.ts'
import { newId } from '../../platform/ids.ts'
import { FeatureError, notFound } from '../feature-error.ts'
import { insertDeliveries, type NewDelivery } from './delivery-store.ts'

// Deliveries that are sent again: of the same alert, and so of the same changes, to the same subscription.

/**
 * A new delivery of the same alert to the same subscription; the old one keeps its record.
 * @param accountId the account that must own it; default: any
 * @throws FeatureError not_found, or conflict when the subscription is deleted
 */
export async function insertResend(trx: Trx, id: string, accountId?: string): Promise<NewDelivery> {
  const old = await trx
    .selectFrom('deliveries')
    .leftJoin('webhooks', 'webhooks.id', 'webhook_id')
    .select(['alert_id as alertId', 'webhook_id as webhookId', 'deliveries.account_id as accountId', 'url'])
    .where('deliveries.id', '=', id)
    .$if(accountId !== undefined, (query) => query.where('deliveries.account_id', '=', accountId!))
    .executeTakeFirst()
  if (!old) throw notFound('delivery', id)
  if (old.url === null) {
    const fact = 'The webhook of this delivery is deleted, so it cannot be sent again.'
    throw new FeatureError(fact, { code: 'conflict' })
  }
  const { alertId, webhookId, accountId: owner } = old
  const again = { id: newId('dlv'), alertId, webhookId, accountId: owner, resentFrom: id }
  const [delivery] = await insertDeliveries(trx, [again])
  return delivery!
}

export interface FailedFilter {
  accountId: string
  webhookId: string
  /** Only deliveries that were made at this time or later; null: all that are known. */
  since: string | null
}

/**
 * SQL: deliveries of a subscription that ended without an arrival and whose alert is neither on its way nor arrived by
 * another delivery. Of several deliveries of one alert it is the latest.
 */
function failedDeliveries({ accountId, webhookId, since }: FailedFilter) {
  return sql`
    from deliveries d
    where d.account_id = ${accountId} and d.webhook_id = ${webhookId} and ${hasFailed}
      and (${since}::timestamptz is null or d.created_at >= ${since}::timestamptz)`
}

/** SQL: whether the delivery `d` failed, and no other brings or brought its alert. */
export const hasFailed = sql<boolean>`d.state in ('exhausted', 'inactive', 'not_entitled') and not exists (
  select from deliveries other
  where other.alert_id = d.alert_id and other.webhook_id = d.webhook_id
    and (other.state in ('pending', 'delivered') or (other.created_at, other.id) > (d.created_at, d.id)))`

/** How many alerts to a subscription failed and are not sent again. Counts to `most`. */
export async function countFailed(db: Db, filter: FailedFilter, most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (select ${failedDeliveries(filter)} limit ${most}) failed`.execute(db)
  return rows[0]!.count
}

/** A new delivery for each alert to a subscription that failed, the oldest first, `most` at a time. */
export async function insertResends(trx: Trx, filter: FailedFilter, most: number): Promise<NewDelivery[]> {
  const { rows } = await sql<{ id: string; alertId: string; webhookId: string; accountId: string }>`
    select d.id, d.alert_id as "alertId", d.webhook_id as "webhookId", d.account_id as "accountId"
    ${failedDeliveries(filter)}
    order by d.created_at, d.id limit ${most}`.execute(trx)
  return insertDeliveries(
    trx,
    rows.map(({ id, ...delivery }) => ({ ...delivery, id: newId('dlv'), resentFrom: id })),
  )
}
