import type { Operation } from '../../operation.ts'

export const signOut: Operation<'signOut'> = async ({ askAuth }) => {
  await askAuth({ method: 'POST', path: '/sign-out', body: {} })
  return { status: 200, body: { success: true } }
}
