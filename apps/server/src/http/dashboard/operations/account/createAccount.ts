import { insertOwnAccount } from '../../../../features/members/own-account.ts'
import { lookAt } from '../../../../features/members/session-store.ts'
import { DashboardError } from '../../errors.ts'
import { meBody } from '../../me-body.ts'
import type { Operation } from '../../operation.ts'

export const createAccount: Operation<'createAccount'> = async ({ member, body: { name } }, services) => {
  if (member.accounts.length > 0) {
    throw new DashboardError('conflict', { message: 'You are a member of an account already.' })
  }
  const account = await services.db.transaction().execute(async (trx) => {
    const made = await insertOwnAccount(trx, { userId: member.user.id, name })
    await lookAt(trx, member.sessionId, made.id)
    return made
  })
  return { status: 201, body: await meBody({ ...member, account, accounts: [account] }, services) }
}
