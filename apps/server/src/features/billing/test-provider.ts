import { randomUUID } from 'node:crypto'
import { Stripe } from 'stripe'
import { FeatureError } from '../feature-error.ts'
import type { PaymentProvider } from './provider.ts'
import type { CheckoutMetadata } from './stripe-event.ts'
import { createStripeProvider } from './stripe-provider.ts'

// What buying looks like, without Stripe: a checkout page of this server, on which nobody pays. The page's address holds
// the event that Stripe would send, signed as Stripe signs, and is good for as long as Stripe's signatures are: 5 minutes.

const isNever = () => Promise.reject(new Error('A test has no customers.'))

/** @param webhookSecret the key of the events' signatures */
export function createTestProvider(webhookSecret: string): PaymentProvider {
  const prices = { developer: 'price_test', pack: 'price_test' }
  const { readEvent } = createStripeProvider({ secretKey: 'sk_test_none', webhookSecret, prices })
  return {
    name: 'test',
    readEvent,
    listOffers: () => Promise.resolve([{ item: 'pack', amount: '5.00', currency: 'USD', interval: null }]),
    openCheckout({ accountId, item, quantity, returnUrl }) {
      if (item !== 'pack')
        throw new FeatureError('In test mode only packs can be bought.', { code: 'invalid_input' })
      const metadata: CheckoutMetadata = { account_id: accountId, item, quantity: String(quantity) }
      const payload = JSON.stringify({
        id: `evt_test_${randomUUID()}`,
        object: 'event',
        type: 'checkout.session.completed',
        livemode: false,
        data: { object: { metadata, payment_status: 'paid', payment_intent: `test_${randomUUID()}` } },
      })
      const signature = signer.webhooks.generateTestHeaderString({ payload, secret: webhookSecret })
      const event = Buffer.from(payload).toString('base64url')
      return Promise.resolve(
        new URL(`/test-checkout/${event}?${new URLSearchParams({ signature }).toString()}`, returnUrl).href,
      )
    },
    createCustomer: isNever,
    openPortal: isNever,
    listSubscriptions: () => Promise.resolve([]),
    endPaidBy: () => Promise.resolve(null),
  }
}

const signer = new Stripe('sk_test_none')
