import { insertAuditEntry } from '../../../features/members/audit-store.ts'
import { acceptInvitation as accept } from '../../../features/members/invitation-store.ts'
import { listMemberships, TooManyMembers } from '../../../features/members/member-store.ts'
import { lookAt } from '../../../features/members/session-store.ts'
import { DashboardError } from '../errors.ts'
import { actorOf } from '../member.ts'
import { meBody } from '../me-body.ts'
import type { Operation } from '../operation.ts'

export const acceptInvitation: Operation<'acceptInvitation'> = async ({ member, body }, services) => {
  const { user, sessionId } = member
  const joined = await services.db.transaction().execute(async (trx) => {
    const invited = { token: body.token, userId: user.id, email: user.email }
    const outcome = await accept(trx, invited).catch((error: unknown) => {
      if (!(error instanceof TooManyMembers)) throw error
      throw new DashboardError('conflict', { message: error.message })
    })
    if (!outcome) return null
    const { accountId, role, isNew } = outcome
    await lookAt(trx, sessionId, accountId)
    if (isNew) {
      await insertAuditEntry(trx, {
        accountId,
        actor: actorOf(member),
        action: 'member.joined',
        subjectId: user.id,
        details: { email: user.email, role },
      })
    }
    return outcome
  })
  const accounts = await listMemberships(services.db, user.id)
  const account = accounts.find(({ id }) => id === joined?.accountId)
  if (!account) {
    throw new DashboardError('not_found', {
      message: `This invitation does not work for ${user.email}. It may be used or too old, or it was sent to another address: sign in with that one.`,
    })
  }
  return { status: 200, body: await meBody({ ...member, account, accounts }, services) }
}
