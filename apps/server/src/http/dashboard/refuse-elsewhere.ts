import { listMemberships } from '../../features/members/member-store.ts'
import { listElsewhere } from '../../features/members/moved-users.ts'
import { deleteSessionOf } from '../../features/members/session-store.ts'
import { newSessionToken, type AuthAnswer } from '../../features/members/sign-in.ts'
import { describeAddress } from '../pipeline/refuse-key.ts'
import { DashboardError } from './errors.ts'
import type { DashboardServices } from './operation.ts'

/**
 * Tells a user whose accounts have all moved to another cell where they are. Only after they have proved who they are:
 * which addresses exist is nobody's to know.
 * @param answer with which they signed in: that session ends
 * @throws DashboardError forbidden
 */
export async function refuseElsewhere(
  answer: AuthAnswer,
  userId: string | undefined,
  { db, cellHosts }: Pick<DashboardServices, 'db' | 'cellHosts'>,
): Promise<void> {
  if (userId === undefined || (await listMemberships(db, userId)).length > 0) return
  const cells = await listElsewhere(db, userId)
  if (cells.length === 0) return
  const token = newSessionToken(answer)
  if (token !== null) await deleteSessionOf(db, token)
  const addresses = cells.map(({ cell }) => describeAddress(cell, cellHosts)).join(' and ')
  throw new DashboardError('forbidden', {
    message: `Your account is at another address now: ${addresses}. Sign in there, with the same address and password.`,
  })
}
