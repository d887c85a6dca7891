import { DashboardError } from '../errors.ts'
import type { Operation } from '../operation.ts'

export const verifyEmail: Operation<'verifyEmail'> = async ({ body, askAuth }) => {
  await askAuth({ method: 'GET', path: '/verify-email', query: { token: body.token } }, linkDoesNotWork)
  return { status: 200, body: { success: true } }
}

/** For every cause the same: an old link, a used one, and one that never was. */
export function linkDoesNotWork(): DashboardError {
  return new DashboardError('invalid_request', {
    message: 'This link does not work any more. Ask for a new one.',
  })
}
