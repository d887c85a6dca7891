import { countLately, insertAuditEntry } from '../../../features/members/audit-store.ts'
import { insertInvitation } from '../../../features/members/invitation-store.ts'
import { listMembers } from '../../../features/members/member-store.ts'
import { DashboardError } from '../errors.ts'
import { actorOf } from '../member.ts'
import type { Operation } from '../operation.ts'

// An account must not be a way to mail the world.
const invitationsAnHourMax = 20

export const inviteMember: Operation<'inviteMember'> = async (
  { member, body },
  { db, sendMail, dashboardUrl },
) => {
  const { account, user } = member
  const email = body.email.toLowerCase()
  const members = await listMembers(db, account.id)
  if (members.some((one) => one.email.toLowerCase() === email)) {
    throw new DashboardError('conflict', { message: `${email} is a member already.` })
  }
  if ((await countLately(db, account.id, 'member.invited')) >= invitationsAnHourMax) {
    throw new DashboardError('too_many_attempts', {
      message: `An account sends ${invitationsAnHourMax} invitations an hour. Try again later.`,
      headers: { 'Retry-After': '3600' },
    })
  }
  const { invitation, token } = await db.transaction().execute(async (trx) => {
    const made = await insertInvitation(trx, {
      accountId: account.id,
      email,
      role: body.role,
      invitedBy: user.id,
    })
    await insertAuditEntry(trx, {
      accountId: account.id,
      actor: actorOf(member),
      action: 'member.invited',
      subjectId: made.invitation.id,
      details: { email, role: body.role },
    })
    return made
  })
  await sendMail({
    to: email,
    subject: `Join ${account.name} on Ratecard`,
    text: `${user.name} (${user.email}) invites you to the account ${account.name}. The link works for 7 days, for whoever signs in with this address: sign up first if you have not yet, then follow it again.`,
    link: `${dashboardUrl}/accept-invitation#token=${token}`,
  })
  return { status: 201, body: { data: invitation } }
}
