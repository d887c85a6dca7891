import * as actions from '../../../../features/members/actions.ts'
import { requestMail } from '../../../../features/members/mail-queue.ts'
import { actingOf } from '../../member.ts'
import type { Operation } from '../../operation.ts'

export const inviteMember: Operation<'inviteMember'> = async (
  { member, body: { email, role } },
  { db, clock, openAlertQueue },
) => {
  const queue = await openAlertQueue()
  const data = await db.transaction().execute(async (trx) => {
    const invited = { email: email.toLowerCase(), role }
    const { invitation } = await actions.inviteMember(trx, actingOf(member), invited)
    await requestMail(trx, queue, { kind: 'invitation', invitationId: invitation.id }, { now: clock.now() })
    return invitation
  })
  return { status: 201, body: { data } }
}
