import { beginCheckout } from '../../../features/billing/checkout.ts'
import { listCurrentPlans } from '../../../features/entitlements/subscription-store.ts'
import { askProvider, requireProvider } from '../ask-provider.ts'
import { DashboardError } from '../errors.ts'
import type { Operation } from '../operation.ts'

export const createCheckout: Operation<'createCheckout'> = async (
  { member, body },
  { db, billing, dashboardUrl },
) => {
  const provider = requireProvider(billing)
  const { item, quantity = 1 } = body
  if (item === 'developer') {
    if (quantity !== 1) {
      throw new DashboardError('invalid_request', { message: 'A plan is bought once: leave quantity out.' })
    }
    if ((await listCurrentPlans(db, member.account.id)).includes('developer')) {
      throw new DashboardError('conflict', { message: 'The account has the Developer plan already.' })
    }
  }
  const purchase = { item, quantity, returnUrl: `${dashboardUrl}/billing` }
  const url = await askProvider(beginCheckout(db, provider, member, purchase))
  return { status: 201, body: { data: { url } } }
}
