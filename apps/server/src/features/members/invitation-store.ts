import { sql } from 'kysely'
import { z } from 'zod'
import type { Db, Trx } from '../../database/connect.ts'
import { utcText } from '../../database/keyset.ts'
import { newId } from '../../platform/ids.ts'
import { lockAccount } from '../accounts/account-store.ts'
import type { Acting } from '../audit/audit-store.ts'
import { notFound } from '../feature-error.ts'
import { hashToken, newToken } from './mailed-link-store.ts'
import { insertMember, listMembers, requireRoomForMembers, Role } from './member-store.ts'
import { Email, Id, Timestamp } from '../../platform/forms.ts'

export const Invitation = z.strictObject({
  id: Id,
  email: Email,
  role: Role,
  invited_at: Timestamp,
  /** When its link stops working: after 7 days. */
  expires_at: Timestamp,
})
export type Invitation = z.infer<typeof Invitation>

const validity = sql`interval '7 days'`
/** Made by an operator, or by a user who may still invite. */
const madeByAnOwner = sql<boolean>`(invited_by is null or exists (
  select from members m
  where m.account_id = invitations.account_id and m.user_id = invitations.invited_by and m.role = 'owner'))`

const columns = [
  'id',
  'email',
  sql<Role>`role`.as('role'),
  utcText('created_at').as('invited_at'),
  utcText('expires_at').as('expires_at'),
] as const

/** Invitations that can still be accepted, newest first. */
export async function listInvitations(db: Db, accountId: string): Promise<Invitation[]> {
  return db
    .selectFrom('invitations')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('expires_at', '>', sql<string>`ratecard_now()`)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
}

/** Whether an invitation waits for this address, to any account. */
export async function isInvited(db: Db, email: string): Promise<boolean> {
  const row = await db
    .selectFrom('invitations')
    .select('id')
    .where('email', '=', email)
    .where('expires_at', '>', sql<string>`ratecard_now()`)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Invites an address and replaces its earlier invitation: of two links the newer works.
 * @returns the invitation, and the token of its link, which is not stored
 */
export async function insertInvitation(
  trx: Trx,
  { accountId, actor }: Acting,
  { email, role }: { email: string; role: Role },
): Promise<{ invitation: Invitation; token: string }> {
  const { token, tokenHash } = newToken()
  const values = {
    id: newId('inv'),
    role,
    token_hash: tokenHash,
    invited_by: actor.kind === 'user' ? actor.userId : null,
    created_at: sql<string>`ratecard_now()`,
    expires_at: sql<string>`ratecard_now() + ${validity}`,
  }
  const invitation = await trx
    .insertInto('invitations')
    .values({ account_id: accountId, email, ...values })
    .onConflict((conflict) => conflict.columns(['account_id', 'email']).doUpdateSet(values))
    .returning(columns)
    .executeTakeFirstOrThrow()
  return { invitation, token }
}

/** @throws FeatureError not_found */
export async function deleteInvitation(trx: Trx, accountId: string, id: string): Promise<Invitation> {
  const invitation = await trx
    .deleteFrom('invitations')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst()
  if (!invitation) throw notFound('invitation', id)
  return invitation
}

/** Undefined: it was deleted, accepted or replaced, or its author may not invite any more. */
export async function findInvitationToMail(db: Db, id: string) {
  return db
    .selectFrom('invitations')
    .innerJoin('accounts', 'accounts.id', 'invitations.account_id')
    .innerJoin('auth_users', 'auth_users.id', 'invitations.invited_by')
    .select(['invitations.email', 'accounts.name as accountName', 'auth_users.name as inviterName'])
    .select('auth_users.email as inviterEmail')
    .where('invitations.id', '=', id)
    .where('invitations.expires_at', '>', sql<string>`ratecard_now()`)
    .where(madeByAnOwner)
    .executeTakeFirst()
}

/** What an invitation that holds is to. By whom is an address: a name is of their own choosing. */
export async function findInvitation(db: Db, token: string) {
  return db
    .selectFrom('invitations')
    .innerJoin('accounts', 'accounts.id', 'invitations.account_id')
    .leftJoin('auth_users', 'auth_users.id', 'invitations.invited_by')
    .select(['accounts.name as account', 'auth_users.email as invited_by', sql<Role>`role`.as('role')])
    .where('token_hash', '=', hashToken(token))
    .where('invitations.expires_at', '>', sql<string>`ratecard_now()`)
    .where(madeByAnOwner)
    .executeTakeFirst()
}

/**
 * Replaces the token of an invitation.
 * @returns the token, which is not stored; undefined: the invitation is gone
 */
export async function renewInvitationToken(db: Db, id: string): Promise<string | undefined> {
  const { token, tokenHash } = newToken()
  const { numUpdatedRows } = await db
    .updateTable('invitations')
    .set({ token_hash: tokenHash })
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n ? token : undefined
}

/**
 * Consumes an invitation and makes the user a member. A user who is a member already keeps the role.
 * @param email the verified address of the user
 * @returns the account that was joined; undefined when the token is no invitation to this address that holds
 * @throws FeatureError conflict when the account has too many members
 */
export async function acceptInvitation(
  trx: Trx,
  { token, userId, email }: { token: string; userId: string; email: string },
): Promise<{ accountId: string; role: Role; isNew: boolean } | undefined> {
  const tokenHash = hashToken(token)
  const invited = await trx
    .selectFrom('invitations')
    .select('account_id')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  if (!invited) return undefined
  // The account is locked before the invitation, as when inviting. That prevents a deadlock and a wrong count of
  // members.
  await lockAccount(trx, invited.account_id)
  const invitation = await trx
    .deleteFrom('invitations')
    .where('token_hash', '=', tokenHash)
    .where(sql<string>`lower(email)`, '=', email.toLowerCase())
    .where('expires_at', '>', sql<string>`ratecard_now()`)
    .where(madeByAnOwner)
    .returning(['account_id', sql<Role>`role`.as('role')])
    .executeTakeFirst()
  if (!invitation) return undefined
  const { account_id: accountId, role } = invitation
  const isNew = await insertMember(trx, { accountId, userId, role })
  if (isNew) requireRoomForMembers((await listMembers(trx, accountId)).length)
  return { accountId, role, isNew }
}
