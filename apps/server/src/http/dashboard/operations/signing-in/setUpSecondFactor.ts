import { withPasswordTries } from '../../confirm-password.ts'
import { DashboardError } from '../../errors.ts'
import type { Operation } from '../../operation.ts'
import { explainSecondFactor } from '../../second-factor.ts'

export const setUpSecondFactor: Operation<'setUpSecondFactor'> = async (
  { member, body: { password }, askAuth },
  { db },
) => {
  if (member.user.has_second_factor) {
    throw new DashboardError('conflict', { message: 'You have a second factor already. Remove it first.' })
  }
  const { body: answer } = await withPasswordTries(db, member.user.id, () =>
    askAuth({ method: 'POST', path: '/two-factor/enable', body: { password } }, explainSecondFactor),
  )
  const { totpURI: uri, backupCodes } = answer as { totpURI: string; backupCodes: string[] }
  const secret = new URL(uri).searchParams.get('secret') ?? ''
  return { status: 200, body: { data: { secret, uri, recovery_codes: backupCodes } } }
}
