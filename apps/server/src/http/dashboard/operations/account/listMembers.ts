import { listInvitations } from '../../../../features/members/invitation-store.ts'
import { listMembers as readMembers } from '../../../../features/members/member-store.ts'
import type { Operation } from '../../operation.ts'

export const listMembers: Operation<'listMembers'> = async ({ member }, { db }) => {
  const accountId = member.account.id
  const [data, invitations] = await Promise.all([readMembers(db, accountId), listInvitations(db, accountId)])
  return { status: 200, body: { data, invitations } }
}
