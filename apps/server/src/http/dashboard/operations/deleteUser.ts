import { lockAccount } from '../../../features/accounts/account-store.ts'
import { insertAuditEntry } from '../../../features/members/audit-store.ts'
import {
  deleteMember,
  LastOwner,
  listMembers,
  listMemberships,
} from '../../../features/members/member-store.ts'
import { deleteUser as remove } from '../../../features/members/user-store.ts'
import { closeAccount } from '../close-account.ts'
import { requirePassword } from '../confirm-password.ts'
import { DashboardError } from '../errors.ts'
import { actorOf } from '../member.ts'
import type { Operation } from '../operation.ts'

export const deleteUser: Operation<'deleteUser'> = async (
  { member, body: { password }, askAuth },
  { db },
) => {
  const { user } = member
  await requirePassword(db, user.id, password)
  await db.transaction().execute(async (trx) => {
    // In one order, so that two who leave the same accounts do not wait for each other in a circle.
    const accounts = (await listMemberships(trx, user.id)).sort((a, b) => (a.id < b.id ? -1 : 1))
    for (const account of accounts) {
      await lockAccount(trx, account.id)
      const members = await listMembers(trx, account.id)
      if (members.length === 1 && members[0]?.role === 'owner') {
        await closeAccount(trx, account, member)
        continue
      }
      await deleteMember(trx, account.id, user.id).catch((error: unknown) => {
        if (!(error instanceof LastOwner)) throw error
        throw new DashboardError('last_owner', {
          message: `“${account.name}” has other members and no other owner. Make one of them an owner, or delete that account first.`,
          cause: error,
        })
      })
      await insertAuditEntry(trx, {
        accountId: account.id,
        actor: actorOf(member),
        action: 'member.removed',
        subjectId: user.id,
        details: { email: user.email },
      })
    }
    await remove(trx, user)
  })
  // The session is gone; this takes its cookie away.
  await askAuth({ method: 'POST', path: '/sign-out', body: {} })
  return { status: 200, body: { success: true } }
}
