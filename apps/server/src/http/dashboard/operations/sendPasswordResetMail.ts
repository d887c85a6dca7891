import type { Operation } from '../operation.ts'

export const sendPasswordResetMail: Operation<'sendPasswordResetMail'> = async ({ body, askAuth }) => {
  await askAuth({ method: 'POST', path: '/request-password-reset', body: { email: body.email } })
  return { status: 202, body: { success: true } }
}
