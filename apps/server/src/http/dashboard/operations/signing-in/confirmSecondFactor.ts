import type { AttemptLimit } from '../../../../features/members/attempt-store.ts'
import { endOtherSessions } from '../../../../features/members/session-store.ts'
import { newSessionToken } from '../../../../features/members/sign-in.ts'
import { DashboardError } from '../../errors.ts'
import { spend } from '../../limit-attempts.ts'
import type { Operation } from '../../operation.ts'
import { explainSecondFactor } from '../../second-factor.ts'

const codesTried: AttemptLimit = { what: 'code of a new second factor', max: 20, seconds: 3_600 }

export const confirmSecondFactor: Operation<'confirmSecondFactor'> = async (
  { member, body, askAuth },
  { db },
) => {
  if (member.user.has_second_factor) {
    throw new DashboardError('conflict', { message: 'Your second factor is confirmed already.' })
  }
  await spend(db, codesTried, member.user.id)
  const code = body.code.replaceAll(' ', '')
  const answer = await askAuth(
    { method: 'POST', path: '/two-factor/verify-totp', body: { code } },
    explainSecondFactor,
  )
  // better-auth has replaced this session by a new one. Sessions that were begun with the password alone end.
  const token = newSessionToken(answer)
  if (token === null) throw new Error('better-auth has begun no new session.')
  await endOtherSessions(db, member.user.id, token)
  return { status: 200, body: { success: true } }
}
