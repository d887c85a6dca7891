import { Stripe } from 'stripe'
import { afterAll, describe, expect, test } from 'vitest'
import { BadSignature } from '../../src/features/billing/provider.ts'
import { createStripeProvider } from '../../src/features/billing/stripe-provider.ts'
import { startFakeStripe, type StripeEvent } from '../support/fake-stripe.ts'

// An event that Stripe did not sign, byte for byte and just now, has no effect. A signed one contains only what we
// wrote on the checkout ourselves.

const stripe = await startFakeStripe()
afterAll(() => stripe.close())
const secret = 'whsec_ofTheFake'
const provider = createStripeProvider({
  secretKey: 'sk_test_ofTheFake',
  webhookSecret: secret,
  prices: { developer: 'price_developer', pack: 'price_pack' },
  apiUrl: stripe.url,
})
const signer = new Stripe('sk_test_ofTheFake').webhooks

const now = () => Math.floor(Date.now() / 1_000)
const sign = (payload: string, { key = secret, timestamp = now() } = {}) =>
  signer.generateTestHeaderString({ payload, secret: key, timestamp })
const hexOf = (header: string) => header.split('v1=')[1] ?? ''

const checkout = (fields: Record<string, unknown> = {}): StripeEvent =>
  stripe.event('checkout.session.completed', {
    ...{ id: 'cs_1', object: 'checkout.session', payment_status: 'paid', payment_intent: 'pi_1' },
    metadata: { account_id: 'acct_1', item: 'pack', quantity: '2' },
    ...fields,
  })
const text = JSON.stringify(checkout())

describe('an event is read', () => {
  test.each<[string, () => [payload: string, header: string]]>([
    ['as it was signed', () => [text, sign(text)]],
    ['signed four minutes ago', () => [text, sign(text, { timestamp: now() - 240 })]],
    ['with a signature of the secret before it beside the right one', () => [text, `${sign(text)},v1=${hexOf(sign(text, { key: 'whsec_old' }))}`]],
    ['with a signature of another scheme beside the right one', () => [text, `${sign(text)},v0=${'0'.repeat(64)}`]],
  ])('%s', (_what, make) => {
    const [payload, header] = make()
    expect(provider.readEvent(Buffer.from(payload), header)).toMatchObject({
      type: 'checkout.session.completed',
      news: { kind: 'paid', accountId: 'acct_1', paymentRef: 'pi_1', packs: 2 },
    })
  }) // prettier-ignore
})

describe('an event is refused', () => {
  test.each<[string, () => [payload: string, header: string]]>([
    ['without a signature', () => [text, '']],
    ['with a header that is none', () => [text, 'nonsense']],
    ['with the signature alone', () => [text, `v1=${hexOf(sign(text))}`]],
    ['with the time alone', () => [text, `t=${now()}`]],
    ['signed by another secret', () => [text, sign(text, { key: 'whsec_aGuess' })]],
    ['signed by our API key', () => [text, sign(text, { key: 'sk_test_ofTheFake' })]],
    ['signed by nothing', () => [text, sign(text, { key: ' ' })]],
    ['signed six minutes ago', () => [text, sign(text, { timestamp: now() - 360 })]],
    ['signed in 1970', () => [text, sign(text, { timestamp: 1 })]],
    ['with a time that was put forward', () => [text, sign(text, { timestamp: now() - 360 }).replace(/t=\d+/, `t=${now()}`)]],
    ['with a time that is none', () => [text, sign(text).replace(/t=\d+/, 't=x')]],
    ['with the signature of another scheme', () => [text, sign(text).replace('v1=', 'v0=')]],
    ['with a signature that is cut', () => [text, sign(text).slice(0, -1)]],
    ['with a signature in capitals', () => [text, `t=${now()},v1=${hexOf(sign(text)).toUpperCase()}`]],
    ['with another byte', () => [text.replace('"2"', '"9"'), sign(text)]],
    ['with one byte more', () => [`${text} `, sign(text)]],
    ['written anew', () => [JSON.stringify(JSON.parse(text), null, 1), sign(text)]],
    ['of another event', () => [JSON.stringify(checkout()), sign(text)]],
    ['empty', () => ['', sign(text)]],
  ])('%s', (_what, make) => {
    const [payload, header] = make()
    expect(() => provider.readEvent(Buffer.from(payload), header)).toThrow(BadSignature)
  }) // prettier-ignore
})

describe('a checkout that was not written by us pays for nothing', () => {
  test.each<[string, Record<string, unknown>]>([
    ['no metadata', { metadata: null }],
    ['no account', { metadata: { item: 'pack', quantity: '1' } }],
    ['an account where the customer writes', { metadata: {}, client_reference_id: 'acct_1' }],
    ['another thing', { metadata: { account_id: 'acct_1', item: 'shoes', quantity: '1' } }],
    ['no quantity', { metadata: { account_id: 'acct_1', item: 'pack' } }],
    ['a quantity of 0', { metadata: { account_id: 'acct_1', item: 'pack', quantity: '0' } }],
    ['a quantity below 0', { metadata: { account_id: 'acct_1', item: 'pack', quantity: '-1' } }],
    ['half a pack', { metadata: { account_id: 'acct_1', item: 'pack', quantity: '0.5' } }],
    ['a quantity that is no number', { metadata: { account_id: 'acct_1', item: 'pack', quantity: 'many' } }],
    ['money that is still on its way', { payment_status: 'unpaid' }],
  ])('%s', (_what, fields) => {
    const payload = JSON.stringify(checkout(fields))
    expect(provider.readEvent(Buffer.from(payload), sign(payload)).news).toEqual({ kind: 'other' })
  })
})

test.each(['developer', 'pack'] as const)(
  '%s: the price is ours, and no code makes it less',
  async (item) => {
    stripe.requests.length = 0
    await provider.openCheckout({
      accountId: 'acct_1',
      customerId: 'cus_1',
      item,
      quantity: 1,
      returnUrl: 'https://ratecard.example/dashboard/billing',
    })
    const form = stripe.requests.at(-1)?.form ?? {}
    expect(form).toMatchObject({ 'line_items[0][price]': `price_${item}`, 'metadata[account_id]': 'acct_1' })
    expect(
      Object.keys(form).filter((name) => /promotion|discount|coupon|price_data|adjustable/.test(name)),
    ).toEqual([])
  },
)
