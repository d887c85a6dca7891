import type { Schemas } from '@ratecard/dashboard/contract'
import { findCustomer } from '../../../../features/billing/billing-store.ts'
import type { Offer, PaymentProvider } from '../../../../features/billing/provider.ts'
import { ProviderFailure } from '../../../../features/billing/provider.ts'
import { largestPlan, type Plans } from '../../../../features/entitlements/plans.ts'
import { listSubscriptions } from '../../../../features/entitlements/subscription-store.ts'
import { listPacks, packUnits } from '../../../../features/metering/pack-store.ts'
import type { Operation } from '../../operation.ts'

export const getBilling: Operation<'getBilling'> = async ({ member }, { db, plans, billing }) => {
  const accountId = member.account.id
  const { provider, contact } = billing
  const [subscriptions, packs, customerId, offers] = await Promise.all([
    listSubscriptions(db, accountId),
    listPacks(db, accountId),
    findCustomer(db, accountId),
    provider ? readOffers(provider, plans) : [],
  ])
  const current = subscriptions.filter((row) => row.current).map(({ plan }) => plan)
  return {
    status: 200,
    body: {
      data: {
        plan: largestPlan(current),
        subscriptions: subscriptions.map((row) => ({
          plan: row.plan,
          current: row.current,
          starts_at: row.starts_at,
          ends_at: row.renews_at ?? row.ends_at,
          renews: row.renews_at !== null,
        })),
        packs: packs.map(({ account_id: _, ...pack }) => pack),
        provider: provider?.name ?? 'none',
        offers,
        has_portal: provider !== null && customerId !== undefined,
        contact,
      },
    },
  }
}

/** Null while the provider cannot be reached: what the account has is shown all the same. */
async function readOffers(provider: PaymentProvider, plans: Plans): Promise<Schemas['Offer'][] | null> {
  try {
    return (await provider.listOffers()).map((offer) => ({ ...offer, label: labelOf(offer, plans) }))
  } catch (error) {
    if (error instanceof ProviderFailure) return null
    throw error
  }
}

function labelOf({ item }: Offer, plans: Plans): string {
  if (item === 'pack') return `${packUnits.toLocaleString('en-US')} requests, valid for 30 days`
  return `Developer: ${plans.developer.dailyLimit.toLocaleString('en-US')} requests per key and day, changes, webhooks`
}
