import type { Trx } from '../../database/connect.ts'
import { lockAccount } from '../accounts/account-store.ts'
import {
  asOperator,
  insertAuditEntry,
  secondsUntilAllowed,
  type Acting,
  type UserActor,
} from '../audit/audit-store.ts'
import { FeatureError, tooOften } from '../feature-error.ts'
import { takeAttempt, type AttemptLimit } from './attempt-store.ts'
import * as invitations from './invitation-store.ts'
import * as members from './member-store.ts'
import type { MemberRecord, Role } from './member-store.ts'
import { deleteSecondFactor } from './second-factor-store.ts'

// What is done to the members of an account, at whichever entrance: limit, lock, row and audit entry. Each is part of the
// caller's transaction.

/** Invitations of an account that can be accepted at a time. */
export const openInvitationsMax = 100

// Neither an account nor a user with many of them must be a way to mail the world.
const most = 20
const ofAccount = { most, minutes: 60 }
const ofUser: AttemptLimit = { what: 'invitations of a user', max: most, seconds: 3_600 }

/**
 * Invites an address. An operator may do so without bounds.
 * @returns the invitation, and the token of its link, which is kept nowhere
 * @throws FeatureError conflict, or too_often
 */
export async function inviteMember(
  trx: Trx,
  by: Acting,
  { email, role }: { email: string; role: Role },
): Promise<{ invitation: invitations.Invitation; token: string }> {
  const { accountId, actor } = by
  if (actor.kind === 'user') await requireRoomForInvitation(trx, accountId, actor, email)
  const made = await invitations.insertInvitation(trx, by, { email, role })
  const subjectId = made.invitation.id
  await insertAuditEntry(trx, { ...by, action: 'member.invited', subjectId, details: { email, role } })
  return made
}

async function requireRoomForInvitation(
  trx: Trx,
  accountId: string,
  { userId }: UserActor,
  email: string,
): Promise<void> {
  await lockAccount(trx, accountId)
  const present = await members.listMembers(trx, accountId)
  if (present.some((one) => one.email.toLowerCase() === email))
    throw new FeatureError(`${email} is a member already.`, { code: 'conflict' })
  members.requireRoomForMembers(present.length + 1)
  const open = await invitations.listInvitations(trx, accountId)
  // The new one replaces an earlier one to the same address.
  if (open.filter((one) => one.email !== email).length >= openInvitationsMax) {
    const fact = `The account has ${openInvitationsMax} open invitations, as many as one may have.`
    throw new FeatureError(`${fact} Take some back first.`, { code: 'conflict' })
  }
  const isTooOften =
    (await secondsUntilAllowed(trx, accountId, { action: 'member.invited' }, ofAccount)) > 0 ||
    (await takeAttempt(trx, ofUser, userId)) > 0
  if (isTooOften) throw tooOften(`An account, and its user, sends ${most} invitations an hour.`, 3_600)
}

/** @throws FeatureError not_found */
export async function revokeInvitation(trx: Trx, by: Acting, id: string): Promise<void> {
  const { email } = await invitations.deleteInvitation(trx, by.accountId, id)
  await insertAuditEntry(trx, {
    ...by,
    action: 'member.invitation_revoked',
    subjectId: id,
    details: { email },
  })
}

/**
 * Uses an invitation up, and makes the user a member. A user who is one already keeps the role.
 * @returns the account that was joined; undefined when the token is no invitation to this address that holds
 * @throws FeatureError conflict when the account has too many members
 */
export async function acceptInvitation(
  trx: Trx,
  actor: UserActor,
  token: string,
): Promise<string | undefined> {
  const { userId, email } = actor
  const joined = await invitations.acceptInvitation(trx, { token, userId, email })
  if (!joined?.isNew) return joined?.accountId
  const { accountId, role } = joined
  const details = { email, role }
  await insertAuditEntry(trx, { accountId, actor, action: 'member.joined', subjectId: userId, details })
  return accountId
}

/** @throws FeatureError not_found, or last_owner */
export async function changeRole(trx: Trx, by: Acting, userId: string, role: Role): Promise<MemberRecord> {
  const { accountId } = by
  const before = await members.getMemberRecord(trx, accountId, userId)
  if (before.role === role) return before
  await members.setRole(trx, { accountId, userId, role })
  const details = { email: before.email, role }
  await insertAuditEntry(trx, { ...by, action: 'member.role_changed', subjectId: userId, details })
  return { ...before, role }
}

/** @throws FeatureError not_found, or last_owner */
export async function removeMember(trx: Trx, by: Acting, userId: string): Promise<void> {
  const { email } = await members.getMemberRecord(trx, by.accountId, userId)
  await members.deleteMember(trx, by.accountId, userId)
  await insertAuditEntry(trx, { ...by, action: 'member.removed', subjectId: userId, details: { email } })
}

/**
 * Takes a user's second factor and passkeys away, as an operator. It is noted in each of the user's accounts.
 * @returns the accounts
 * @throws FeatureError conflict when there is none
 */
export async function resetSecondFactor(trx: Trx, userId: string, email: string): Promise<string[]> {
  if (!(await deleteSecondFactor(trx, userId)))
    throw new FeatureError(`${email} has no second factor and no passkey.`, { code: 'conflict' })
  const accountIds = (await members.listMemberships(trx, userId)).map(({ id }) => id)
  for (const accountId of accountIds) {
    const entry = { action: 'member.second_factor_reset', subjectId: userId, details: { email } } as const
    await insertAuditEntry(trx, { ...asOperator(accountId), ...entry })
  }
  return accountIds
}
