import { sql } from 'kysely'
import type { Db, Trx } from '../../database/connect.ts'
import { utcText } from '../../database/keyset.ts'
import { lockAccount } from '../accounts/account-store.ts'
import { FeatureError, notFound } from '../feature-error.ts'
import { deleteInvitationsBy } from './invitation-store.ts'

export type Role = 'owner' | 'member'

export interface Membership {
  id: string
  name: string
  role: Role
}

/** The accounts of a user, in the order of joining. */
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

export async function countMembers(db: Db, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom('members')
    .select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return count
}

export interface MemberRecord {
  user_id: string
  name: string
  email: string
  role: Role
  joined_at: string
}

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

async function findMemberRecord(
  db: Db,
  accountId: string,
  userId: string,
): Promise<MemberRecord | undefined> {
  return selectMembers(db, accountId).where('members.user_id', '=', userId).executeTakeFirst()
}

/** @throws FeatureError not_found */
export async function getMemberRecord(db: Db, accountId: string, userId: string): Promise<MemberRecord> {
  const member = await findMemberRecord(db, accountId, userId)
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
  if (role === 'member') {
    await keepAnOwner(trx, accountId, userId)
    await deleteInvitationsBy(trx, accountId, userId)
  }
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
  await keepAnOwner(trx, accountId, userId)
  await deleteInvitationsBy(trx, accountId, userId)
  await trx.deleteFrom('members').where('account_id', '=', accountId).where('user_id', '=', userId).execute()
}

/**
 * An account without an owner could never be given one. Two owners who leave at the same time do so one after the other:
 * the account is locked.
 */
async function keepAnOwner(trx: Trx, accountId: string, leavingUserId: string): Promise<void> {
  await lockAccount(trx, accountId)
  const others = await trx
    .selectFrom('members')
    .select('user_id')
    .where('account_id', '=', accountId)
    .where('role', '=', 'owner')
    .where('user_id', '<>', leavingUserId)
    .limit(1)
    .execute()
  if (others.length === 0 && (await findMemberRecord(trx, accountId, leavingUserId))?.role === 'owner') {
    throw new FeatureError('An account needs an owner. Make somebody else one first.', { code: 'last_owner' })
  }
}

/** Deletes the members of an account that is deleted. */
export async function deleteMembersOf(trx: Trx, accountId: string): Promise<void> {
  await trx.deleteFrom('members').where('account_id', '=', accountId).execute()
}
