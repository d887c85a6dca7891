import * as actions from '../../../../features/deletion/actions.ts'
import { requirePassword } from '../../confirm-password.ts'
import { actorOf } from '../../member.ts'
import type { Operation } from '../../operation.ts'

export const deleteAccount: Operation<'deleteAccount'> = async ({ member, body: { password } }, { db }) => {
  await requirePassword(db, member.user.id, password)
  await db.transaction().execute((trx) => actions.deleteAccount(trx, actorOf(member), member.account))
  return { status: 200, body: { success: true } }
}
