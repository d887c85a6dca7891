import type { Stripe } from 'stripe'
import type { PaymentNews } from './provider.ts'

/** The metadata that we write on a checkout, and read from the events about it. */
export interface CheckoutMetadata {
  account_id: string
  item: string
  quantity: string
}

/**
 * The content of an event. An event describes a purchase completely. Of a subscription it says only that it changed,
 * since events arrive in any order.
 */
export function readNews(event: Stripe.Event): PaymentNews {
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return readCheckout(event.data.object)
    case 'charge.refunded':
      // A partial refund is a courtesy: the pack stays.
      return event.data.object.refunded ? takenBack(event.data.object, 'refund') : { kind: 'other' }
    case 'charge.dispute.created':
      return takenBack(event.data.object, 'dispute')
    case 'customer.subscription.created':
    case 'customer.subscription.updated':
    case 'customer.subscription.deleted':
    case 'customer.subscription.paused':
    case 'customer.subscription.resumed':
      return { kind: 'subscription', customerId: readId(event.data.object.customer) }
    default:
      return { kind: 'other' }
  }
}

function takenBack(
  { payment_intent }: Stripe.Charge | Stripe.Dispute,
  reason: 'refund' | 'dispute',
): PaymentNews {
  if (payment_intent === null) return { kind: 'other' }
  return { kind: 'taken_back', paymentRef: readId(payment_intent), reason }
}

/** A completed checkout may still wait for its money: a bank transfer takes days. */
function readCheckout(session: Stripe.Checkout.Session): PaymentNews {
  const { account_id: accountId, item, quantity } = (session.metadata ?? {}) as Partial<CheckoutMetadata>
  const packs = Number(quantity)
  const isOurs = accountId !== undefined && item === 'pack' && Number.isInteger(packs) && packs > 0
  if (!isOurs || session.payment_status === 'unpaid') return { kind: 'other' }
  // A coupon for the whole price leaves no payment.
  const paymentRef = session.payment_intent === null ? session.id : readId(session.payment_intent)
  return { kind: 'paid', accountId, paymentRef, packs }
}

/** Stripe gives an id, or the whole object where the request expands it. */
export function readId(thing: string | { id: string }): string {
  return typeof thing === 'string' ? thing : thing.id
}
