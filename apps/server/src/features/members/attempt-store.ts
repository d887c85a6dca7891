import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'

/** The number of attempts in a time that begins with the first one. */
export interface AttemptLimit {
  /** The kind of attempt. */
  what: string
  max: number
  seconds: number
}

/**
 * Counts an attempt before it is made: of many simultaneous attempts no more than the limit pass. In a transaction,
 * other attempts of the same subject wait for its end.
 * @param subject an address or a user
 * @returns seconds until the next attempt is allowed; 0: this one is
 */
export async function takeAttempt(db: Db, limit: AttemptLimit, subject: string): Promise<number> {
  const key = hashKey(limit, subject)
  const { rows: granted } = await sql`
    insert into attempts as a (key, count, ends_at)
    values (${key}, 1, ratecard_now() + make_interval(secs => ${limit.seconds}))
    on conflict (key) do update set
      count = case when a.ends_at <= ratecard_now() then 1 else a.count + 1 end,
      ends_at = case when a.ends_at <= ratecard_now() then excluded.ends_at else a.ends_at end
    where a.ends_at <= ratecard_now() or a.count < ${limit.max}
    returning 1`.execute(db)
  if (granted.length > 0) return 0
  const row = await db
    .selectFrom('attempts')
    .select(sql<number>`ceil(extract(epoch from ends_at - ratecard_now()))::int`.as('wait'))
    .where('key', '=', key)
    .executeTakeFirst()
  return Math.max(1, row?.wait ?? 1)
}

/** Takes back a count: it was no attempt, or it succeeded. */
export async function returnAttempt(db: Db, limit: AttemptLimit, subject: string): Promise<void> {
  await db
    .updateTable('attempts')
    .set((eb) => ({ count: eb('count', '-', 1) }))
    .where('key', '=', hashKey(limit, subject))
    .where('count', '>', 0)
    .execute()
}

function hashKey({ what }: AttemptLimit, subject: string): Buffer {
  return createHash('sha256').update(`${what}\n${subject}`).digest()
}
