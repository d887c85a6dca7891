import { beginCheckout } from '../../../../features/billing/actions.ts'
import { askProvider, requireProvider } from '../../ask-provider.ts'
import { actingOf } from '../../member.ts'
import type { Operation } from '../../operation.ts'

export const createCheckout: Operation<'createCheckout'> = async (
  { member, body: { item, quantity = 1 } },
  { db, billing, dashboardUrl },
) => {
  const provider = requireProvider(billing)
  const purchase = { item, quantity, returnUrl: `${dashboardUrl}/billing` }
  const url = await askProvider(beginCheckout(db, actingOf(member), provider, member, purchase))
  return { status: 201, body: { data: { url } } }
}
