import { z } from 'zod'

// The interface of a payment provider. Stripe is one. Without a provider, an operator grants packs and plans.

export type Item = Offer['item']

/** Something that can be bought, at the provider's price. */
export const ProviderOffer = z.strictObject({
  item: z.enum(['developer', 'pack']),
  /** A decimal, such as `5.00`. */
  amount: z.string().regex(/^\d+(\.\d+)?$/),
  /** Such as `USD`. */
  currency: z.string(),
  /** `month` or another interval when it recurs; null: paid once. */
  interval: z.string().nullable(),
})
export type Offer = z.infer<typeof ProviderOffer>

interface Purchase {
  accountId: string
  customerId: string
  item: Item
  quantity: number
  /** The page to which the provider leads back, whatever the outcome. */
  returnUrl: string
}

/** A subscription of a customer to the Developer plan. */
export interface ProviderSubscription {
  ref: string
  /** Whether it is paid, or its payment is being retried. */
  holds: boolean
  /** RFC 3339, as are the others. */
  startsAt: string
  /** When it ends if no further event comes. */
  endsAt: string
  /** Null: it does not renew. */
  renewsAt: string | null
  /** Whether a payment failed and is being retried: the subscription ends when that lasts too long. */
  isOverdue: boolean
}

/** The content of an event that concerns us. */
export type PaymentNews =
  | { kind: 'paid'; accountId: string; paymentRef: string; packs: number }
  | { kind: 'taken_back'; paymentRef: string; reason: 'refund' | 'dispute' }
  /** A customer's subscriptions have changed: ask the provider for them. */
  | { kind: 'subscription'; customerId: string }
  | { kind: 'other' }

export interface PaymentEvent {
  id: string
  type: string
  news: PaymentNews
}

/** The provider did not answer, or refused. */
export class ProviderFailure extends Error {
  override name = 'ProviderFailure'
}

/** The provider has not signed the event, or has signed it too long ago. */
export class BadSignature extends Error {
  override name = 'BadSignature'
}

/** A test event on a server for real payments, or the reverse. */
export class WrongMode extends Error {
  override name = 'WrongMode'
}

/** Methods that call the network throw `ProviderFailure`. */
export interface PaymentProvider {
  /** `test`: nobody pays. */
  name: 'stripe' | 'test'
  listOffers: () => Promise<Offer[]>
  /** @returns the customer's id */
  createCustomer: (account: { accountId: string; name: string; email: string }) => Promise<string>
  /** @returns the address of the payment page */
  openCheckout: (purchase: Purchase) => Promise<string>
  /** @returns the address of the page with invoices and cards, where subscriptions are cancelled */
  openPortal: (customer: { customerId: string; returnUrl: string }) => Promise<string>
  listSubscriptions: (customerId: string) => Promise<ProviderSubscription[]>
  /**
   * Ends the subscription whose present period a payment paid, so it is not charged again.
   * @returns its customer; null: the payment paid no subscription, or a period that is over
   */
  endPaidBy: (paymentRef: string) => Promise<string | null>
  /** @throws BadSignature, WrongMode */
  readEvent: (rawBody: Buffer, signature: string) => PaymentEvent
}
