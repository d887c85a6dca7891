import { insertAuditEntry } from '../../../features/members/audit-store.ts'
import { deleteInvitation } from '../../../features/members/invitation-store.ts'
import { notFound } from '../errors.ts'
import { actorOf } from '../member.ts'
import type { Operation } from '../operation.ts'

export const revokeInvitation: Operation<'revokeInvitation'> = async ({ member, path }, { db }) => {
  const accountId = member.account.id
  await db.transaction().execute(async (trx) => {
    const invitation = await deleteInvitation(trx, accountId, path.id)
    if (!invitation) throw notFound('invitation')
    await insertAuditEntry(trx, {
      accountId,
      actor: actorOf(member),
      action: 'member.invitation_revoked',
      subjectId: invitation.id,
      details: { email: invitation.email },
    })
  })
  return { status: 200, body: { success: true } }
}
