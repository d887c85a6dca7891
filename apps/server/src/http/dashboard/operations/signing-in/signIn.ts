import { returnAttempt, type AttemptLimit } from '../../../../features/members/attempt-store.ts'
import { findKnownBrowser } from '../../../../features/members/known-browser.ts'
import { endOldestSessions } from '../../../../features/members/session-store.ts'
import { DashboardError } from '../../errors.ts'
import { spend } from '../../limit-attempts.ts'
import type { Operation } from '../../operation.ts'
import { knownBrowserPurpose, rememberBrowser } from '../../remember-browser.ts'

const failuresAnHour = { max: 20, seconds: 3_600 }
const fromAnywhere: AttemptLimit = { what: 'sign-in of a user', ...failuresAnHour }
const fromKnownBrowser: AttemptLimit = { what: 'sign-in from a known browser', ...failuresAnHour }

const advice =
  'Or sign in with a browser that you have used before, or choose a new password by a link that is mailed to you.'

/** Failures are counted for the user, whether or not there is one: docs/decisions/006-sign-in-attempts.md. */
export const signIn: Operation<'signIn'> = async ({ body, cookies, askAuth }, services) => {
  const { db, secrets, clock } = services
  const { password, remember = true } = body
  const email = body.email.toLowerCase()
  const secret = secrets.derive(knownBrowserPurpose)
  const browser = await findKnownBrowser(db, { secret, email, cookie: cookies.sent, now: clock.now() })
  const [limit, subject] = browser === null ? [fromAnywhere, email] : [fromKnownBrowser, browser]
  await spend(db, limit, subject, advice)
  const { body: answer } = await askAuth(
    { method: 'POST', path: '/sign-in/email', body: { email, password, rememberMe: remember } },
    () => new DashboardError('wrong_credentials'),
  )
  await returnAttempt(db, limit, subject)
  const needsSecondFactor = (answer as { twoFactorRedirect?: boolean } | null)?.twoFactorRedirect === true
  // With a second factor, the browser is known once that was shown: showSecondFactor.
  if (!needsSecondFactor) {
    await endOldestSessions(db, email)
    await rememberBrowser(cookies, email, services)
  }
  return { status: 200, body: { success: true, needs_second_factor: needsSecondFactor } }
}
