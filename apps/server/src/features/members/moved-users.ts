import { sql } from 'kysely'
import type { Db, Trx } from '../../database/connect.ts'

// People whose accounts have moved to another cell. They may still sign in here, to be told where.

/** Keeps the way to an account whose members are about to go. Who has no other account is signed out. */
export async function leaveMembers(trx: Trx, accountId: string): Promise<void> {
  await sql`
    insert into moved_users (user_id, account_id)
    select user_id, account_id from members where account_id = ${accountId} on conflict do nothing`.execute(
    trx,
  )
  await sql`
    delete from auth_sessions s using members m
    where m.account_id = ${accountId} and s.user_id = m.user_id
      and not exists (select from members o where o.user_id = m.user_id and o.account_id <> m.account_id)`.execute(
    trx,
  )
}

/** Of an account that is here again. */
export async function forgetMoved(trx: Trx, accountId: string): Promise<void> {
  await trx.deleteFrom('moved_users').where('account_id', '=', accountId).execute()
}

/** The accounts of a user that are in other cells now. */
export async function listElsewhere(db: Db, userId: string): Promise<{ cell: string }[]> {
  const { rows } = await sql<{ cell: string }>`
    select distinct m.cell from moved_users u
    join account_moves m on m.account_id = u.account_id and m.direction = 'out' and m.state = 'left'
    where u.user_id = ${userId} order by m.cell`.execute(db)
  return rows
}
