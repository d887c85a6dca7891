import { insertOwnAccount, accountsADayMax, accountsMax } from '../../../features/members/own-account.ts'
import { lookAt } from '../../../features/members/session-store.ts'
import { DashboardError } from '../errors.ts'
import { meBody } from '../me-body.ts'
import type { Operation } from '../operation.ts'

export const createAccount: Operation<'createAccount'> = async ({ member, body: { name } }, services) => {
  if (member.accounts.length > 0) {
    throw new DashboardError('conflict', { message: 'You are a member of an account already.' })
  }
  const account = await services.db.transaction().execute(async (trx) => {
    const made = await insertOwnAccount(trx, { userId: member.user.id, name })
    if (made !== 'limit_reached') await lookAt(trx, member.sessionId, made.id)
    return made
  })
  if (account === 'limit_reached') {
    throw new DashboardError('too_many_attempts', {
      message: `Nobody makes more than ${accountsADayMax} accounts a day, and ${accountsMax} in all. Ask the owner of one that you made to invite you.`,
      headers: { 'Retry-After': '86400' },
    })
  }
  return { status: 201, body: await meBody({ ...member, account, accounts: [account] }, services) }
}
