import * as actions from '../../../../features/members/actions.ts'
import { getMemberRecord } from '../../../../features/members/member-store.ts'
import { DashboardError } from '../../errors.ts'
import { actingOf } from '../../member.ts'
import type { Operation } from '../../operation.ts'

/** Owners may remove any member, and all members themselves. */
export const removeMember: Operation<'removeMember'> = async ({ member, path }, { db }) => {
  if (path.id !== member.user.id && member.account.role !== 'owner') {
    await getMemberRecord(db, member.account.id, path.id)
    throw new DashboardError('owner_only')
  }
  await db.transaction().execute((trx) => actions.removeMember(trx, actingOf(member), path.id))
  return { status: 200, body: { success: true } }
}
