import type { AlertEvent } from '@ratecard/contract'
import { sql } from 'kysely'
import type { Db, Trx } from '../../database/connect.ts'
import { utcText, utcTextOrNull } from '../../database/keyset.ts'
import type { Cursor } from '../../platform/cursor.ts'
import { newId } from '../../platform/ids.ts'
import { FeatureError, notFound } from '../feature-error.ts'
import { httpStatus } from './http-status.ts'

export const deliveryStates = [
  'pending',
  'delivered',
  'exhausted',
  'not_entitled',
  'inactive',
  'cancelled',
] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** One alert to one subscription. */
export interface Delivery {
  id: string
  webhook_id: string
  account_id: string
  state: DeliveryState
  attempts: number
  changes: string[]
  created_at: string
  next_attempt_at: string | null
  finished_at: string | null
}

interface DeliveryAttempt {
  attempt: number
  started_at: string
  duration_ms: number
  status: number | null
  error_class: string | null
  error: string | null
}

export interface LoggedDelivery extends Delivery {
  /** Oldest first. */
  log: DeliveryAttempt[]
}

export interface NewDelivery {
  id: string
  webhookId: string
}

interface DeliveryTarget {
  webhookId: string
  accountId: string
}

/** Stores an alert and a delivery of it for every active subscription to it of an account that is entitled now. */
export async function insertAlert(
  trx: Trx,
  event: AlertEvent,
  changeIds: readonly string[],
): Promise<NewDelivery[]> {
  const alertId = newId('alert')
  await trx
    .insertInto('alerts')
    .values({ id: alertId, event, change_ids: [...changeIds] })
    .execute()
  const { rows } = await sql<DeliveryTarget>`
    select w.id as "webhookId", w.account_id as "accountId" from webhooks w
    where w.active and w.events && ${[event, '*']}::text[] and ${isEntitled('w')}
    order by w.id`.execute(trx)
  return insertDeliveries(trx, alertId, rows)
}

/** SQL: whether the account of the row `table` has a current paid plan. */
export function isEntitled(table: string) {
  return sql<boolean>`exists (
    select from current_subscriptions s where s.account_id = ${sql.ref(`${table}.account_id`)}
  )`
}

async function insertDeliveries(
  trx: Trx,
  alertId: string,
  targets: readonly DeliveryTarget[],
): Promise<NewDelivery[]> {
  if (targets.length === 0) return []
  const created = targets.map(({ webhookId, accountId }) => ({ id: newId('dlv'), webhookId, accountId }))
  await sql`
    insert into deliveries (id, alert_id, webhook_id, account_id, next_attempt_at)
    select id, ${alertId}, "webhookId", "accountId", ratecard_now()
    from jsonb_to_recordset(${JSON.stringify(created)}::jsonb)
      as target (id text, "webhookId" text, "accountId" text)`.execute(trx)
  return created
}

function selectDeliveries(db: Db) {
  return db
    .selectFrom('deliveries')
    .innerJoin('alerts', 'alerts.id', 'deliveries.alert_id')
    .select(['deliveries.id', 'webhook_id', 'account_id', 'attempts', 'alerts.change_ids as changes'])
    .select(sql<DeliveryState>`state`.as('state'))
    .select([
      utcText('deliveries.created_at').as('created_at'),
      utcTextOrNull('next_attempt_at').as('next_attempt_at'),
    ])
    .select(utcTextOrNull('finished_at').as('finished_at'))
}

export interface DeliveryFilter {
  accountId?: string | undefined
  webhookId?: string | undefined
  state?: DeliveryState | undefined
  /** `created_at` and id of the last delivery of the page before. */
  cursor?: Cursor | null
  limit: number
}

/** Deliveries, newest first. */
export async function listDeliveries(
  db: Db,
  { accountId, webhookId, state, cursor, limit }: DeliveryFilter,
): Promise<Delivery[]> {
  let query = selectDeliveries(db)
  if (accountId !== undefined) query = query.where('account_id', '=', accountId)
  if (webhookId !== undefined) query = query.where('webhook_id', '=', webhookId)
  if (state !== undefined) query = query.where('state', '=', state)
  if (cursor)
    query = query.where(
      sql<boolean>`(deliveries.created_at, deliveries.id) < (${cursor.updatedAt}::timestamptz, ${cursor.id})`,
    )
  return query
    .orderBy('deliveries.created_at', 'desc')
    .orderBy('deliveries.id', 'desc')
    .limit(limit)
    .execute()
}

/**
 * A delivery with its attempts, to a deleted subscription too.
 * @param accountId the account that must own it; default: any
 * @throws FeatureError not_found
 */
export async function getDelivery(db: Db, id: string, accountId?: string): Promise<LoggedDelivery> {
  const delivery = await selectDeliveries(db)
    .where('deliveries.id', '=', id)
    .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId!))
    .executeTakeFirst()
  if (!delivery) throw notFound('delivery', id)
  const [logged] = await withAttempts(db, [delivery])
  return logged!
}

/** Adds to each delivery its attempts. */
export async function withAttempts(db: Db, deliveries: readonly Delivery[]): Promise<LoggedDelivery[]> {
  const rows = await db
    .selectFrom('delivery_attempts')
    .select([
      'delivery_id',
      'attempt',
      utcText('started_at').as('started_at'),
      'duration_ms',
      httpStatus('status').as('status'),
      'error_class',
      'error',
    ])
    .where('delivery_id', '=', sql<string>`any(${deliveries.map(({ id }) => id)}::text[])`)
    .orderBy('attempt')
    .execute()
  const logs = Map.groupBy(rows, (row) => row.delivery_id)
  return deliveries.map((delivery) => ({
    ...delivery,
    log: (logs.get(delivery.id) ?? []).map(({ delivery_id: _, ...attempt }) => attempt),
  }))
}

/**
 * A new delivery of the same alert to the same subscription; the old one keeps its record.
 * @param accountId the account that must own it; default: any
 * @throws FeatureError not_found, or conflict when the subscription is deleted
 */
export async function insertResend(trx: Trx, id: string, accountId?: string): Promise<NewDelivery> {
  const old = await trx
    .selectFrom('deliveries')
    .leftJoin('webhooks', 'webhooks.id', 'webhook_id')
    .select(['alert_id', 'webhook_id as webhookId', 'deliveries.account_id as accountId', 'url'])
    .where('deliveries.id', '=', id)
    .$if(accountId !== undefined, (query) => query.where('deliveries.account_id', '=', accountId!))
    .executeTakeFirst()
  if (!old) throw notFound('delivery', id)
  if (old.url === null) {
    const fact = 'The webhook of this delivery is deleted, so it cannot be sent again.'
    throw new FeatureError(fact, { code: 'conflict' })
  }
  const [delivery] = await insertDeliveries(trx, old.alert_id, [old])
  return delivery!
}

/** Deliveries of a change to a subscription, oldest first. */
export async function listDeliveriesOfChange(
  db: Db,
  webhookId: string,
  changeId: string,
): Promise<Pick<Delivery, 'id' | 'state' | 'attempts'>[]> {
  const rows = await selectDeliveries(db)
    .where('webhook_id', '=', webhookId)
    .where(sql<boolean>`${changeId} = any(alerts.change_ids)`)
    .orderBy('deliveries.created_at')
    .execute()
  return rows.map(({ id, state, attempts }) => ({ id, state, attempts }))
}

/** Ends what is still queued for a subscription that is being deleted. */
export async function cancelDeliveries(
  db: Db,
  { accountId, webhookId }: { accountId: string; webhookId: string },
): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ state: 'cancelled', next_attempt_at: null, finished_at: sql<string>`ratecard_now()` })
    .where('webhook_id', '=', webhookId)
    .where('account_id', '=', accountId)
    .where('state', '=', 'pending')
    .execute()
}

/** Forgets deliveries, their attempts and their alerts after `days`. */
export async function deleteOldDeliveries(db: Db, days: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('deliveries')
    .where('created_at', '<', sql<string>`ratecard_now() - make_interval(days => ${days})`)
    .where('state', '<>', 'pending')
    .executeTakeFirstOrThrow()
  await sql`
    delete from alerts a
    where a.created_at < ratecard_now() - make_interval(days => ${days})
      and not exists (select from deliveries d where d.alert_id = a.id)`.execute(db)
  return Number(numDeletedRows)
}
