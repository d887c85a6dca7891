import { sql, type UpdateObject } from 'kysely'
import type { Webhook } from '@ratecard/contract'
import { allEvents } from '@ratecard/contract/alert'
import { z } from 'zod'
import type { Db, Trx } from '../../database/connect.ts'
import type { DB } from '../../database/generated/tables.ts'
import { utcText, utcTextOrNull } from '../../database/keyset.ts'
import type { Cursor } from '../../platform/cursor.ts'
import { newId } from '../../platform/ids.ts'
import { notFound } from '../feature-error.ts'
import { noFilter, WholeFilter, type WebhookFilter } from './filter.ts'
import { cancelDeliveries, isEntitled } from './delivery-store.ts'
import { httpStatus } from './http-status.ts'
import type { SealedSecret, SecretBox, SecretOwner } from './secret-box.ts'
import { Id, OptionalTimestamp, Timestamp } from '../../platform/forms.ts'

// Every statement names the account: for it, a subscription of another account does not exist.

/** An event kind, or `*` for all of them, those added in future too. */
export const WebhookEvent = z.enum([...allEvents, '*'])
export type WebhookEvent = z.infer<typeof WebhookEvent>

export const WebhookEvents = z.array(WebhookEvent).min(1).meta({ uniqueItems: true })

/** A subscription, without its secret. */
export const ShownWebhook = z.strictObject({
  id: Id,
  /** For people; null: it goes by its address. */
  name: z.string().nullable(),
  url: z.string(),
  /** Of which changes it is told. */
  filter: WholeFilter,
  /** From when on another secret signs, which its owner knows already; null: none is to come. */
  next_secret_at: OptionalTimestamp,
  events: WebhookEvents,
  active: z.boolean(),
  /** The HTTP status of the latest attempt; null when no answer came, or one with no status of HTTP. */
  last_status: z.int().min(100).max(599).nullable(),
  last_error: z.string().nullable(),
  last_success_at: OptionalTimestamp,
  /** Since when no alert has arrived; null: the latest did, or none was sent. */
  failing_since: OptionalTimestamp,
  /** Whether deliveries and tests carry `webhook-id`, `webhook-timestamp` and `webhook-signature` of Standard Webhooks too. */
  standard_headers: z.boolean(),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type WebhookRecord = z.infer<typeof ShownWebhook> & {
  account_id: string
  /** Whether the account has a current paid plan. */
  entitled: boolean
}

/** What sending to a subscription takes. */
export interface SendableWebhook extends WebhookRecord {
  /** The secret that signs now. */
  sealed: SealedSecret
  /** The one that will; null: none is to come. */
  nextSealed: SealedSecret | null
}

const columns = [
  'id',
  'account_id',
  'name',
  'url',
  sql<WebhookFilter>`jsonb_build_object('vendors', vendors, 'products', products, 'min_severity', min_severity)`.as(
    'filter',
  ),
  sql<string | null>`case when next_secret_at > ratecard_now() then ${utcText('next_secret_at')} end`.as(
    'next_secret_at',
  ),
  sql<WebhookEvent[]>`events`.as('events'),
  'active',
  'standard_headers',
  httpStatus('last_status').as('last_status'),
  'last_error',
  utcTextOrNull('last_success_at').as('last_success_at'),
  sql<string | null>`case when last_error is not null then ${utcText('failing_since')} end`.as(
    'failing_since',
  ),
  isEntitled('webhooks').as('entitled'),
  utcText('created_at').as('created_at'),
  utcText('updated_at').as('updated_at'),
] as const

const isComing = sql<boolean>`coalesce(next_secret_at > ratecard_now(), false)`
const hasCome = sql<boolean>`coalesce(next_secret_at <= ratecard_now(), false)`

/** Columns: the secret that signs now, in its own place. */
export const settledSecret = {
  secret_ciphertext: sql<Buffer>`case when ${hasCome} then next_secret_ciphertext else secret_ciphertext end`,
  secret_key_id: sql<string>`case when ${hasCome} then next_secret_key_id else secret_key_id end`,
}

/** The secrets of a subscription as they are at this moment: one that was to come may have taken its place. */
const signingSecrets = [
  settledSecret.secret_ciphertext.as('secret_ciphertext'),
  settledSecret.secret_key_id.as('secret_key_id'),
  sql<Buffer | null>`case when ${isComing} then next_secret_ciphertext end`.as('coming_ciphertext'),
  sql<string | null>`case when ${isComing} then next_secret_key_id end`.as('coming_key_id'),
] as const

function selectWebhooks(db: Db, accountId: string) {
  return db.selectFrom('webhooks').select(columns).where('account_id', '=', accountId)
}

/** A subscription as the public interface has it. Each has a secret from its creation on. */
export function publicWebhook(record: WebhookRecord): Webhook {
  const { id, url, events, active, last_status, last_error, created_at, updated_at } = record
  return { id, url, events, active, last_status, last_error, created_at, updated_at, has_secret: true }
}

/**
 * The account's subscriptions, oldest first: all of them, or those of a page.
 * @param page its cursor has `created_at` and id of the last one of the page before
 */
export async function listWebhooks(
  db: Db,
  accountId: string,
  page?: { cursor: Cursor | null; limit: number },
): Promise<WebhookRecord[]> {
  let query = selectWebhooks(db, accountId).orderBy('webhooks.created_at').orderBy('id')
  if (page) query = query.limit(page.limit)
  if (page?.cursor) {
    const { updatedAt: createdAt, id } = page.cursor
    query = query.where(sql<boolean>`(webhooks.created_at, id) > (${createdAt}::timestamptz, ${id})`)
  }
  return query.execute()
}

/** @throws FeatureError not_found */
export async function getWebhook(db: Db, accountId: string, id: string): Promise<WebhookRecord> {
  const webhook = await selectWebhooks(db, accountId).where('id', '=', id).executeTakeFirst()
  if (!webhook) throw notFound('webhook', id)
  return webhook
}

/** @throws FeatureError not_found */
export async function getSendableWebhook(db: Db, accountId: string, id: string): Promise<SendableWebhook> {
  const row = await selectWebhooks(db, accountId)
    .select(signingSecrets)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound('webhook', id)
  const { secret_ciphertext, secret_key_id, coming_ciphertext, coming_key_id, ...webhook } = row
  return {
    ...webhook,
    sealed: { ciphertext: secret_ciphertext, keyId: secret_key_id },
    nextSealed: coming_ciphertext && { ciphertext: coming_ciphertext, keyId: coming_key_id! },
  }
}

/**
 * The account of a subscription, for an operator, who gives the subscription only.
 * @throws FeatureError not_found
 */
export async function getWebhookAccount(db: Db, id: string): Promise<string> {
  const row = await db.selectFrom('webhooks').select('account_id').where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound('webhook', id)
  return row.account_id
}

/** How many of the account's subscriptions are active, and how many are switched off. */
export async function countWebhooks(db: Db, accountId: string): Promise<{ active: number; off: number }> {
  return db
    .selectFrom('webhooks')
    .select([sql<number>`count(*) filter (where active)`.as('active')])
    .select([sql<number>`count(*) filter (where not active)`.as('off')])
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
}

export interface NewWebhook {
  url: string
  events: WebhookEvent[]
  secret: string
  name?: string | null
  filter?: WebhookFilter
}

/** Stores a subscription with its secret sealed. */
export async function insertWebhook(
  trx: Trx,
  accountId: string,
  { url, events, secret, name = null, filter = noFilter }: NewWebhook,
  secrets: SecretBox,
): Promise<WebhookRecord> {
  const id = newId('wh')
  const sealed = sealedColumns(secrets, secret, { webhookId: id, accountId })
  return trx
    .insertInto('webhooks')
    .values({ id, account_id: accountId, name, url, events, ...filter, ...sealed })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/** The columns of a subscription without a secret to come. */
export const noNextSecret = { next_secret_ciphertext: null, next_secret_key_id: null, next_secret_at: null }

/** A secret as it is stored. */
export function sealedColumns(secrets: SecretBox, secret: string, owner: SecretOwner) {
  const { ciphertext, keyId } = secrets.seal(secret, owner)
  return { secret_ciphertext: ciphertext, secret_key_id: keyId }
}

/** A secret that is to come, as it is stored. */
export function nextSealedColumns(secrets: SecretBox, secret: string, owner: SecretOwner) {
  const { ciphertext, keyId } = secrets.seal(secret, owner)
  return { next_secret_ciphertext: ciphertext, next_secret_key_id: keyId }
}

/** @throws FeatureError not_found */
export async function updateWebhook(
  trx: Trx,
  accountId: string,
  id: string,
  values: UpdateObject<DB, 'webhooks'>,
): Promise<WebhookRecord> {
  const webhook = await trx
    .updateTable('webhooks')
    .set({ ...values, updated_at: sql<string>`ratecard_now()` })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst()
  if (!webhook) throw notFound('webhook', id)
  return webhook
}

/**
 * Removes the account's subscription and what is queued for it.
 * @returns its address
 * @throws FeatureError not_found
 */
export async function deleteWebhook(trx: Trx, accountId: string, id: string): Promise<string> {
  // Deliveries before the subscription, as the worker that records an attempt locks them: neither waits for the other in
  // a circle. One that is queued in between finds no subscription and ends as cancelled.
  await cancelDeliveries(trx, { accountId, webhookId: id })
  const row = await trx
    .deleteFrom('webhooks')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning('url')
    .executeTakeFirst()
  if (!row) throw notFound('webhook', id)
  return row.url
}
