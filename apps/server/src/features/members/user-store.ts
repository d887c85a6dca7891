import { sql } from 'kysely'
import type { Db, Trx } from '../../database/connect.ts'
import { newId } from '../../platform/ids.ts'
import { endSessions } from './session-store.ts'

// We make users and set their passwords. better-auth reads the rows at sign-in.

/** A slow hash with its salt, as better-auth compares it. Not in a transaction: it takes a tenth of a second. */
export async function hashPassword(password: string): Promise<string> {
  const { hashPassword: hash } = await import('better-auth/crypto')
  return hash(password)
}

/** A user whose address needs no verification, because an operator vouches for it. */
export async function insertVerifiedUser(
  trx: Trx,
  { name, email, password }: { name: string; email: string; password: string },
): Promise<string> {
  const id = await insertUser(trx, { name, email, passwordHash: await hashPassword(password) })
  if (id === null) throw new Error(`There is a user ${email} already.`)
  return id
}

/**
 * A user with a verified mailbox.
 * @returns the id; null when there is a user with this address
 */
export async function insertUser(
  trx: Trx,
  { name, email, passwordHash }: { name: string; email: string; passwordHash: string },
): Promise<string | null> {
  const id = newId('usr')
  const row = await trx
    .insertInto('auth_users')
    .values({ id, name, email: email.toLowerCase(), email_verified: true })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!row) return null
  await insertPassword(trx, id, passwordHash)
  return id
}

export async function findUserId(db: Db, email: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('auth_users')
    .select('id')
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst()
  return row?.id
}

/** Sets the password of the mailbox's user. Every session and every incomplete sign-in ends. */
export async function setPassword(trx: Trx, userId: string, passwordHash: string): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('auth_credentials')
    .set({ password: passwordHash, updated_at: sql<string>`ratecard_now()` })
    .where('user_id', '=', userId)
    .where('provider_id', '=', 'credential')
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) await insertPassword(trx, userId, passwordHash)
  await endSessions(trx, userId)
}

async function insertPassword(trx: Trx, userId: string, passwordHash: string): Promise<void> {
  await trx
    .insertInto('auth_credentials')
    .values({
      id: newId('auth'),
      user_id: userId,
      account_id: userId,
      provider_id: 'credential',
      password: passwordHash,
    })
    .execute()
}

export async function isPresentPassword(db: Db, userId: string, password: string): Promise<boolean> {
  const row = await db
    .selectFrom('auth_credentials')
    .select('password')
    .where('user_id', '=', userId)
    .where('provider_id', '=', 'credential')
    .executeTakeFirst()
  const { verifyPassword } = await import('better-auth/crypto')
  return row?.password != null && (await verifyPassword({ hash: row.password, password }))
}

/** Memberships, invitations and the second factor are deleted with the user. */
export async function deleteUser(trx: Trx, { id, email }: { id: string; email: string }): Promise<void> {
  await endSessions(trx, id)
  await trx.deleteFrom('mailed_links').where('email', '=', email).execute()
  await trx.deleteFrom('auth_users').where('id', '=', id).execute()
}

/** Deletes those of these users who are members of nothing here. */
export async function deleteUsersWithoutAccount(trx: Trx, ids: readonly string[]): Promise<void> {
  await sql`
    delete from auth_users u where u.id = any(${ids}::text[])
      and not exists (select from members m where m.user_id = u.id)`.execute(trx)
}
