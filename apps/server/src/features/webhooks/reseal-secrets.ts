import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import { UserError } from '../../platform/user-error.ts'
import { insertAuditEntry } from '../audit/audit-store.ts'
import type { SecretBox } from './secret-box.ts'
import { nextSealedColumns, noNextSecret, sealedColumns } from './webhook-store.ts'

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
        .select([
          ...['id', 'account_id', 'secret_ciphertext', 'secret_key_id'],
          ...['next_secret_ciphertext', 'next_secret_key_id'],
        ] as const)
        .where((row) =>
          row.or([
            row('secret_key_id', '<>', secrets.sealingKeyId),
            row('next_secret_key_id', '<>', secrets.sealingKeyId),
          ]),
        )
        .orderBy('id')
        .limit(rotationChunk)
        .forUpdate()
        .execute()
      for (const row of rows) {
        const owner = { webhookId: row.id, accountId: row.account_id }
        const secret = secrets.open({ ciphertext: row.secret_ciphertext, keyId: row.secret_key_id }, owner)
        const [ciphertext, keyId] = [row.next_secret_ciphertext, row.next_secret_key_id]
        const next = ciphertext && keyId !== null ? secrets.open({ ciphertext, keyId }, owner) : null
        await trx
          .updateTable('webhooks')
          .set({
            ...sealedColumns(secrets, secret, owner),
            ...(next !== null && nextSealedColumns(secrets, next, owner)),
          })
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

/**
 * The key that secrets of webhooks are stored under, most of those that the box lacks.
 * @param accountId default: of all accounts
 */
export async function findMissingKey(
  db: Db,
  secrets: SecretBox,
  accountId?: string,
): Promise<{ secret_key_id: string; count: number } | undefined> {
  const { rows } = await sql<{ secret_key_id: string; count: number }>`
    select key_id as secret_key_id, count(distinct w.id)::int as count
    from webhooks w cross join lateral (values (w.secret_key_id), (w.next_secret_key_id)) stored (key_id)
    where key_id <> all(${[...secrets.keyIds]}::text[])
      and ${accountId === undefined ? sql`true` : sql`w.account_id = ${accountId}`}
    group by key_id order by count desc limit 1`.execute(db)
  return rows[0]
}

/**
 * Every delivery needs the secret of its webhook: without the key they would all be put off, for ever.
 * @throws UserError that names the key which is missing
 */
export async function requireReadableSecrets(db: Db, secrets: SecretBox): Promise<void> {
  const row = await findMissingKey(db, secrets)
  if (!row) return
  throw new UserError(
    `SECRETS_KEY lacks the key ${row.secret_key_id}, under which the secrets of ${row.count} webhooks are stored: their alerts could not be signed. Set SECRETS_KEY to that key, or to NEW,OLD with a comma between. When it is lost: ratecard secrets abandon ${row.secret_key_id}`,
  )
}

/**
 * Gives up the secrets under a key that is lost: each webhook gets a random one that nobody knows, and is switched off
 * until its owner sets another.
 * @returns how many there were
 */
export async function abandonSecrets(
  db: Db,
  secrets: SecretBox,
  keyId: string,
  onProgress: (abandoned: number) => void,
): Promise<number> {
  if (secrets.keyIds.includes(keyId))
    throw new UserError(`The key ${keyId} stands in SECRETS_KEY: its secrets can be read.`)
  for (let abandoned = 0; ;) {
    const count = await db.transaction().execute(async (trx) => {
      const rows = await trx
        .selectFrom('webhooks')
        .select(['id', 'account_id', 'url'])
        .where((row) => row.or([row('secret_key_id', '=', keyId), row('next_secret_key_id', '=', keyId)]))
        .orderBy('id')
        .limit(rotationChunk)
        .forUpdate()
        .execute()
      for (const { id, account_id: accountId, url } of rows) {
        const secret = randomBytes(32).toString('base64url')
        await trx
          .updateTable('webhooks')
          .set(sealedColumns(secrets, secret, { webhookId: id, accountId }))
          .set({ ...noNextSecret, active: false, updated_at: sql<string>`ratecard_now()` })
          .where('id', '=', id)
          .execute()
        await insertAuditEntry(trx, {
          accountId,
          actor: { kind: 'operator' },
          action: 'webhook.updated',
          subjectId: id,
          details: { url, active: 'false', reason: 'its secret was lost: set a new one' },
        })
      }
      return rows.length
    })
    abandoned += count
    if (count === 0) return abandoned
    onProgress(abandoned)
  }
}
