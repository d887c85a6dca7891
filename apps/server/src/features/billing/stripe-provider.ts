import { Stripe } from 'stripe'
import { BadSignature, ProviderFailure, type Item, type Offer, type PaymentProvider } from './provider.ts'
import { newsOf, type CheckoutMetadata } from './stripe-event.ts'
import { offerOf, subscriptionOf } from './stripe-terms.ts'

export interface StripeOptions {
  secretKey: string
  /** Signs events. */
  webhookSecret: string
  /** Stripe's ids of what is sold. */
  prices: Record<Item, string>
  /** Where Stripe is reached; undefined: Stripe itself. */
  apiUrl?: string | undefined
}

// Longest an answer of Stripe's may take, for each of the tries.
const timeoutMs = 8_000
const retriesMax = 1
// How long a price is shown before it is asked for again. What is paid is decided by Stripe.
const offersMs = 300_000
// More than anybody has.
const subscriptionsMax = 100

export function createStripeProvider(options: StripeOptions): PaymentProvider {
  const { secretKey, webhookSecret, prices, apiUrl } = options
  const stripe = new Stripe(secretKey, {
    timeout: timeoutMs,
    maxNetworkRetries: retriesMax,
    telemetry: false,
    ...(apiUrl !== undefined && endpointOf(new URL(apiUrl))),
  })
  let offers: { value: Offer[]; readAtMs: number } | null = null
  const offerFor = async (item: Item) => offerOf(item, await ask(stripe.prices.retrieve(prices[item])))

  return {
    name: 'stripe',

    async listOffers() {
      if (offers === null || performance.now() - offers.readAtMs > offersMs) {
        const value = await Promise.all([offerFor('developer'), offerFor('pack')])
        offers = { value, readAtMs: performance.now() }
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
      // By what we wrote on them, not by their price: who bought at an old one keeps the plan.
      return data.filter(({ metadata }) => metadata.item === 'developer').map(subscriptionOf)
    },

    readEvent(rawBody, signature) {
      try {
        const event = stripe.webhooks.constructEvent(rawBody, signature, webhookSecret)
        return { id: event.id, type: event.type, news: newsOf(event) }
      } catch (error) {
        if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) throw error
        throw new BadSignature('The event is not signed by Stripe.', { cause: error })
      }
    },
  }
}

/** Stripe's own errors carry the whole answer; what the log needs of them is this. */
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

function endpointOf({ protocol, hostname, port }: URL) {
  const isTls = protocol === 'https:'
  return {
    protocol: isTls ? ('https' as const) : ('http' as const),
    host: hostname,
    port: port || (isTls ? 443 : 80),
  }
}
