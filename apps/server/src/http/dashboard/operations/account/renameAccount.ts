import * as actions from '../../../../features/accounts/actions.ts'
import { actingOf } from '../../member.ts'
import { meBody } from '../../me-body.ts'
import type { Operation } from '../../operation.ts'

export const renameAccount: Operation<'renameAccount'> = async ({ member, body: { name } }, services) => {
  await services.db.transaction().execute((trx) => actions.renameAccount(trx, actingOf(member), name))
  const account = { ...member.account, name }
  const accounts = member.accounts.map((other) => (other.id === account.id ? account : other))
  return { status: 200, body: await meBody({ ...member, account, accounts }, services) }
}
