import { Stripe } from 'stripe'
import {
  BadSignature,
  ProviderFailure,
  WrongMode,
  type Item,
  type Offer,
  type PaymentProvider,
} from './provider.ts'
import { readId, readNews, type CheckoutMetadata } from './stripe-event.ts'
import { toOffer, toSubscription } from './stripe-terms.ts'

export interface StripeOptions {
  secretKey: string
  /** The key of the events' signatures. */
  webhookSecret: string
  /** Stripe's ids of the prices. */
  prices: Record<Item, string>
  /** Stripe's address; undefined: Stripe itself. */
  apiUrl?: string | undefined
}

// Maximum duration of one try of a request. A user waits for it.
const timeoutMs = 3_000
const retriesMax = 1
// How long a price is shown before it is read again. Stripe decides the amount that is paid.
const offersMs = 300_000
// How long a failure to read prices is not retried. The page shows no prices meanwhile.
const offersFailureMs = 5_000
const offersTimeoutMs = 2_000
// More than any customer has.
const subscriptionsMax = 100

export function createStripeProvider(options: StripeOptions): PaymentProvider {
  const { secretKey, webhookSecret, prices, apiUrl } = options
  const stripe = new Stripe(secretKey, {
    timeout: timeoutMs,
    maxNetworkRetries: retriesMax,
    telemetry: false,
    ...(apiUrl !== undefined && toEndpoint(new URL(apiUrl))),
  })
  const isLive = secretKey.includes('_live_')
  /** The last answer, or the pending one that all callers share. */
  let offers: { value: Promise<Offer[]>; goodUntilMs: number } | null = null
  const offerFor = async (item: Item) => {
    const quickly = { timeout: offersTimeoutMs, maxNetworkRetries: 0 }
    return toOffer(item, await ask(stripe.prices.retrieve(prices[item], {}, quickly)))
  }

  return {
    name: 'stripe',

    listOffers() {
      if (offers === null || performance.now() > offers.goodUntilMs) {
        const value = Promise.all([offerFor('developer'), offerFor('pack')])
        const asked = { value, goodUntilMs: performance.now() + offersMs }
        value.catch(() => (asked.goodUntilMs = performance.now() + offersFailureMs))
        offers = asked
      }
      return offers.value
    },

    async createCustomer({ accountId, name, email }) {
      const customer = stripe.customers.create({ name, email, metadata: { account_id: accountId } })
      return (await ask(customer)).id
    },

    async openCheckout({ accountId, customerId, item, quantity, returnUrl }) {
      const metadata: CheckoutMetadata & Record<string, string> = {
        account_id: accountId,
        item,
        quantity: String(quantity),
      }
      const session = await ask(
        stripe.checkout.sessions.create({
          customer: customerId,
          client_reference_id: accountId,
          line_items: [{ price: prices[item], quantity }],
          success_url: `${returnUrl}?checkout=done`,
          cancel_url: `${returnUrl}?checkout=cancelled`,
          metadata,
          ...(item === 'pack'
            ? { mode: 'payment' as const, payment_intent_data: { metadata } }
            : { mode: 'subscription' as const, subscription_data: { metadata } }),
        }),
      )
      if (session.url === null) throw new ProviderFailure('Stripe named no page to pay on.')
      return session.url
    },

    async openPortal({ customerId, returnUrl }) {
      const session = stripe.billingPortal.sessions.create({ customer: customerId, return_url: returnUrl })
      return (await ask(session)).url
    },

    async listSubscriptions(customerId) {
      const { data } = await ask(
        stripe.subscriptions.list({ customer: customerId, status: 'all', limit: subscriptionsMax }),
      )
      // By the metadata that we wrote on them, not by their price: a customer with an old price keeps the plan.
      return data.filter(({ metadata }) => metadata.item === 'developer').map(toSubscription)
    },

    async endPaidBy(paymentRef) {
      // A checkout without a payment has no invoice.
      if (!paymentRef.startsWith('pi_')) return null
      const { data } = await ask(
        stripe.invoicePayments.list({
          payment: { type: 'payment_intent', payment_intent: paymentRef },
          expand: ['data.invoice'],
        }),
      )
      const invoice = data[0]?.invoice
      if (typeof invoice !== 'object' || invoice.deleted) return null
      const ref = invoice.parent?.subscription_details?.subscription
      const paidUntil = Math.max(0, ...invoice.lines.data.map(({ period }) => period.end))
      if (!ref || paidUntil * 1_000 <= Date.now()) return null
      const subscription = await ask(stripe.subscriptions.retrieve(readId(ref)))
      if (subscription.metadata.item !== 'developer') return null
      if (subscription.status !== 'canceled') await ask(stripe.subscriptions.cancel(subscription.id))
      return readId(subscription.customer)
    },

    readEvent(rawBody, signature) {
      try {
        const event = stripe.webhooks.constructEvent(rawBody, signature, webhookSecret)
        if (event.livemode !== isLive) {
          const mode = (live: boolean) => (live ? 'live' : 'test')
          throw new WrongMode(
            `The event is of Stripe's ${mode(event.livemode)} mode, and STRIPE_SECRET_KEY is of ${mode(isLive)} mode.`,
          )
        }
        return { id: event.id, type: event.type, news: readNews(event) }
      } catch (error) {
        if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) throw error
        throw new BadSignature('The event is not signed by Stripe.', { cause: error })
      }
    },
  }
}

/** The part of Stripe's error that the log needs. The error itself carries the whole answer. */
async function ask<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error
    const { type, code, statusCode, requestId, message } = error
    const facts = [type, code, statusCode, requestId].filter((fact) => fact !== undefined).join(', ')
    throw new ProviderFailure(`Stripe: ${message} (${facts})`)
  }
}

function toEndpoint({ protocol, hostname, port }: URL) {
  const isTls = protocol === 'https:'
  return {
    protocol: isTls ? ('https' as const) : ('http' as const),
    host: hostname,
    port: port || (isTls ? 443 : 80),
  }
}
