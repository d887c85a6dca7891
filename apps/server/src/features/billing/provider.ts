// What any payment provider does for us. Stripe is one; without any, an operator grants packs and plans.

export type Item = 'developer' | 'pack'

/** Something that can be bought, at the provider's price. */
export interface Offer {
  item: Item
  /** A decimal, such as `5.00`. */
  amount: string
  /** Such as `USD`. */
  currency: string
  /** `month` or another when it recurs; null: paid once. */
  interval: string | null
}

interface Purchase {
  accountId: string
  customerId: string
  item: Item
  quantity: number
  /** The page to come back to, whatever happened there. */
  returnUrl: string
}

/** A subscription of a customer to the Developer plan. */
export interface ProviderSubscription {
  ref: string
  /** Whether it is paid, or its payment is being tried again. */
  holds: boolean
  /** RFC 3339, as are the others. */
  startsAt: string
  /** When it ends if nothing else is heard. */
  endsAt: string
  /** Null: it does not renew. */
  renewsAt: string | null
  /** Whether a payment failed and is tried again: it ends when that goes on for too long. */
  isOverdue: boolean
}

/** What an event says that concerns us. */
export type PaymentNews =
  | { kind: 'paid'; accountId: string; paymentRef: string; packs: number }
  | { kind: 'taken_back'; paymentRef: string; reason: 'refund' | 'dispute' }
  /** Something about the subscriptions of a customer: ask what. */
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

/** The event was not signed by the provider, or too long ago. */
export class BadSignature extends Error {
  override name = 'BadSignature'
}

/** The event is of test payments where money is taken, or the other way round. */
export class WrongMode extends Error {
  override name = 'WrongMode'
}

/** What goes over the network throws `ProviderFailure`. */
export interface PaymentProvider {
  name: 'stripe'
  listOffers: () => Promise<Offer[]>
  /** @returns the customer's id */
  createCustomer: (account: { accountId: string; name: string; email: string }) => Promise<string>
  /** @returns the page on which to pay */
  openCheckout: (purchase: Purchase) => Promise<string>
  /** @returns the page with invoices and cards, where subscriptions are cancelled */
  openPortal: (customer: { customerId: string; returnUrl: string }) => Promise<string>
  listSubscriptions: (customerId: string) => Promise<ProviderSubscription[]>
  /**
   * Ends the subscription whose present period a payment paid, so that it is not charged again.
   * @returns its customer; null: the payment paid for no subscription, or for a time that is over
   */
  endPaidBy: (paymentRef: string) => Promise<string | null>
  /** @throws BadSignature, WrongMode */
  readEvent: (rawBody: Buffer, signature: string) => PaymentEvent
}
