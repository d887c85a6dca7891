import { findCustomer } from '../../../features/billing/billing-store.ts'
import { askProvider, requireProvider } from '../ask-provider.ts'
import { DashboardError } from '../errors.ts'
import type { Operation } from '../operation.ts'

export const openPortal: Operation<'openPortal'> = async ({ member }, { db, billing, dashboardUrl }) => {
  const provider = requireProvider(billing)
  const customerId = await findCustomer(db, member.account.id)
  if (customerId === undefined) {
    throw new DashboardError('conflict', { message: 'The account has not bought anything yet.' })
  }
  const url = await askProvider(provider.openPortal({ customerId, returnUrl: `${dashboardUrl}/billing` }))
  return { status: 201, body: { data: { url } } }
}
