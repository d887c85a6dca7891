import { getAccount, lockAccount, renameAccount as rename } from '../../../features/accounts/account-store.ts'
import { insertAuditEntry } from '../../../features/members/audit-store.ts'
import { actorOf } from '../member.ts'
import { meBody } from '../me-body.ts'
import type { Operation } from '../operation.ts'

export const renameAccount: Operation<'renameAccount'> = async ({ member, body: { name } }, services) => {
  const { id } = member.account
  await services.db.transaction().execute(async (trx) => {
    await lockAccount(trx, id)
    // As it is by now: of several who give it one name, the first changes it.
    const { name: before } = await getAccount(trx, id)
    if (name === before) return
    await rename(trx, id, name)
    await insertAuditEntry(trx, {
      accountId: id,
      actor: actorOf(member),
      action: 'account.renamed',
      subjectId: id,
      details: { from: before, to: name },
    })
  })
  const account = { ...member.account, name }
  const accounts = member.accounts.map((other) => (other.id === id ? account : other))
  return { status: 200, body: await meBody({ ...member, account, accounts }, services) }
}
