import { lockAccount } from '../../../features/accounts/account-store.ts'
import { listMembers } from '../../../features/members/member-store.ts'
import { closeAccount } from '../close-account.ts'
import { requirePassword } from '../confirm-password.ts'
import { DashboardError } from '../errors.ts'
import type { Operation } from '../operation.ts'

/** One of several owners leaves instead: nobody takes an account from another owner. */
export const deleteAccount: Operation<'deleteAccount'> = async ({ member, body: { password } }, { db }) => {
  const { account, user } = member
  await requirePassword(db, user.id, password)
  await db.transaction().execute(async (trx) => {
    await lockAccount(trx, account.id)
    const members = await listMembers(trx, account.id)
    const owners = members.filter(({ role }) => role === 'owner')
    if (!owners.some(({ user_id }) => user_id === user.id)) throw new DashboardError('owner_only')
    if (owners.length > 1) {
      throw new DashboardError('conflict', {
        message: 'The account has other owners. Leave it to them, on the page of its members.',
      })
    }
    await closeAccount(trx, account, member)
  })
  return { status: 200, body: { success: true } }
}
