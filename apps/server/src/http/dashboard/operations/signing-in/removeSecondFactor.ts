import { withPasswordTries } from '../../confirm-password.ts'
import { DashboardError } from '../../errors.ts'
import type { Operation } from '../../operation.ts'
import { explainSecondFactor } from '../../second-factor.ts'

export const removeSecondFactor: Operation<'removeSecondFactor'> = async (
  { member, body: { password }, askAuth },
  { db },
) => {
  if (!member.user.has_second_factor) {
    throw new DashboardError('conflict', { message: 'You have no second factor.' })
  }
  await withPasswordTries(db, member.user.id, () =>
    askAuth({ method: 'POST', path: '/two-factor/disable', body: { password } }, explainSecondFactor),
  )
  return { status: 200, body: { success: true } }
}
