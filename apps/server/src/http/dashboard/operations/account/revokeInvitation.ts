import * as actions from '../../../../features/members/actions.ts'
import { actingOf } from '../../member.ts'
import type { Operation } from '../../operation.ts'

export const revokeInvitation: Operation<'revokeInvitation'> = async ({ member, path }, { db }) => {
  await db.transaction().execute((trx) => actions.revokeInvitation(trx, actingOf(member), path.id))
  return { status: 200, body: { success: true } }
}
