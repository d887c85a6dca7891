import type { Db } from '../../database/connect.ts'
import type { SecretBox } from './secret-box.ts'
import { nextSealedColumns, sealedColumns } from './webhook-store.ts'

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
