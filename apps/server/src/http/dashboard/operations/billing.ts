import { z } from 'zod'
import * as actions from '../../../features/billing/actions.ts'
import { findCustomer } from '../../../features/billing/billing-store.ts'
import {
  BadSignature,
  ProviderFailure,
  WrongMode,
  type Offer,
  type PaymentProvider,
} from '../../../features/billing/provider.ts'
import { receivePaymentEvent } from '../../../features/billing/receive-event.ts'
import { largestPlan, plans } from '../../../features/entitlements/plans.ts'
import { listSubscriptions } from '../../../features/entitlements/subscription-store.ts'
import { listPacks, packUnits } from '../../../features/metering/pack-store.ts'
import { ApiError } from '../../pipeline/errors.ts'
import { DashboardError, notFound } from '../errors.ts'
import { data } from '../form.ts'
import { toActing } from '../member.ts'
import { forAnyone, forMembers, forOwners, type DashboardServices } from '../operation.ts'
import { Billing, CheckoutInput, Redirect } from '../schemas/billing.ts'
import { Done } from '../schemas/common.ts'
import type { Schemas } from '../schemas/index.ts'

export const getBilling = forMembers.read(
  'GET /billing',
  { 200: data(Billing) },
  async ({ member }, { db, billing }) => {
    const accountId = member.account.id
    const { provider, contact } = billing
    const [subscriptions, packs, customerId, offers] = await Promise.all([
      listSubscriptions(db, accountId),
      listPacks(db, accountId),
      findCustomer(db, accountId),
      provider ? readOffers(provider) : [],
    ])
    const current = subscriptions.filter((row) => row.current).map(({ plan }) => plan)
    return {
      plan: largestPlan(current),
      subscriptions: subscriptions.map((row) => ({
        plan: row.plan,
        current: row.current,
        starts_at: row.starts_at,
        ends_at: row.renews_at ?? row.ends_at,
        renews: row.renews_at !== null,
      })),
      packs: packs.map(({ account_id: _, ...pack }) => pack),
      provider: provider?.name ?? ('none' as const),
      offers,
      has_portal: provider?.name === 'stripe' && customerId !== undefined,
      contact,
    }
  },
)

export const createCheckout = forOwners.foreign(
  'POST /billing/checkout',
  { body: CheckoutInput, 201: data(Redirect), errors: ['billing_unavailable', 'conflict'] },
  async ({ member, body: { item, quantity } }, { db, billing, dashboardUrl }) => {
    const provider = requireProvider(billing)
    const purchase = { item, quantity, returnUrl: `${dashboardUrl}/billing` }
    const url = await askProvider(actions.beginCheckout(db, toActing(member), provider, member, purchase))
    return { url }
  },
)

export const openPortal = forOwners.foreign(
  'POST /billing/portal',
  { 201: data(Redirect), errors: ['billing_unavailable', 'conflict'] },
  async ({ member }, { db, billing, dashboardUrl }) => {
    const provider = requireProvider(billing)
    const url = await askProvider(
      actions.openPortal(db, toActing(member), provider, `${dashboardUrl}/billing`),
    )
    return { url }
  },
)

/** What is refused or fails is delivered again by Stripe, for three days. */
export const receiveStripeEvent = forAnyone.write(
  'POST /billing/stripe',
  {
    signedBy: 'stripe',
    body: z.looseObject({
      id: z.string().min(1).max(255),
      type: z.string().min(1).max(255),
    }),
    200: Done,
    errors: ['not_found'],
  },
  async ({ rawBody, header }, { db, billing: { provider }, logger }) => {
    if (provider === null) throw notFound('payment provider')
    try {
      const event = provider.readEvent(rawBody, header('stripe-signature') ?? '')
      await askProvider(receivePaymentEvent(db, provider, event))
    } catch (error) {
      if (error instanceof WrongMode) logger.warn({ err: error }, 'an event of Stripe was refused')
      else if (!(error instanceof BadSignature)) throw error
      throw new DashboardError('invalid_request', { message: error.message, cause: error })
    }
  },
)

/** @throws DashboardError billing_unavailable where no payment provider is configured */
function requireProvider({ provider, contact }: DashboardServices['billing']): PaymentProvider {
  if (provider) return provider
  throw new DashboardError('billing_unavailable', {
    message: `Nothing can be bought here. Write to ${contact ?? 'the operator of this server'}.`,
  })
}

/** @throws ApiError service_unavailable when the provider fails; the log says how */
async function askProvider<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    throw new ApiError('service_unavailable', { cause: error })
  }
}

/** Null while the provider cannot be reached: what the account has is shown all the same. */
async function readOffers(provider: PaymentProvider): Promise<Schemas['Offer'][] | null> {
  try {
    return (await provider.listOffers()).map((offer) => ({ ...offer, label: writeLabel(offer) }))
  } catch (error) {
    if (error instanceof ProviderFailure) return null
    throw error
  }
}

function writeLabel({ item }: Offer): string {
  if (item === 'pack') return `${packUnits.toLocaleString('en-US')} requests, valid for 30 days`
  return `Developer: ${plans.developer.dailyLimit.toLocaleString('en-US')} requests per key and day, changes, webhooks`
}
