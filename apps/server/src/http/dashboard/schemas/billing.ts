import { z } from 'zod'
import { OptionalTimestamp, Plan, Timestamp } from './common.ts'
import { Pack } from './usage.ts'
import { ProviderOffer } from '../../../features/billing/provider.ts'

export const Subscription = z.strictObject({
  plan: Plan.exclude(['free']),
  current: z.boolean(),
  starts_at: Timestamp,
  /** Until when, or when it renews; null: open-ended. */
  ends_at: OptionalTimestamp,
  renews: z.boolean(),
})

export const Offer = ProviderOffer.extend({ label: z.string() })

export const Billing = z.strictObject({
  plan: Plan,
  subscriptions: z.array(Subscription),
  /** Packs, in the order in which they are used, past ones too. */
  packs: z.array(Pack),
  /** Who takes payments; `test`: nobody pays; `none`: an operator grants packs and plans. */
  provider: z.enum(['stripe', 'test', 'none']),
  /** What can be bought here; empty without a provider, null while it cannot be reached. */
  offers: z.array(Offer).nullable(),
  /** Whether the provider has a page for invoices and cards of this account. */
  has_portal: z.boolean(),
  contact: z.string().nullable(),
})

export const CheckoutInput = z.strictObject({
  item: z.enum(['developer', 'pack']),
  /** How many packs; 1 for a plan. */
  quantity: z.int().min(1).max(20).default(1),
})

export const Redirect = z.strictObject({
  url: z.string().meta({ format: 'uri' }),
})
