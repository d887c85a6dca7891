import { lookAt } from '../../../../features/members/session-store.ts'
import { DashboardError } from '../../errors.ts'
import { meBody } from '../../me-body.ts'
import type { Operation } from '../../operation.ts'

export const switchAccount: Operation<'switchAccount'> = async ({ member, body }, services) => {
  const account = member.accounts.find(({ id }) => id === body.account_id)
  if (!account) throw new DashboardError('not_found', { message: 'You are a member of no such account.' })
  await lookAt(services.db, member.sessionId, account.id)
  return { status: 200, body: await meBody({ ...member, account }, services) }
}
