import { sql } from 'kysely'
import type { Webhook, WebhookInput } from '@ratecard/contract'
import type { Db, Trx } from '../../database/connect.ts'
import { utcText } from '../../database/keyset.ts'
import { newId } from '../../platform/ids.ts'
import { cancelDeliveries } from './delivery-store.ts'
import { httpStatus } from './http-status.ts'
import { lockAccount } from '../accounts/account-store.ts'
import type { SecretBox } from './secret-box.ts'

// Every statement names the account: another's subscription is as absent as one that never was.

const columns = [
  'id',
  'url',
  'events',
  'active',
  httpStatus('last_status').as('last_status'),
  'last_error',
  utcText('created_at').as('created_at'),
  utcText('updated_at').as('updated_at'),
] as const

/** Stored without a secret there is none: each subscription has one from its creation. */
function asWebhook(row: Omit<Webhook, 'events' | 'has_secret'> & { events: string[] }): Webhook {
  return { ...row, events: row.events as Webhook['events'], has_secret: true }
}

function selectWebhooks(db: Db, accountId: string) {
  return db
    .selectFrom('webhooks')
    .select(columns)
    .where('account_id', '=', accountId)
    .orderBy('webhooks.created_at')
    .orderBy('id')
}

/** The account's subscriptions, oldest first. */
export async function listWebhooks(db: Db, accountId: string): Promise<Webhook[]> {
  return (await selectWebhooks(db, accountId).execute()).map(asWebhook)
}

/** A subscription as the operator sees it: with what the public contract does not have. */
export interface OperatedWebhook extends Webhook {
  standard_headers: boolean
}

/** The account's subscriptions for the operator, oldest first. */
export async function listOperatedWebhooks(db: Db, accountId: string): Promise<OperatedWebhook[]> {
  const rows = await selectWebhooks(db, accountId).select('standard_headers').execute()
  return rows.map(({ standard_headers, ...row }) => ({ ...asWebhook(row), standard_headers }))
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

/** Subscriptions that are switched off and that an account may have when it makes another. */
export const webhooksOffMax = 100
/** What to do then. */
export const tooManyOff = `The account has ${webhooksOffMax} webhooks that are switched off. Delete some of them first.`

/**
 * Stores a subscription with its secret sealed, or returns `limit_reached` or, when it has too many that are switched
 * off, `too_many_off`. The account's row is locked first, so
 * that creations at the same moment count each other.
 */
export async function insertWebhook(
  trx: Trx,
  {
    accountId,
    input,
    activeMax,
    secrets,
  }: { accountId: string; input: WebhookInput; activeMax: number; secrets: SecretBox },
): Promise<Webhook | 'limit_reached' | 'too_many_off'> {
  await lockAccount(trx, accountId)
  const { active, off } = await countWebhooks(trx, accountId)
  if (active >= activeMax) return 'limit_reached'
  if (off >= webhooksOffMax) return 'too_many_off'

  const id = newId('wh')
  const sealed = secrets.seal(input.secret, { webhookId: id, accountId })
  const row = await trx
    .insertInto('webhooks')
    .values({
      id,
      account_id: accountId,
      url: input.url,
      events: input.events ?? ['change.alert'],
      secret_ciphertext: sealed.ciphertext,
      secret_key_id: sealed.keyId,
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
  return asWebhook(row)
}

/** Removes the account's subscription and what is queued for it; false when it has none with this id. */
export async function deleteWebhook(trx: Trx, accountId: string, id: string): Promise<boolean> {
  // Deliveries before the subscription, as whoever records an attempt locks them: neither waits for the other in a
  // circle. One that is queued in between finds no subscription and ends as cancelled.
  await cancelDeliveries(trx, { accountId, webhookId: id })
  const { numDeletedRows } = await trx
    .deleteFrom('webhooks')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}
