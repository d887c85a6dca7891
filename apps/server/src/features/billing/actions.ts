import type { Db, Trx } from '../../database/connect.ts'
import { requireAllowance, type ActionLimit } from '../accounts/action-limit.ts'
import { insertAuditEntry, type Acting } from '../audit/audit-store.ts'
import type { PaidPlan } from '../entitlements/plans.ts'
import * as subscriptions from '../entitlements/subscription-store.ts'
import type { Subscription, SubscriptionPeriod } from '../entitlements/subscription-store.ts'
import { FeatureError } from '../feature-error.ts'
import { insertPack, type Pack, type PackGrant } from '../metering/pack-store.ts'
import { findCustomer, keepCustomer } from './billing-store.ts'
import type { Item, PaymentProvider } from './provider.ts'

// What an account buys or is granted, at whichever entrance: limit, row and audit entry.

const checkoutLimit: ActionLimit = { action: 'billing.checkout_started', most: 20, minutes: 60 }
const portalLimit: ActionLimit = { action: 'billing.portal_opened', most: 20, minutes: 60 }

export interface Buyer {
  account: { id: string; name: string }
  user: { id: string; email: string }
}

/**
 * Begins to buy. It is noted before the provider is asked: what fails counts too.
 * @returns the provider's page on which to pay; what was bought comes with its events
 * @throws FeatureError invalid_input, conflict or too_often
 */
export async function beginCheckout(
  db: Db,
  by: Acting,
  provider: PaymentProvider,
  { account, user }: Buyer,
  { item, quantity, returnUrl }: { item: Item; quantity: number; returnUrl: string },
): Promise<string> {
  const accountId = account.id
  if (item === 'developer') {
    if (quantity !== 1)
      throw new FeatureError('A plan is bought once: leave quantity out.', { code: 'invalid_input' })
    if ((await subscriptions.listCurrentPlans(db, accountId)).includes('developer'))
      throw new FeatureError('The account has the Developer plan already.', { code: 'conflict' })
  }
  await noteWithin(db, by, checkoutLimit, item, { quantity: String(quantity) })
  // No customer of a test is kept: the id would be asked for at Stripe some day.
  const customerId =
    (provider.name === 'test' ? accountId : undefined) ??
    (await findCustomer(db, accountId)) ??
    (await keepCustomer(
      db,
      accountId,
      await provider.createCustomer({ accountId, name: account.name, email: user.email }),
    ))
  return provider.openCheckout({ accountId, customerId, item, quantity, returnUrl })
}

/**
 * @returns the provider's page on which a customer manages what was bought
 * @throws FeatureError conflict, or too_often
 */
export async function openPortal(
  db: Db,
  by: Acting,
  provider: PaymentProvider,
  returnUrl: string,
): Promise<string> {
  const customerId = await findCustomer(db, by.accountId)
  if (customerId === undefined)
    throw new FeatureError('The account has not bought anything yet.', { code: 'conflict' })
  await noteWithin(db, by, portalLimit, customerId)
  return provider.openPortal({ customerId, returnUrl })
}

async function noteWithin(
  db: Db,
  by: Acting,
  limit: ActionLimit,
  subjectId: string,
  details: Record<string, string> = {},
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await requireAllowance(trx, by, limit)
    await insertAuditEntry(trx, { ...by, action: limit.action, subjectId, details })
  })
}

/** Gives an account a pack that nobody paid for here. @throws FeatureError invalid_period */
export async function grantPack(trx: Trx, by: Acting, grant: PackGrant): Promise<Pack> {
  const pack = await insertPack(trx, by.accountId, grant)
  const details = { requests: String(pack.units), expires_at: pack.expires_at }
  await insertAuditEntry(trx, { ...by, action: 'billing.pack_granted', subjectId: pack.id, details })
  return pack
}

/** Writes an account's record for a plan, in place of the one there was. @throws FeatureError invalid_period */
export async function setPlan(
  trx: Trx,
  by: Acting,
  plan: PaidPlan,
  period: Pick<SubscriptionPeriod, 'from' | 'until'>,
): Promise<Subscription> {
  await subscriptions.putSubscription(trx, by.accountId, plan, period)
  return notePlan(trx, by, plan, 'billing.plan_set')
}

/** Ends a plan now. @throws FeatureError not_found */
export async function endPlan(trx: Trx, by: Acting, plan: PaidPlan): Promise<Subscription> {
  await subscriptions.endSubscription(trx, by.accountId, plan)
  return notePlan(trx, by, plan, 'billing.plan_ended')
}

async function notePlan(
  trx: Trx,
  by: Acting,
  plan: PaidPlan,
  action: 'billing.plan_set' | 'billing.plan_ended',
): Promise<Subscription> {
  const record = await subscriptions.findSubscription(trx, by.accountId, plan)
  if (!record) throw new Error('The subscription was not stored.')
  const { starts_at, ends_at } = record
  const details = { starts_at, ...(ends_at !== null && { ends_at }) }
  await insertAuditEntry(trx, { ...by, action, subjectId: plan, details })
  return record
}
