import { sql, type UpdateObject } from 'kysely'
import type { Db, Trx } from '../../database/connect.ts'
import type { DB } from '../../database/generated/tables.ts'
import { utcText, utcTextOrNull } from '../../database/keyset.ts'
import type { Cursor } from '../../platform/cursor.ts'
import { lockAccount } from '../accounts/account-store.ts'
import { isEntitled } from './delivery-store.ts'
import { checkSubscription } from './explain.ts'
import { httpStatus } from './http-status.ts'
import { asRecord, enableWebhook, recordColumns, type WebhookRecord } from './operate-webhooks.ts'
import type { SecretBox } from './secret-box.ts'

// Subscriptions as the pages of their account show and alter them. Every statement names the account.

export type EventName = 'change.alert' | '*'

/** A subscription as its account sees it: never its secret. */
export interface WebhookDetails {
  id: string
  url: string
  events: EventName[]
  active: boolean
  /** Why no alert would be sent to it now, and what to do; null: alerts are sent. */
  obstacle: string | null
  last_status: number | null
  last_error: string | null
  last_success_at: string | null
  /** Since when none has arrived; null: the latest did, or none was sent. */
  failing_since: string | null
  /** Whether deliveries carry the headers of Standard Webhooks too. */
  standard_headers: boolean
  created_at: string
  updated_at: string
}

function selectDetails(db: Db, accountId: string) {
  return db
    .selectFrom('webhooks')
    .select([
      'id',
      'url',
      sql<EventName[]>`events`.as('events'),
      'active',
      httpStatus('last_status').as('last_status'),
      'last_error',
      utcTextOrNull('last_success_at').as('last_success_at'),
      sql<string | null>`case when last_error is not null then ${utcText('failing_since')} end`.as(
        'failing_since',
      ),
      'standard_headers',
      utcText('created_at').as('created_at'),
      utcText('updated_at').as('updated_at'),
      isEntitled('webhooks').as('entitled'),
    ])
    .where('account_id', '=', accountId)
}

type DetailsRow = Awaited<ReturnType<ReturnType<typeof selectDetails>['executeTakeFirstOrThrow']>>

function asDetails({ entitled, ...row }: DetailsRow): WebhookDetails {
  return { ...row, obstacle: obstacleOf({ ...row, entitled }) }
}

const remedies: Record<string, string> = {
  event: 'It lists no event that is sent. Choose one.',
  active: 'It is switched off. Mend the endpoint if it failed, then switch it on.',
  entitled: 'The account has no current paid plan, and alerts come with one. Upgrade to receive them.',
}

function obstacleOf(row: { active: boolean; events: string[]; entitled: boolean }): string | null {
  const failed = checkSubscription(row).find(({ holds }) => !holds)
  return failed ? (remedies[failed.id] ?? failed.detail) : null
}

/**
 * The account's subscriptions, oldest first.
 * @param cursor `created_at` and id of the last one of the page before; null: from the first on
 */
export async function listWebhookDetails(
  db: Db,
  accountId: string,
  { cursor, limit }: { cursor: Cursor | null; limit: number },
): Promise<WebhookDetails[]> {
  const rows = await selectDetails(db, accountId)
    .$if(cursor !== null, (query) =>
      query.where(
        sql<boolean>`(webhooks.created_at, id) > (${cursor?.updatedAt}::timestamptz, ${cursor?.id})`,
      ),
    )
    .orderBy('webhooks.created_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(asDetails)
}

/** One subscription of the account; undefined when it has none with this id. */
export async function findWebhookDetails(
  db: Db,
  accountId: string,
  id: string,
): Promise<WebhookDetails | undefined> {
  const row = await selectDetails(db, accountId).where('id', '=', id).executeTakeFirst()
  return row && asDetails(row)
}

/** What it takes to send something to a subscription of the account; undefined when it has none with this id. */
export async function findWebhookRecord(
  db: Db,
  accountId: string,
  id: string,
): Promise<WebhookRecord | undefined> {
  const row = await db
    .selectFrom('webhooks')
    .select(recordColumns)
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && asRecord(row)
}

export interface WebhookChanges {
  url?: string | undefined
  events?: EventName[] | undefined
  active?: boolean | undefined
  standard_headers?: boolean | undefined
}

/** A new beginning for the failures that would switch a subscription off. */
const cleanSlate = { failing_since: sql<string>`ratecard_now()`, exhausted_count: 0, is_slow: false }

/**
 * Alters the account's subscription; undefined when it has none with this id. Switching on, and a new address, forget
 * past failures.
 * @param activeMax active subscriptions that the plan allows
 * @returns what is another than before
 * @throws WebhookLimitReached
 */
export async function updateWebhook(
  trx: Trx,
  { accountId, id, activeMax }: { accountId: string; id: string; activeMax: number },
  { url, events, active, standard_headers }: WebhookChanges,
): Promise<WebhookChanges | undefined> {
  // The account before the subscription, as whoever switches one on does: nobody waits in a circle.
  await lockAccount(trx, accountId)
  const before = await findWebhookDetails(trx, accountId, id)
  if (!before) return undefined
  const changed: WebhookChanges = {
    ...(url !== undefined && url !== before.url && { url }),
    ...(events !== undefined && events.join() !== before.events.join() && { events }),
    ...(active !== undefined && active !== before.active && { active }),
    ...(standard_headers !== undefined &&
      standard_headers !== before.standard_headers && { standard_headers }),
  }
  if (Object.keys(changed).length === 0) return changed
  const values: UpdateObject<DB, 'webhooks'> = {
    updated_at: sql<string>`ratecard_now()`,
    ...(changed.url !== undefined && { url, ...cleanSlate }),
    ...(changed.events !== undefined && { events }),
    ...(changed.active === false && { active }),
    ...(changed.standard_headers !== undefined && { standard_headers }),
  }
  await trx
    .updateTable('webhooks')
    .set(values)
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute()
  if (changed.active === true) await enableWebhook(trx, id, () => Promise.resolve(activeMax))
  return changed
}

/** Seals another secret for the account's subscription; false when it has none with this id. */
export async function replaceSecret(
  trx: Trx,
  { accountId, id }: { accountId: string; id: string },
  secret: string,
  secrets: SecretBox,
): Promise<boolean> {
  const sealed = secrets.seal(secret, { webhookId: id, accountId })
  const { numUpdatedRows } = await trx
    .updateTable('webhooks')
    .set({
      secret_ciphertext: sealed.ciphertext,
      secret_key_id: sealed.keyId,
      updated_at: sql<string>`ratecard_now()`,
    })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}
