import { sql } from 'kysely'
import { z } from 'zod'
import type { Db, Trx } from '../../database/connect.ts'
import { utcText } from '../../database/keyset.ts'
import { lockAccount } from '../accounts/account-store.ts'
import { AccountStopped } from '../accounts/elsewhere.ts'
import { FeatureError, notFound } from '../feature-error.ts'
import { Email, Id, Name, Timestamp } from '../../platform/forms.ts'

/** What a member may do. An owner also manages members, billing and the name of the account. */
export const Role = z.enum(['owner', 'member'])
export type Role = z.infer<typeof Role>

export interface Membership {
  id: string
  name: string
  role: Role
}

/**
 * The accounts of a user, in the order of joining.
 * @throws AccountStopped while one of them moves to another cell, and the user with it
 */
export async function listMemberships(db: Db, userId: string): Promise<Membership[]> {
  const rows = await db
    .selectFrom('members')
    .innerJoin('accounts', 'accounts.id', 'members.account_id')
    .select(['accounts.id', 'accounts.name', sql<Role>`members.role`.as('role'), 'accounts.is_stopped'])
    .where('members.user_id', '=', userId)
    .orderBy('members.created_at')
    .orderBy('accounts.id')
    .execute()
  if (rows.some(({ is_stopped }) => is_stopped)) throw new AccountStopped()
  return rows.map(({ id, name, role }) => ({ id, name, role }))
}

/**
 * What the user of a session is in an account at this moment; undefined: the session has ended.
 * @param accountId empty: none
 */
export async function findStanding(
  trx: Trx,
  sessionId: string,
  accountId: string,
): Promise<{ role: Role | null } | undefined> {
  return trx
    .selectFrom('auth_sessions')
    .leftJoin('members', (join) =>
      join.onRef('members.user_id', '=', 'auth_sessions.user_id').on('members.account_id', '=', accountId),
    )
    .select(sql<Role | null>`members.role`.as('role'))
    .where('auth_sessions.id', '=', sessionId)
    .executeTakeFirst()
}

/** @returns false when the user is a member already, whose role stays */
export async function insertMember(
  trx: Trx,
  { accountId, userId, role }: { accountId: string; userId: string; role: Role },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await trx
    .insertInto('members')
    .values({ account_id: accountId, user_id: userId, role })
    .onConflict((conflict) => conflict.columns(['account_id', 'user_id']).doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows > 0n
}

/** More people than manage prices in one company. */
export const membersMax = 200

/** @throws FeatureError conflict when an account has `count` members and that is too many */
export function requireRoomForMembers(count: number): void {
  if (count <= membersMax) return
  const fact = `The account has ${membersMax} members, as many as one may have. An owner can remove somebody.`
  throw new FeatureError(fact, { code: 'conflict' })
}

export const Member = z.strictObject({
  user_id: Id,
  name: Name,
  email: Email,
  role: Role,
  joined_at: Timestamp,
})
export type MemberRecord = z.infer<typeof Member>

function selectMembers(db: Db, accountId: string) {
  return db
    .selectFrom('members')
    .innerJoin('auth_users', 'auth_users.id', 'members.user_id')
    .select(['members.user_id', 'auth_users.name', 'auth_users.email', sql<Role>`members.role`.as('role')])
    .select(utcText('members.created_at').as('joined_at'))
    .where('members.account_id', '=', accountId)
}

/** Owners first, each group in the order of joining. */
export async function listMembers(db: Db, accountId: string): Promise<MemberRecord[]> {
  return selectMembers(db, accountId)
    .orderBy(sql`members.role = 'owner'`, 'desc')
    .orderBy('members.created_at')
    .orderBy('members.user_id')
    .execute()
}

/** @throws FeatureError not_found */
export async function getMemberRecord(db: Db, accountId: string, userId: string): Promise<MemberRecord> {
  const member = await selectMembers(db, accountId).where('members.user_id', '=', userId).executeTakeFirst()
  if (!member) throw notFound('member', userId)
  return member
}

/**
 * Changes a role. What was invited by who is no owner any more is taken back.
 * @throws FeatureError last_owner when there would be none left
 */
export async function setRole(
  trx: Trx,
  { accountId, userId, role }: { accountId: string; userId: string; role: Role },
): Promise<void> {
  if (role === 'member') await endOwnership(trx, accountId, userId)
  await trx
    .updateTable('members')
    .set({ role })
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .execute()
}

/**
 * Removes a member, and what they invited.
 * @throws FeatureError last_owner when there would be none left
 */
export async function deleteMember(trx: Trx, accountId: string, userId: string): Promise<void> {
  await endOwnership(trx, accountId, userId)
  await trx.deleteFrom('members').where('account_id', '=', accountId).where('user_id', '=', userId).execute()
}

/**
 * Takes back what the user invited. An account without an owner could never be given one. Two owners who leave at the
 * same time do so one after the other: the account is locked.
 */
async function endOwnership(trx: Trx, accountId: string, userId: string): Promise<void> {
  await lockAccount(trx, accountId)
  const owners = (await listMembers(trx, accountId)).filter(({ role }) => role === 'owner')
  if (owners.length === 1 && owners[0]?.user_id === userId)
    throw new FeatureError('An account needs an owner. Make somebody else one first.', { code: 'last_owner' })
  await trx
    .deleteFrom('invitations')
    .where('account_id', '=', accountId)
    .where('invited_by', '=', userId)
    .execute()
}
