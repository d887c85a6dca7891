import { sql } from 'kysely'
import type { Db, Trx } from '../../database/connect.ts'
import { insertAccount } from '../accounts/account-store.ts'

export type Role = 'owner' | 'member'

export interface Membership {
  id: string
  name: string
  role: Role
}

/** The accounts a user is a member of, the one joined first first. */
export async function listMemberships(db: Db, userId: string): Promise<Membership[]> {
  return db
    .selectFrom('members')
    .innerJoin('accounts', 'accounts.id', 'members.account_id')
    .select(['accounts.id', 'accounts.name', sql<Role>`members.role`.as('role')])
    .where('members.user_id', '=', userId)
    .orderBy('members.created_at')
    .orderBy('accounts.id')
    .execute()
}

/**
 * The same for a user who may have none yet: who has just signed up, or has left the last one, owns a new account on the
 * free plan.
 */
export async function ensureMemberships(
  db: Db,
  user: { id: string; name: string },
): Promise<[Membership, ...Membership[]]> {
  const [first, ...more] = await listMemberships(db, user.id)
  if (first) return [first, ...more]
  return db.transaction().execute(async (trx) => {
    // Two requests of a user who has just signed up make one account.
    await trx.selectFrom('auth_users').select('id').where('id', '=', user.id).forUpdate().execute()
    const [made, ...others] = await listMemberships(trx, user.id)
    if (made) return [made, ...others]
    const account = await insertAccount(trx, user.name)
    await insertMember(trx, { accountId: account.id, userId: user.id, role: 'owner' })
    return [{ id: account.id, name: account.name, role: 'owner' }]
  })
}

export async function insertMember(
  trx: Trx,
  { accountId, userId, role }: { accountId: string; userId: string; role: Role },
): Promise<void> {
  await trx.insertInto('members').values({ account_id: accountId, user_id: userId, role }).execute()
}
