import type { Db, Trx } from '../../database/connect.ts'
import { lockAccount } from '../../features/accounts/account-store.ts'
import { findStanding } from '../../features/members/member-store.ts'
import type { ContractOperation } from '../../platform/contract.ts'
import { DashboardError } from './errors.ts'
import type { Person } from './member.ts'
import { needsNoAccount, requireRole } from './roles.ts'

/**
 * The database as a request of a signed-in user sees it: each of its transactions locks the account first, and looks
 * again whether the user may do this. They may have been signed out, removed or made a plain member since the request
 * came in.
 */
export function withStanding(db: Db, person: Person, operation: ContractOperation): Db {
  const transaction = () => ({
    execute: <T>(work: (trx: Trx) => Promise<T>) =>
      db.transaction().execute(async (trx) => {
        await requireStanding(trx, person, operation)
        return work(trx)
      }),
  })
  return new Proxy(db, {
    get: (target, name) => {
      if (name === 'transaction') return transaction
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
}

/** @throws DashboardError not_signed_in, other_account or owner_only */
async function requireStanding(trx: Trx, person: Person, operation: ContractOperation): Promise<void> {
  const account = needsNoAccount(operation) ? null : person.account
  if (account) await lockAccount(trx, account.id)
  const standing = await findStanding(trx, person.sessionId, account?.id ?? '')
  if (standing === undefined) throw new DashboardError('not_signed_in')
  if (account === null) return
  const { role } = standing
  if (role === null) throw new DashboardError('other_account')
  requireRole({ ...person, account: { ...account, role } }, operation)
}
