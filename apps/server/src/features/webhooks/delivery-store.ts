import type { AlertEvent } from '@ratecard/contract'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db, Trx } from '../../database/connect.ts'
import { utcText, utcTextOrNull } from '../../database/keyset.ts'
import type { Cursor } from '../../platform/cursor.ts'
import { newId } from '../../platform/ids.ts'
import type { Queue } from '../../queue/queue.ts'
import { isToldHere } from '../accounts/elsewhere.ts'
import { notFound } from '../feature-error.ts'
import type { WebhookFilter } from './filter.ts'
import { httpStatus } from './http-status.ts'
import { Id, OptionalTimestamp, Timestamp } from '../../platform/forms.ts'

export const DeliveryState = z.enum([
  'pending',
  'delivered',
  'exhausted',
  'not_entitled',
  'inactive',
  'cancelled',
])
export type DeliveryState = z.infer<typeof DeliveryState>

/** One alert to one subscription. */
export const QueuedDelivery = z.strictObject({
  id: Id,
  webhook_id: Id,
  /** The delivery that it sends again; null: it is a first one. */
  resent_from: z.string().nullable(),
  /** The latest delivery that sends it again; null: none does. */
  resent_as: z.string().nullable(),
  state: DeliveryState,
  attempts: z.int().min(0).max(1000),
  created_at: Timestamp,
  next_attempt_at: OptionalTimestamp,
  finished_at: OptionalTimestamp,
})
type Delivery = z.infer<typeof QueuedDelivery> & { account_id: string; changes: string[] }

export const LoggedAttempt = z.strictObject({
  attempt: z.int().min(1).max(1000),
  started_at: Timestamp,
  duration_ms: z.int().min(0).max(2147483647),
  /** The HTTP status; null when no answer came, or one with no status of HTTP. */
  status: z.int().min(100).max(599).nullable(),
  /** What kind of failure it was; null: none. */
  error_class: z.string().nullable(),
  error: z.string().nullable(),
})
type DeliveryAttempt = z.infer<typeof LoggedAttempt>

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

/** An alert, and who gets it. */
export interface NewAlert {
  changeIds: string[]
  targets: readonly DeliveryTarget[]
}

/**
 * The active subscriptions to an event of accounts that are entitled now, by their filter.
 * @param accountId default: of all accounts, but for those that are in another cell yet, or by now: that one tells them
 */
export async function readTargets(
  trx: Trx,
  event: AlertEvent,
  accountId?: string,
): Promise<{ filter: WebhookFilter; targets: DeliveryTarget[] }[]> {
  interface Row extends WebhookFilter {
    webhook_ids: string[]
    account_ids: string[]
  }
  const { rows } = await sql<Row>`
    select w.vendors, w.products, w.min_severity,
      array_agg(w.id order by w.id) as webhook_ids, array_agg(w.account_id order by w.id) as account_ids
    from webhooks w
    where w.active and w.events && ${[event, '*']}::text[] and ${isEntitled('w')}
      and ${accountId === undefined ? isToldHere('w') : sql`w.account_id = ${accountId}`}
    group by w.vendors, w.products, w.min_severity`.execute(trx)
  return rows.map(({ webhook_ids, account_ids, ...filter }) => ({
    filter,
    targets: webhook_ids.map((webhookId, index) => ({ webhookId, accountId: account_ids[index]! })),
  }))
}

/** SQL: of all deliveries of an account, without parameters: a cursor takes none. */
export const selectDeliveryIds = (accountId: string, column: 'id' | 'alert_id') =>
  sql`select ${sql.ref(column)} from deliveries where account_id = ${sql.lit(accountId)}`

/** Stores alerts, each with a delivery to each of its targets. */
export async function insertAlerts(
  trx: Trx,
  alerts: readonly NewAlert[],
  { event, publicUrl }: { event: AlertEvent; publicUrl: string },
): Promise<NewDelivery[]> {
  if (alerts.length === 0) return []
  const rows = alerts.map(({ changeIds, targets }) => ({ id: newId('alert'), changeIds, targets }))
  const values = rows.map(({ id, changeIds }) => ({ id, change_ids: changeIds }))
  await sql`
    insert into alerts (id, event, public_url, change_ids)
    select id, ${event}, ${publicUrl}, change_ids
    from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) as alert (id text, change_ids text[])`.execute(
    trx,
  )
  const created = rows.flatMap(({ id: alertId, targets }) =>
    targets.map((target) => ({ ...target, id: newId('dlv'), alertId })),
  )
  return insertDeliveries(trx, created)
}

/** SQL: whether the account of the row `table` has a current paid plan. */
export function isEntitled(table: string) {
  return sql<boolean>`exists (
    select from current_subscriptions s where s.account_id = ${sql.ref(`${table}.account_id`)}
  )`
}

/** So many rows go into one statement. */
const insertChunk = 10_000

/** Stores deliveries of alerts that are stored. */
export async function insertDeliveries(
  trx: Trx,
  created: readonly (NewDelivery & { alertId: string; accountId: string; resentFrom?: string })[],
): Promise<NewDelivery[]> {
  for (let from = 0; from < created.length; from += insertChunk) {
    await sql`
      insert into deliveries (id, alert_id, webhook_id, account_id, resent_from, next_attempt_at)
      select id, "alertId", "webhookId", "accountId", "resentFrom", ratecard_now()
      from jsonb_to_recordset(${JSON.stringify(created.slice(from, from + insertChunk))}::jsonb)
        as target (id text, "alertId" text, "webhookId" text, "accountId" text, "resentFrom" text)`.execute(
      trx,
    )
  }
  return created.map(({ id, webhookId }) => ({ id, webhookId }))
}

function selectDeliveries(db: Db) {
  return db
    .selectFrom('deliveries')
    .innerJoin('alerts', 'alerts.id', 'deliveries.alert_id')
    .select(['deliveries.id', 'webhook_id', 'account_id', 'attempts', 'alerts.change_ids as changes'])
    .select([
      'resent_from',
      sql<string | null>`(
        select again.id from deliveries again
        where again.alert_id = deliveries.alert_id and again.webhook_id = deliveries.webhook_id
          and again.resent_from = deliveries.id
        order by again.created_at desc, again.id desc limit 1)`.as('resent_as'),
    ])
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

/** The titles of changes, by id. */
export async function readTitles(db: Db, changeIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('changes')
    .select(['id', 'title'])
    .where('id', '=', sql<string>`any(${[...new Set(changeIds)]})`)
    .execute()
  return new Map(rows.map(({ id, title }) => [id, title]))
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

const enqueuedAtATime = 1_000

/**
 * Queues the next attempt of each delivery that waits, at the time it was due: of all accounts, or of one.
 * @param db the transaction in which they came here
 */
export async function enqueuePending(
  db: Db,
  queue: Pick<Queue, 'enqueue'>,
  accountId?: string,
): Promise<void> {
  for (let after = ''; ;) {
    const rows = await db
      .selectFrom('deliveries')
      .select(['id', 'webhook_id', 'attempts'])
      .select(
        sql<number>`coalesce(greatest(extract(epoch from next_attempt_at - now()) * 1000, 0), 0)::float8`.as(
          'delay_ms',
        ),
      )
      .where('state', '=', 'pending')
      .where('id', '>', after)
      .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId!))
      .orderBy('id')
      .limit(enqueuedAtATime)
      .execute()
    const jobs = rows.map(({ id, webhook_id, attempts, delay_ms }) => ({
      data: { deliveryId: id, attempt: attempts + 1 },
      group: webhook_id,
      delayMs: delay_ms,
    }))
    if (jobs.length > 0) await queue.enqueue(db, 'deliver', jobs)
    if (rows.length < enqueuedAtATime) return
    after = rows.at(-1)!.id
  }
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
