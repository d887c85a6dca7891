import type { Db, Trx } from '../../database/connect.ts'
import { parseVersion, type AuthSecret } from './auth.ts'
import { endSessions } from './session-store.ts'

const rotationChunk = 200

/**
 * Encrypts every second factor and its recovery codes with the first secret, a few at a time, while servers run. Safe
 * to repeat.
 * @returns how many were encrypted anew
 */
export async function resealSecondFactors(db: Db, secrets: readonly AuthSecret[]): Promise<number> {
  const key = buildRing(secrets)
  const { symmetricEncrypt } = await import('better-auth/crypto')
  const open = await createOpener(secrets)
  const move = async (data: string) => symmetricEncrypt({ key, data: await open(data) })
  // The mark of values that better-auth has encrypted.
  const isCurrent = `$ba$${key.currentVersion}$%`
  for (let moved = 0; ;) {
    const count = await db.transaction().execute(async (trx) => {
      const rows = await trx
        .selectFrom('auth_two_factors')
        .select(['id', 'secret', 'backup_codes'])
        .where('secret', 'not like', isCurrent)
        .orderBy('id')
        .limit(rotationChunk)
        .forUpdate()
        .execute()
      for (const { id, secret, backup_codes } of rows) {
        await trx
          .updateTable('auth_two_factors')
          .set({ secret: await move(secret), backup_codes: await move(backup_codes) })
          .where('id', '=', id)
          .execute()
      }
      return rows.length
    })
    if (count === 0) return moved
    moved += count
  }
}

/** Decrypts what better-auth has encrypted. */
export async function createOpener(
  secrets: readonly AuthSecret[],
): Promise<(data: string) => Promise<string>> {
  const key = buildRing(secrets)
  const { symmetricDecrypt } = await import('better-auth/crypto')
  return (data) => symmetricDecrypt({ key, data })
}

function buildRing(secrets: readonly AuthSecret[]): { keys: Map<number, string>; currentVersion: number } {
  const [first] = secrets
  if (!first) throw new Error('There is no secret to encrypt with.')
  const keys = new Map(secrets.map((secret) => [parseVersion(secret), secret.secret]))
  return { keys, currentVersion: parseVersion(first) }
}

/**
 * Removes a user's second factor with its recovery codes, and the passkeys. Every session and every incomplete sign-in
 * ends. From now on the password is enough.
 * @returns whether there was any of them
 */
export async function deleteSecondFactor(trx: Trx, userId: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('auth_users')
    .set({ two_factor_enabled: false })
    .where('id', '=', userId)
    .where('two_factor_enabled', '=', true)
    .executeTakeFirstOrThrow()
  const { numDeletedRows } = await trx
    .deleteFrom('passkeys')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows + numDeletedRows === 0n) return false
  await trx.deleteFrom('auth_two_factors').where('user_id', '=', userId).execute()
  await endSessions(trx, userId)
  return true
}
