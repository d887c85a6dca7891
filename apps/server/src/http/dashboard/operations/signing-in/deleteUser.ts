import * as actions from '../../../../features/deletion/actions.ts'
import { requirePassword } from '../../confirm-password.ts'
import { actorOf } from '../../member.ts'
import type { Operation } from '../../operation.ts'

export const deleteUser: Operation<'deleteUser'> = async (
  { member, body: { password }, askAuth },
  { db },
) => {
  await requirePassword(db, member.user.id, password)
  await db.transaction().execute((trx) => actions.deleteUser(trx, actorOf(member)))
  // The session is gone; this takes its cookie away.
  await askAuth({ method: 'POST', path: '/sign-out', body: {} })
  return { status: 200, body: { success: true } }
}
