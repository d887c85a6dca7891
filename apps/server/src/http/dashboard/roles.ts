import type { ContractOperation } from '../../platform/contract.ts'
import { DashboardError } from './errors.ts'
import type { Person } from './member.ts'
import { findDefinition } from './registry.ts'

export function needsNoAccount(operation: ContractOperation): boolean {
  const { access } = findDefinition(operation)
  return access !== 'member' && access !== 'owner'
}

/**
 * Refuses members what is for owners, and users without an account everything about one. To a user who is no operator
 * what operators do does not exist, whatever the user sends.
 * @throws DashboardError not_found, no_account or owner_only
 */
export function requireRole(person: Person, operation: ContractOperation): void {
  const { access } = findDefinition(operation)
  if (access === 'operator' && !person.isOperator) throw new DashboardError('not_found')
  if (person.account === null && !needsNoAccount(operation)) throw new DashboardError('no_account')
  if (access === 'owner' && person.account?.role !== 'owner') throw new DashboardError('owner_only')
}
