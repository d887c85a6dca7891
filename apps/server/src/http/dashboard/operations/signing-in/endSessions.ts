import { endSessions as end } from '../../../../features/members/session-store.ts'
import type { Operation } from '../../operation.ts'

/** Signs out as well, which removes the cookie. */
export const endSessions: Operation<'endSessions'> = async ({ member, askAuth }, { db }) => {
  await askAuth({ method: 'POST', path: '/sign-out', body: {} })
  await end(db, member.user.id)
  return { status: 200, body: { success: true } }
}
