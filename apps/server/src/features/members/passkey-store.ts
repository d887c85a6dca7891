import { sql } from 'kysely'
import type { Db, Trx } from '../../database/connect.ts'
import { utcText } from '../../database/keyset.ts'
import { newId } from '../../platform/ids.ts'
import { FeatureError } from '../feature-error.ts'
import type { NewPasskey } from './passkey.ts'

/** More than anybody has devices. */
export const passkeysMax = 10

const shown = () =>
  ['id', 'name', utcText('created_at').as('created_at'), utcText('last_used_at').as('last_used_at')] as const

/** The user's passkeys, oldest first. */
export async function listPasskeys(db: Db, userId: string) {
  return db
    .selectFrom('passkeys')
    .select(shown())
    .where('user_id', '=', userId)
    .orderBy('passkeys.created_at')
    .orderBy('id')
    .execute()
}

/** By which devices find the user's passkeys. */
export async function listCredentials(db: Db, userId: string): Promise<string[]> {
  const rows = await db.selectFrom('passkeys').select('credential_id').where('user_id', '=', userId).execute()
  return rows.map(({ credential_id }) => credential_id)
}

/** @throws FeatureError conflict when the user has as many as one may have, or this one */
export async function insertPasskey(
  trx: Trx,
  userId: string,
  name: string,
  { credentialId, publicKey, signCount }: NewPasskey,
) {
  await trx.selectFrom('auth_users').select('id').where('id', '=', userId).forUpdate().execute()
  if ((await listCredentials(trx, userId)).length >= passkeysMax) {
    throw new FeatureError(`You have ${passkeysMax} passkeys, as many as one may have. Remove one first.`, {
      code: 'conflict',
    })
  }
  const row = await trx
    .insertInto('passkeys')
    .values({
      id: newId('pky'),
      user_id: userId,
      name,
      credential_id: credentialId,
      public_key: publicKey,
      sign_count: signCount,
    })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning(shown())
    .executeTakeFirst()
  if (!row) throw new FeatureError('This passkey is in use already.', { code: 'conflict' })
  return row
}

/** @returns undefined: the user has no such passkey */
export async function renamePasskey(db: Db, userId: string, id: string, name: string) {
  return db
    .updateTable('passkeys')
    .set({ name })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning(shown())
    .executeTakeFirst()
}

/** @returns whether the user had it */
export async function deletePasskey(db: Db, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('passkeys')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

export async function findPasskey(db: Db, credentialId: string) {
  return db
    .selectFrom('passkeys')
    .innerJoin('auth_users', 'auth_users.id', 'passkeys.user_id')
    .select(['passkeys.id', 'user_id as userId', 'email', 'credential_id as credentialId'])
    .select(['public_key as publicKey', 'sign_count as signCount'])
    .where('credential_id', '=', credentialId)
    .executeTakeFirst()
}

/**
 * Notes that a passkey has signed.
 * @param signCount what the device has counted; 0: it does not count
 * @returns false when it is gone, or another device has counted on: then one of the two is a copy
 */
export async function notePasskeyUse(db: Db, id: string, signCount: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('passkeys')
    .set({ sign_count: signCount, last_used_at: sql<string>`ratecard_now()` })
    .where('id', '=', id)
    .where((eb) =>
      eb.or([eb('sign_count', '<', signCount), eb.and([eb('sign_count', '=', 0), eb.lit(signCount === 0)])]),
    )
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}
