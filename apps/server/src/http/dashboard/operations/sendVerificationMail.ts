import type { Operation } from '../operation.ts'

export const sendVerificationMail: Operation<'sendVerificationMail'> = async ({ body, askAuth }) => {
  await askAuth({ method: 'POST', path: '/send-verification-email', body: { email: body.email } })
  return { status: 202, body: { success: true } }
}
