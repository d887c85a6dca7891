import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import { utcText } from '../../database/keyset.ts'

// Sessions are better-auth's rows. It reads them at every request, so a change takes effect at once.

/** The user's sessions, newest first. */
export async function listSessions(db: Db, userId: string) {
  const rows = await db
    .selectFrom('auth_sessions')
    .select(['id', 'user_agent', 'ip_address', utcText('created_at').as('created_at')])
    .select([utcText('updated_at').as('last_seen_at'), utcText('expires_at').as('expires_at')])
    .where('user_id', '=', userId)
    .where('expires_at', '>', sql<string>`ratecard_now()`)
    .orderBy('auth_sessions.created_at', 'desc')
    .orderBy('id')
    .execute()
  // better-auth writes an empty text for an unknown value.
  return rows.map((row) => ({
    ...row,
    user_agent: row.user_agent || null,
    ip_address: row.ip_address || null,
  }))
}

/** @returns whether the user had it */
export async function deleteSession(db: Db, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('auth_sessions')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

export async function deleteSessionOf(db: Db, token: string): Promise<void> {
  await db.deleteFrom('auth_sessions').where('token', '=', token).execute()
}

/** Sets the account that the session shows. */
export async function lookAt(db: Db, sessionId: string, accountId: string): Promise<void> {
  await db.updateTable('auth_sessions').set({ account_id: accountId }).where('id', '=', sessionId).execute()
}

/** Ends every session and every incomplete sign-in. */
export async function endSessions(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('auth_sessions').where('user_id', '=', userId).execute()
  await db.deleteFrom('auth_verifications').where('value', '=', userId).execute()
}

/** @param kept the session that stays */
export async function endOtherSessions(
  db: Db,
  userId: string,
  kept: { id: string } | { token: string },
): Promise<void> {
  const others = db.deleteFrom('auth_sessions').where('user_id', '=', userId)
  await ('id' in kept ? others.where('id', '<>', kept.id) : others.where('token', '<>', kept.token)).execute()
}

/** More than any user has browsers. Beyond it the oldest sessions end. */
const sessionsMax = 50

export async function endOldestSessions(db: Db, email: string): Promise<void> {
  await db
    .deleteFrom('auth_sessions')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('auth_sessions')
        .innerJoin('auth_users', 'auth_users.id', 'auth_sessions.user_id')
        .select('auth_sessions.id')
        .where('auth_users.email', '=', email)
        .orderBy('auth_sessions.created_at', 'desc')
        .offset(sessionsMax),
    )
    .execute()
}
