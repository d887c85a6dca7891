import type { Operation } from '../operation.ts'

export const signUp: Operation<'signUp'> = async ({ body, askAuth }) => {
  await askAuth({ method: 'POST', path: '/sign-up/email', body })
  return { status: 202, body: { success: true } }
}
