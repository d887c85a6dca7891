import { DashboardError } from '../errors.ts'
import type { Operation } from '../operation.ts'

export const changePassword: Operation<'changePassword'> = async ({ body, askAuth }) => {
  await askAuth(
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
  )
  return { status: 200, body: { success: true } }
}
