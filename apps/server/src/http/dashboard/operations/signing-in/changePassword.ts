import { withPasswordTries } from '../../confirm-password.ts'
import { DashboardError } from '../../errors.ts'
import type { Operation } from '../../operation.ts'
import { rememberBrowser } from '../../remember-browser.ts'

export const changePassword: Operation<'changePassword'> = async (
  { member, body, cookies, askAuth },
  services,
) => {
  await withPasswordTries(services.db, member.user.id, () =>
    askAuth(
      {
        method: 'POST',
        path: '/change-password',
        body: {
          currentPassword: body.current_password,
          newPassword: body.new_password,
          revokeOtherSessions: true,
        },
      },
      () => new DashboardError('invalid_request', { message: 'The present password is wrong.' }),
    ),
  )
  await rememberBrowser(cookies, member.user.email, services)
  return { status: 200, body: { success: true } }
}
