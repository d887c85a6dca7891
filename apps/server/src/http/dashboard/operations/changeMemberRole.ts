import { insertAuditEntry } from '../../../features/members/audit-store.ts'
import { findMemberRecord, setRole } from '../../../features/members/member-store.ts'
import { notFound } from '../errors.ts'
import { keepAnOwner } from '../keep-an-owner.ts'
import { actorOf } from '../member.ts'
import type { Operation } from '../operation.ts'

export const changeMemberRole: Operation<'changeMemberRole'> = async (
  { member, path, body: { role } },
  { db },
) => {
  const accountId = member.account.id
  const change = db.transaction().execute(async (trx) => {
    const before = await findMemberRecord(trx, accountId, path.id)
    if (!before) throw notFound('member')
    if (before.role === role) return before
    await setRole(trx, { accountId, userId: path.id, role })
    await insertAuditEntry(trx, {
      accountId,
      actor: actorOf(member),
      action: 'member.role_changed',
      subjectId: path.id,
      details: { email: before.email, role },
    })
    return { ...before, role }
  })
  return { status: 200, body: { data: await keepAnOwner(change) } }
}
