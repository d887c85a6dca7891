import { sql, type Selectable } from 'kysely'
import type { Db, Trx } from '../../database/connect.ts'
import type { Webhooks } from '../../database/generated/tables.ts'
import { UserError } from '../../platform/user-error.ts'
import { lockAccount } from '../accounts/account-store.ts'
import type { SecretBox, SealedSecret } from './secret-box.ts'

// What an operator does to subscriptions, of whichever account.

export interface WebhookRecord {
  id: string
  account_id: string
  url: string
  active: boolean
  standard_headers: boolean
  sealed: SealedSecret
}

/** The account has as many active subscriptions as its plan allows. */
export class WebhookLimitReached extends UserError {
  readonly activeMax: number

  constructor(active: number, activeMax: number) {
    super(
      `The account has ${active} active webhooks and its plan allows ${activeMax}. Delete one, or set a larger plan.`,
    )
    this.activeMax = activeMax
  }
}

export const recordColumns = [
  'id',
  'account_id',
  'url',
  'active',
  'standard_headers',
  'secret_ciphertext',
  'secret_key_id',
] as const

type RecordRow = Pick<Selectable<Webhooks>, (typeof recordColumns)[number]>

export function asRecord({
  secret_ciphertext: ciphertext,
  secret_key_id: keyId,
  ...webhook
}: RecordRow): WebhookRecord {
  return { ...webhook, sealed: { ciphertext, keyId } }
}

/** @throws UserError when there is no such subscription */
export async function getWebhook(db: Db, id: string): Promise<WebhookRecord> {
  const row = await db.selectFrom('webhooks').select(recordColumns).where('id', '=', id).executeTakeFirst()
  if (!row)
    throw new UserError(
      `There is no webhook "${id}". "ratecard webhooks list --account ID" shows those of an account.`,
    )
  return asRecord(row)
}

/** Switches the headers of Standard Webhooks on or off. */
export async function setStandardHeaders(trx: Trx, id: string, isOn: boolean): Promise<void> {
  await trx
    .updateTable('webhooks')
    .set({ standard_headers: isOn, updated_at: sql<string>`ratecard_now()` })
    .where('id', '=', id)
    .execute()
}

/**
 * Switches a subscription on again, with a clean slate for the failures that switched it off.
 * @throws WebhookLimitReached
 */
export async function enableWebhook(
  trx: Trx,
  id: string,
  activeMaxOf: (accountId: string) => Promise<number>,
): Promise<void> {
  const { account_id: accountId, active } = await getWebhook(trx, id)
  await lockAccount(trx, accountId)
  const { count } = await trx
    .selectFrom('webhooks')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('active', '=', true)
    .where('id', '<>', id)
    .executeTakeFirstOrThrow()
  const activeMax = await activeMaxOf(accountId)
  if (!active && count >= activeMax) throw new WebhookLimitReached(count, activeMax)
  await trx
    .updateTable('webhooks')
    .set({
      active: true,
      failing_since: sql<string>`ratecard_now()`,
      exhausted_count: 0,
      is_slow: false,
      updated_at: sql<string>`ratecard_now()`,
    })
    .where('id', '=', id)
    .execute()
}

const rotationChunk = 200

/**
 * Puts every stored secret under the key that seals now, a few at a time, while servers run. Safe to repeat.
 * @returns how many were moved
 */
export async function resealSecrets(
  db: Db,
  secrets: SecretBox,
  onProgress: (moved: number) => void,
): Promise<number> {
  for (let moved = 0; ;) {
    const count = await db.transaction().execute(async (trx) => {
      const rows = await trx
        .selectFrom('webhooks')
        .select(['id', 'account_id', 'secret_ciphertext', 'secret_key_id'])
        .where('secret_key_id', '<>', secrets.sealingKeyId)
        .orderBy('id')
        .limit(rotationChunk)
        .forUpdate()
        .execute()
      for (const row of rows) {
        const owner = { webhookId: row.id, accountId: row.account_id }
        const secret = secrets.open({ ciphertext: row.secret_ciphertext, keyId: row.secret_key_id }, owner)
        const sealed = secrets.seal(secret, owner)
        await trx
          .updateTable('webhooks')
          .set({ secret_ciphertext: sealed.ciphertext, secret_key_id: sealed.keyId })
          .where('id', '=', row.id)
          .execute()
      }
      return rows.length
    })
    moved += count
    if (count === 0) return moved
    onProgress(moved)
  }
}
