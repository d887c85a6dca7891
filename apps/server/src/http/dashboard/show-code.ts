import { authPurpose } from '../../features/members/auth.ts'
import { returnAttempt, type AttemptLimit } from '../../features/members/attempt-store.ts'
import { useTotpCode } from '../../features/members/second-factor-code.ts'
import type { AuthAnswer } from '../../features/members/sign-in.ts'
import { spend } from './limit-attempts.ts'
import type { Call, DashboardServices } from './operation.ts'

/** Wrong ones, wherever a code is asked for. */
const codesTried: AttemptLimit = { what: 'codes of a second factor', max: 10, seconds: 900 }

/**
 * Shows a code of a user's second factor to better-auth. It is counted before it is compared, so that of many at a time
 * no more are compared than the limit.
 * @param explain as that of `askAuth`; a wrong code is `INVALID_CODE` or `INVALID_BACKUP_CODE`
 * @throws DashboardError too_many_attempts, or what `explain` makes of a refusal
 */
export async function showCode(
  userId: string,
  code: string,
  askAuth: Call['askAuth'],
  explain: (code: string) => Error | null,
  { db, secrets }: DashboardServices,
): Promise<AuthAnswer> {
  await spend(db, codesTried, userId)
  const plain = code.replaceAll(' ', '')
  // A code of the app is six digits; anything else is a recovery code.
  const isOfApp = /^\d{6}$/.test(plain)
  if (isOfApp && !(await useTotpCode(db, secrets.deriveAll(authPurpose), userId, plain)))
    throw explain('INVALID_CODE') ?? new Error('A wrong code is not explained.')
  const path = isOfApp ? '/two-factor/verify-totp' : '/two-factor/verify-backup-code'
  const answer = await askAuth(path, { code: plain }, explain)
  await returnAttempt(db, codesTried, userId)
  return answer
}
