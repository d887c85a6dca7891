import { endOldestSessions } from '../../../../features/members/session-store.ts'
import { DashboardError } from '../../errors.ts'
import type { Operation } from '../../operation.ts'
import { rememberBrowser } from '../../remember-browser.ts'
import { codeRequest } from '../../second-factor.ts'

/** better-auth counts: five codes for one sign-in, ten in a row for a user, who then has to wait a quarter of an hour. */
export const showSecondFactor: Operation<'showSecondFactor'> = async (
  { body, cookies, askAuth },
  services,
) => {
  const { body: answer } = await askAuth(codeRequest(body.code), (code) =>
    code === 'INVALID_CODE' || code === 'INVALID_BACKUP_CODE'
      ? new DashboardError('wrong_credentials', { message: 'The code is wrong, or was used already.' })
      : new DashboardError('not_signed_in', { message: 'Show your password again, then a code.' }),
  )
  const { user } = answer as { user: { email: string } }
  await endOldestSessions(services.db, user.email)
  await rememberBrowser(cookies, user.email, services)
  return { status: 200, body: { success: true } }
}
