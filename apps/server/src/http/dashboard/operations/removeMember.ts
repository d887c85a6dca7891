import { insertAuditEntry } from '../../../features/members/audit-store.ts'
import { deleteMember, findMemberRecord } from '../../../features/members/member-store.ts'
import { DashboardError, notFound } from '../errors.ts'
import { keepAnOwner } from '../keep-an-owner.ts'
import { actorOf } from '../member.ts'
import type { Operation } from '../operation.ts'

/** Owners remove anybody, and everybody themselves. */
export const removeMember: Operation<'removeMember'> = async ({ member, path }, { db }) => {
  const accountId = member.account.id
  const removal = db.transaction().execute(async (trx) => {
    const removed = await findMemberRecord(trx, accountId, path.id)
    if (!removed) throw notFound('member')
    if (removed.user_id !== member.user.id && member.account.role !== 'owner') {
      throw new DashboardError('owner_only')
    }
    await deleteMember(trx, accountId, path.id)
    await insertAuditEntry(trx, {
      accountId,
      actor: actorOf(member),
      action: 'member.removed',
      subjectId: path.id,
      details: { email: removed.email },
    })
  })
  await keepAnOwner(removal)
  return { status: 200, body: { success: true } }
}
