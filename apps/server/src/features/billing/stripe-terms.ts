import type { Stripe } from 'stripe'
import type { Item, Offer, ProviderSubscription } from './provider.ts'

// Stripe's prices and subscriptions in our terms.

/** Stripe reports a renewal, and retries that for three days. */
const lateReportSeconds = 3 * 86_400

/** How long a plan stays valid while a card is retried. Stripe may retry for weeks. */
const overdueGraceSeconds = 7 * 86_400

/** `past_due`: the card is retried, and the plan stays valid for the time of grace. */
const holding: ReadonlySet<Stripe.Subscription.Status> = new Set(['active', 'trialing', 'past_due'])

export function toSubscription(subscription: Stripe.Subscription): ProviderSubscription {
  const periodEnd = Math.max(...subscription.items.data.map((item) => item.current_period_end))
  const isOverdue = subscription.status === 'past_due'
  // The unpaid period has begun already.
  const periodStart = Math.max(...subscription.items.data.map((item) => item.current_period_start))
  const overdueEnd = isOverdue ? periodStart + overdueGraceSeconds : Infinity
  const end = subscription.cancel_at ?? (subscription.cancel_at_period_end ? periodEnd : null)
  return {
    ref: subscription.id,
    holds: holding.has(subscription.status),
    startsAt: toInstant(subscription.start_date),
    endsAt: toInstant(Math.min(end ?? periodEnd + lateReportSeconds, overdueEnd)),
    renewsAt: end === null && !isOverdue ? toInstant(periodEnd) : null,
    isOverdue,
  }
}

/** @throws Error when the price is not one amount per piece */
export function toOffer(item: Item, price: Stripe.Price): Offer {
  if (price.unit_amount === null) throw new Error(`The price ${price.id} has no fixed amount per piece.`)
  const currency = price.currency.toUpperCase()
  const digits = countDigits(currency)
  return {
    item,
    amount: (price.unit_amount / 10 ** digits).toFixed(digits),
    currency,
    interval: price.recurring?.interval ?? null,
  }
}

// Currencies without cents in general, but with cents at Stripe.
const centsAtStripe: ReadonlySet<string> = new Set(['ISK', 'UGX'])

function countDigits(currency: string): number {
  if (centsAtStripe.has(currency)) return 2
  return (
    new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
  )
}

function toInstant(unixSeconds: number): string {
  return new Date(unixSeconds * 1_000).toISOString()
}
