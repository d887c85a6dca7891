import { DashboardError } from '../errors.ts'
import type { Operation } from '../operation.ts'

export const signIn: Operation<'signIn'> = async ({ body, askAuth }) => {
  const { email, password, remember = true } = body
  await askAuth(
    { method: 'POST', path: '/sign-in/email', body: { email, password, rememberMe: remember } },
    (code) => new DashboardError(code === 'EMAIL_NOT_VERIFIED' ? 'email_not_verified' : 'wrong_credentials'),
  )
  return { status: 200, body: { success: true } }
}
