import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import { deletedAtATime } from '../../database/steps.ts'

/** The column with the instant from which on a row is of no use, by table. */
const endsAt = {
  attempts: 'ends_at',
  auth_sessions: 'expires_at',
  // Sign-ins that stopped at the second factor.
  auth_verifications: 'expires_at',
  // Of what is followed: what was never confirmed.
  followers: 'expires_at',
  invitations: 'expires_at',
  mailed_links: 'expires_at',
} as const
export type ExpiringTable = keyof typeof endsAt

/**
 * A bounded number of rows of each table. A session that is used meanwhile gets a later end, and stays.
 * @returns how many rows had expired
 */
export async function deleteExpired(db: Db, ...tables: ExpiringTable[]): Promise<number> {
  let count = 0
  for (const table of tables) {
    const isOver = sql`${sql.ref(endsAt[table])} < (select ratecard_now())`
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(table)}
      where ctid = any (array(select ctid from ${sql.table(table)} where ${isOver} limit ${deletedAtATime}::int))
        and ${isOver}`.execute(db)
    count += Number(numAffectedRows)
  }
  return count
}
