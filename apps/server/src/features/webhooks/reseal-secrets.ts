import type { Db } from '../../database/connect.ts'
import type { SecretBox } from './secret-box.ts'
import { sealedColumns } from './webhook-store.ts'

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
        await trx
          .updateTable('webhooks')
          .set(sealedColumns(secrets, secret, owner))
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
