import type { ContractOperation } from '../../platform/contract.ts'
import { DashboardError } from './errors.ts'
import type { Person } from './member.ts'
import { operatorOnly, ownerOnly, personalOperations } from './operation.ts'

const personal: ReadonlySet<string> = new Set(personalOperations)

export function needsNoAccount({ id }: ContractOperation): boolean {
  return personal.has(id)
}

/**
 * Refuses members what is for owners, and users without an account everything about one. To a user who is no operator
 * what operators do does not exist, whatever the user sends.
 * @throws DashboardError not_found, no_account or owner_only
 */
export function requireRole(person: Person, operation: ContractOperation): void {
  if (operatorOnly.has(operation.id) && !person.isOperator) throw new DashboardError('not_found')
  if (person.account === null && !needsNoAccount(operation)) throw new DashboardError('no_account')
  if (ownerOnly.has(operation.id) && person.account?.role !== 'owner') throw new DashboardError('owner_only')
}
