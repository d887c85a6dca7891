import { lockAccount } from '../../../features/accounts/account-store.ts'
import { takeAttempt, type AttemptLimit } from '../../../features/members/attempt-store.ts'
import { countLately, insertAuditEntry } from '../../../features/members/audit-store.ts'
import {
  countOpenInvitations,
  insertInvitation,
  openInvitationsMax,
} from '../../../features/members/invitation-store.ts'
import { requestMail } from '../../../features/members/mail-queue.ts'
import { listMembers, membersMax, TooManyMembers } from '../../../features/members/member-store.ts'
import { DashboardError } from '../errors.ts'
import { actorOf } from '../member.ts'
import type { Operation } from '../operation.ts'

// Neither an account nor a user with many of them must be a way to mail the world.
const invitationsAnHourMax = 20
const invitationsOfUser: AttemptLimit = {
  what: 'invitations of a user',
  max: invitationsAnHourMax,
  seconds: 3_600,
}

export const inviteMember: Operation<'inviteMember'> = async (
  { member, body },
  { db, clock, openAlertQueue },
) => {
  const { account, user } = member
  const email = body.email.toLowerCase()
  const queue = await openAlertQueue()
  const data = await db.transaction().execute(async (trx) => {
    await lockAccount(trx, account.id)
    const members = await listMembers(trx, account.id)
    if (members.some((one) => one.email.toLowerCase() === email)) {
      throw new DashboardError('conflict', { message: `${email} is a member already.` })
    }
    if (members.length >= membersMax)
      throw new DashboardError('conflict', { message: new TooManyMembers().message })
    if ((await countOpenInvitations(trx, account.id, { exceptEmail: email })) >= openInvitationsMax) {
      throw new DashboardError('conflict', {
        message: `The account has ${openInvitationsMax} open invitations, as many as one may have. Take some back first.`,
      })
    }
    const sentByAccount = await countLately(trx, account.id, 'member.invited')
    if (sentByAccount >= invitationsAnHourMax || (await takeAttempt(trx, invitationsOfUser, user.id)) > 0) {
      throw new DashboardError('too_many_attempts', {
        message: `An account, and its user, sends ${invitationsAnHourMax} invitations an hour. Try again later.`,
        headers: { 'Retry-After': '3600' },
      })
    }
    const { invitation } = await insertInvitation(trx, {
      accountId: account.id,
      email,
      role: body.role,
      invitedBy: user.id,
    })
    await insertAuditEntry(trx, {
      accountId: account.id,
      actor: actorOf(member),
      action: 'member.invited',
      subjectId: invitation.id,
      details: { email, role: body.role },
    })
    await requestMail(trx, queue, { kind: 'invitation', invitationId: invitation.id }, { now: clock.now() })
    return invitation
  })
  return { status: 201, body: { data } }
}
