import { listSessions as readSessions } from '../../../../features/members/session-store.ts'
import type { Operation } from '../../operation.ts'

export const listSessions: Operation<'listSessions'> = async ({ member }, { db }) => {
  const sessions = await readSessions(db, member.user.id)
  return {
    status: 200,
    body: { data: sessions.map((session) => ({ ...session, current: session.id === member.sessionId })) },
  }
}
