import { deleteSession } from '../../../../features/members/session-store.ts'
import { DashboardError } from '../../errors.ts'
import type { Operation } from '../../operation.ts'

export const revokeSession: Operation<'revokeSession'> = async ({ member, path }, { db }) => {
  if (!(await deleteSession(db, member.user.id, path.id))) {
    throw new DashboardError('not_found', { message: 'You have no such session.' })
  }
  return { status: 200, body: { success: true } }
}
