import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Trx } from '../../database/connect.ts'
import { utcText } from '../../database/keyset.ts'
import { newId, randomBase62 } from '../../platform/ids.ts'
import { insertMember, type Role } from './member-store.ts'

export interface Invitation {
  id: string
  email: string
  role: Role
  invited_at: string
  expires_at: string
}

// 238 bits.
const tokenLength = 40
const validity = sql`interval '7 days'`

const columns = [
  'id',
  'email',
  sql<Role>`role`.as('role'),
  utcText('created_at').as('invited_at'),
  utcText('expires_at').as('expires_at'),
] as const

/** Those that can still be accepted, newest first. */
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

/**
 * Invites an address, in place of the invitation it had: of two links the newer works.
 * @param invitedBy the user who does; null: an operator
 * @returns the invitation, and the token of its link, which is kept nowhere
 */
export async function insertInvitation(
  trx: Trx,
  {
    accountId,
    email,
    role,
    invitedBy,
  }: { accountId: string; email: string; role: Role; invitedBy: string | null },
): Promise<{ invitation: Invitation; token: string }> {
  const token = randomBase62(tokenLength)
  const values = {
    id: newId('inv'),
    role,
    token_hash: hashToken(token),
    invited_by: invitedBy,
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

/** @returns the invitation that was taken back; undefined: the account has none with this id */
export async function deleteInvitation(
  trx: Trx,
  accountId: string,
  id: string,
): Promise<Invitation | undefined> {
  return trx
    .deleteFrom('invitations')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst()
}

/**
 * Uses an invitation up, and makes the user a member. Who is one already keeps the role.
 * @param email the verified address of the user
 * @returns the account that was joined; undefined when the token is no invitation to this address that holds
 */
export async function acceptInvitation(
  trx: Trx,
  { token, userId, email }: { token: string; userId: string; email: string },
): Promise<{ accountId: string; role: Role; isNew: boolean } | undefined> {
  const invitation = await trx
    .deleteFrom('invitations')
    .where('token_hash', '=', hashToken(token))
    .where(sql<string>`lower(email)`, '=', email.toLowerCase())
    .where('expires_at', '>', sql<string>`ratecard_now()`)
    .returning(['account_id', sql<Role>`role`.as('role')])
    .executeTakeFirst()
  if (!invitation) return undefined
  const { account_id: accountId, role } = invitation
  const isNew = await insertMember(trx, { accountId, userId, role })
  return { accountId, role, isNew }
}

function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
