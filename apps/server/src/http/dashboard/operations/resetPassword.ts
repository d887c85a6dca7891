import type { Operation } from '../operation.ts'
import { linkDoesNotWork } from './verifyEmail.ts'

export const resetPassword: Operation<'resetPassword'> = async ({ body, askAuth }) => {
  const { token, password } = body
  await askAuth(
    { method: 'POST', path: '/reset-password', body: { token, newPassword: password } },
    linkDoesNotWork,
  )
  return { status: 200, body: { success: true } }
}
