import { withPasswordTries } from '../../confirm-password.ts'
import type { Operation } from '../../operation.ts'
import { explainSecondFactor } from '../../second-factor.ts'

export const renewRecoveryCodes: Operation<'renewRecoveryCodes'> = async (
  { member, body: { password }, askAuth },
  { db },
) => {
  const { body: answer } = await withPasswordTries(db, member.user.id, () =>
    askAuth(
      { method: 'POST', path: '/two-factor/generate-backup-codes', body: { password } },
      explainSecondFactor,
    ),
  )
  const { backupCodes } = answer as { backupCodes: string[] }
  return { status: 200, body: { data: { recovery_codes: backupCodes } } }
}
