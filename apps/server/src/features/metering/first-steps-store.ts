import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../database/connect.ts'

/** How far a new account has come. */
export const FirstSteps = z.strictObject({ has_key: z.boolean(), is_counted: z.boolean() })
type FirstSteps = z.infer<typeof FirstSteps>

/**
 * Null: a member has put the steps away, or a request was counted before the present UTC day. A row of usage is enough
 * to say so, and no page of an account that is in use reads more of them.
 */
export async function readFirstSteps(db: Db, accountId: string): Promise<FirstSteps | null> {
  const used = (days: 'before' | 'today') => sql<boolean>`exists (
    select from (select distinct quota_subject from api_keys where account_id = a.id) s
    cross join lateral (
      select from usage_entries e where e.quota_subject = s.quota_subject
        and ${days === 'today' ? sql`e.day = utc.day` : sql`e.day < utc.day`}
      limit 1
    ) used
  )`
  const { rows } = await sql<FirstSteps>`
    select exists (
        select from api_keys k
        where k.account_id = a.id and (k.ends_at is null or k.ends_at > utc.now)
      ) as has_key,
      ${used('today')} as is_counted
    from accounts a
    cross join lateral (
      select c.now, (c.now at time zone 'utc')::date as day from (select ratecard_now() as now) c
    ) utc
    where a.id = ${accountId} and a.first_steps_ended_at is null and not ${used('before')}`.execute(db)
  return rows[0] ?? null
}

/** Puts the first steps away, for all members of the account. */
export async function endFirstSteps(db: Db, accountId: string): Promise<void> {
  await db
    .updateTable('accounts')
    .set({ first_steps_ended_at: sql<string>`ratecard_now()` })
    .where('id', '=', accountId)
    .where('first_steps_ended_at', 'is', null)
    .execute()
}
