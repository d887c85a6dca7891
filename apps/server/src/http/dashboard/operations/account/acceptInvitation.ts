import * as actions from '../../../../features/members/actions.ts'
import { listMemberships } from '../../../../features/members/member-store.ts'
import { lookAt } from '../../../../features/members/session-store.ts'
import { DashboardError } from '../../errors.ts'
import { actorOf } from '../../member.ts'
import { meBody } from '../../me-body.ts'
import type { Operation } from '../../operation.ts'

export const acceptInvitation: Operation<'acceptInvitation'> = async ({ member, body }, services) => {
  const { user, sessionId } = member
  const joined = await services.db.transaction().execute(async (trx) => {
    const accountId = await actions.acceptInvitation(trx, actorOf(member), body.token)
    if (accountId !== undefined) await lookAt(trx, sessionId, accountId)
    return accountId
  })
  const accounts = await listMemberships(services.db, user.id)
  const account = accounts.find(({ id }) => id === joined)
  if (!account) {
    throw new DashboardError('not_found', {
      message: `This invitation does not work for ${user.email}. It may be used or too old, or it was sent to another address: sign in with that one.`,
    })
  }
  return { status: 200, body: await meBody({ ...member, account, accounts }, services) }
}
