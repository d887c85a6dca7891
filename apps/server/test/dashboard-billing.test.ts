import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Schemas } from '../src/http/dashboard/schemas/index.ts'
import { openPayments } from '../src/app.ts'
import { insertApiKey } from '../src/features/accounts/api-key-store.ts'
import { endSubscription, putSubscription } from '../src/features/entitlements/subscription-store.ts'
import { insertMember } from '../src/features/members/member-store.ts'
import { verifyLedger } from '../src/features/metering/verify-ledger.ts'
import { readConfig } from '../src/platform/config.ts'
import { createSecretBox, generateSecretsKey } from '../src/features/webhooks/secret-box.ts'
import { createLogger } from '../src/platform/logger.ts'
import { useApi } from './support/api.ts'
import type { Browser } from './support/dashboard-client.ts'
import { signInNew, type DashboardAnswer } from './support/dashboard-client.ts'
import { startFakeStripe, type StripeEvent } from './support/fake-stripe.ts'
import { useDatabase } from './support/postgres.ts'

const stripe = await startFakeStripe()
afterAll(() => stripe.close())
const database = useDatabase()
const api = useApi(database, {
  env: { ...stripe.env, CONTACT: 'billing@ratecard.example' },
  stripeUrl: stripe.url,
})
beforeAll(() => stripe.sellFor(api.url))
afterEach(() => void (stripe.works = true))

const dataOf = <T>({ body }: DashboardAnswer) => (body as { data: T }).data
const billingOf = async (browser: Browser) => dataOf<Schemas['Billing']>(await browser.get('/billing'))

async function auditOf(accountId: string) {
  const entries = await database.db
    .selectFrom('audit_entries')
    .select(['action', 'actor', 'subject_id', 'details'])
    .where('account_id', '=', accountId)
    .orderBy('at')
    .execute()
  return entries.map(({ action, actor }) => `${action} by ${actor}`)
}

/** Begins to buy, as the page does. @returns the id of the checkout at Stripe */
async function checkout(browser: Browser, body: Schemas['CheckoutInput']): Promise<string> {
  const answer = await browser.post('/billing/checkout', body)
  expect(answer.status).toBe(201)
  const { url } = dataOf<Schemas['Redirect']>(answer)
  expect(url).toMatch(new RegExp(`^${stripe.url}/pay/cs_\\d+$`))
  return url.split('/').at(-1)!
}

/** Buys a pack. @returns its payment, and the event that reported it */
async function buyPack(browser: Browser, quantity = 1): Promise<{ payment: string; event: StripeEvent }> {
  const [event] = stripe.pay(await checkout(browser, { item: 'pack', quantity }))
  if (!event) throw new Error('Stripe told nothing.')
  return { payment: String(event.data.object.payment_intent), event }
}

const refund = (payment: string, refunded = true) =>
  stripe.event('charge.refunded', { id: 'ch_1', object: 'charge', payment_intent: payment, refunded })
const dispute = (payment: string) =>
  stripe.event('charge.dispute.created', { id: 'dp_1', object: 'dispute', payment_intent: payment })

test('while Stripe cannot be reached, what the account has is shown without prices', async () => {
  const { browser } = await signInNew(api, 'Zoe')
  stripe.works = false
  expect(await billingOf(browser)).toMatchObject({ plan: 'free', provider: 'stripe', offers: null })
  stripe.works = true
  // A failure is remembered for some seconds.
  await expect.poll(async () => (await billingOf(browser)).offers, { interval: 500 }).toHaveLength(2)
})

describe('packs', () => {
  test('one payment reported five times at once is one pack', async () => {
    const { browser, accountId } = await signInNew(api, 'Ada')
    const { event } = await buyPack(browser)
    expect(await billingOf(browser)).toMatchObject({ plan: 'free', packs: [], has_portal: true })
    const statuses = await Promise.all(Array.from({ length: 5 }, () => stripe.deliver(event)))
    expect(statuses).toEqual([200, 200, 200, 200, 200])
    expect((await billingOf(browser)).packs).toMatchObject([
      { units: 50_000, remaining: 50_000, state: 'live' },
    ])
    expect(await stripe.deliver(event)).toBe(200)
    expect((await billingOf(browser)).packs).toHaveLength(1)
    expect(await auditOf(accountId)).toEqual([
      'billing.checkout_started by user',
      'billing.pack_bought by provider',
    ])
  })

  test('two events about one payment are one pack', async () => {
    const { browser } = await signInNew(api, 'Barbara')
    const { event } = await buyPack(browser)
    const other = stripe.event('checkout.session.async_payment_succeeded', event.data.object)
    expect(await Promise.all([stripe.deliver(event), stripe.deliver(other)])).toEqual([200, 200])
    expect((await billingOf(browser)).packs).toHaveLength(1)
  })

  test('three at once are one pack of their requests', async () => {
    const { browser } = await signInNew(api, 'Cleo')
    const { event } = await buyPack(browser, 3)
    await stripe.deliver(event)
    expect((await billingOf(browser)).packs).toMatchObject([{ units: 150_000 }])
  })

  test('a checkout whose money is still on its way grants nothing until it is there', async () => {
    const { browser } = await signInNew(api, 'Dora')
    const { event } = await buyPack(browser)
    const { object } = event.data
    const completed = stripe.event(event.type, { ...object, payment_status: 'unpaid' })
    expect(await stripe.deliver(completed)).toBe(200)
    expect((await billingOf(browser)).packs).toEqual([])
    await stripe.deliver(stripe.event('checkout.session.async_payment_succeeded', object))
    expect((await billingOf(browser)).packs).toHaveLength(1)
  })

  test.each([
    ['a refund', 'Elin', refund],
    ['a dispute', 'Fay', dispute],
  ])('%s voids what remains, from the next request on', async (_what, name, takeBack) => {
    const { browser, accountId } = await signInNew(api, name)
    const { payment, event } = await buyPack(browser)
    await stripe.deliver(event)
    const { key } = await database.db.transaction().execute((trx) => insertApiKey(trx, accountId, 'test', 2))
    const price = async () => (await api.request('/v1/prices?limit=1', { key })).status
    for (let request = 1; request <= 101; request += 1) expect(await price()).toBe(200)
    expect((await billingOf(browser)).packs).toMatchObject([{ remaining: 49_999, state: 'live' }])

    const event2 = takeBack(payment)
    expect(await Promise.all([stripe.deliver(event2), stripe.deliver(event2)])).toEqual([200, 200])
    expect(await price()).toBe(429)
    expect((await billingOf(browser)).packs).toMatchObject([{ state: 'voided' }])
    expect(
      (await auditOf(accountId)).filter((line) => line === 'billing.pack_voided by provider'),
    ).toHaveLength(1)
    expect((await verifyLedger(database.db)).differences).toEqual([])
  })

  test('a part of the money back leaves the pack', async () => {
    const { browser } = await signInNew(api, 'Gil')
    const { payment, event } = await buyPack(browser)
    await stripe.deliver(event)
    expect(await stripe.deliver(refund(payment, false))).toBe(200)
    expect((await billingOf(browser)).packs).toMatchObject([{ state: 'live' }])
  })

  test('a refund that is reported before its payment voids it all the same', async () => {
    const { browser } = await signInNew(api, 'Hal')
    const { payment, event } = await buyPack(browser)
    expect(await stripe.deliver(refund(payment))).toBe(200)
    expect(await stripe.deliver(event)).toBe(200)
    expect((await billingOf(browser)).packs).toMatchObject([{ state: 'voided', remaining: 50_000 }])
  })

  test('a purchase for an account that is not here is left to whose it is', async () => {
    const { browser } = await signInNew(api, 'Ida')
    const { event } = await buyPack(browser)
    const { object } = event.data
    const metadata = { ...(object.metadata as object), account_id: 'acct_of_another_installation' }
    expect(await stripe.deliver(stripe.event(event.type, { ...object, metadata }))).toBe(200)
    expect((await billingOf(browser)).packs).toEqual([])
  })
})

describe('the Developer plan', () => {
  async function subscribe(name: string) {
    const { browser, accountId } = await signInNew(api, name)
    const events = stripe.pay(await checkout(browser, { item: 'developer' }))
    for (const event of events) expect(await stripe.deliver(event)).toBe(200)
    const { id } = events[0]!.data.object
    return { browser, accountId, id, events }
  }

  test('begins when it is paid, renews, and ends when Stripe says so', async () => {
    const { browser, accountId, id } = await subscribe('Jo')
    const begun = await billingOf(browser)
    expect(begun).toMatchObject({
      plan: 'developer',
      subscriptions: [{ plan: 'developer', current: true, renews: true }],
    })
    const renewsInDays = (Date.parse(begun.subscriptions[0]!.ends_at!) - Date.now()) / 86_400_000
    expect(Math.round(renewsInDays)).toBe(30)
    const again = await browser.post('/billing/checkout', { item: 'developer' })
    expect(again).toMatchObject({ status: 409, body: { error: 'conflict' } })

    const cancelled = stripe.alter(id, { cancel_at_period_end: true })
    expect(await stripe.deliver(cancelled)).toBe(200)
    expect((await billingOf(browser)).subscriptions).toMatchObject([{ current: true, renews: false }])
    expect(await stripe.deliver(stripe.alter(id, { cancel_at_period_end: false }))).toBe(200)
    expect((await billingOf(browser)).subscriptions).toMatchObject([{ current: true, renews: true }])

    const ended = stripe.alter(id, { status: 'canceled' }, 'customer.subscription.deleted')
    expect(await Promise.all([1, 2, 3, 4, 5].map(() => stripe.deliver(ended)))).toEqual([
      200, 200, 200, 200, 200,
    ])
    expect(await billingOf(browser)).toMatchObject({ plan: 'free', subscriptions: [{ current: false }] })
    expect(await auditOf(accountId)).toEqual([
      'billing.checkout_started by user',
      'billing.plan_started by provider',
      'billing.plan_cancelled by provider',
      'billing.plan_resumed by provider',
      'billing.plan_ended by provider',
    ])
  })

  test('stays as Stripe has it, whatever the order of events', async () => {
    const { browser, id, events } = await subscribe('Kim')
    const renewed = stripe.alter(id, { status: 'active' })
    const ended = stripe.alter(id, { status: 'canceled' }, 'customer.subscription.deleted')
    expect(await stripe.deliver(ended)).toBe(200)
    expect(await stripe.deliver(renewed)).toBe(200)
    expect(await stripe.deliver(events[0]!)).toBe(200)
    expect((await billingOf(browser)).plan).toBe('free')
  })

  test('bought twice goes on while one of the two does', async () => {
    const { browser, accountId } = await signInNew(api, 'Lea')
    const checkouts = [
      await checkout(browser, { item: 'developer' }),
      await checkout(browser, { item: 'developer' }),
    ]
    const ids: string[] = []
    for (const event of checkouts.flatMap((id) => stripe.pay(id))) {
      expect(await stripe.deliver(event)).toBe(200)
      if (event.type === 'customer.subscription.created') ids.push(event.data.object.id)
    }
    const end = (id: string) =>
      stripe.deliver(stripe.alter(id, { status: 'canceled' }, 'customer.subscription.deleted'))
    await end(ids[0]!)
    expect((await billingOf(browser)).plan).toBe('developer')
    await end(ids[1]!)
    expect((await billingOf(browser)).plan).toBe('free')
    expect((await auditOf(accountId)).filter((line) => line.startsWith('billing.plan'))).toEqual([
      'billing.plan_started by provider',
      'billing.plan_ended by provider',
    ])
  })

  test('that an operator grants does not end with a subscription', async () => {
    const { browser, accountId, id } = await subscribe('Mia')
    await endSubscription(database.db, accountId, 'developer')
    await putSubscription(database.db, accountId, 'developer', {})
    await stripe.deliver(stripe.alter(id, { status: 'canceled' }, 'customer.subscription.deleted'))
    expect(await billingOf(browser)).toMatchObject({
      plan: 'developer',
      subscriptions: [{ renews: false, ends_at: null }],
    })
  })

  test('is told again by Stripe when it could not be asked', async () => {
    const { browser } = await signInNew(api, 'Nora')
    const [created] = stripe.pay(await checkout(browser, { item: 'developer' }))
    stripe.works = false
    expect(await stripe.deliver(created!)).toBe(503)
    expect((await billingOf(browser)).plan).toBe('free')
    stripe.works = true
    expect(await stripe.deliver(created!)).toBe(200)
    expect((await billingOf(browser)).plan).toBe('developer')
  })
})

describe('an event', () => {
  test('that Stripe did not sign, or signed long ago, does nothing', async () => {
    const { browser } = await signInNew(api, 'Olga')
    const { event } = await buyPack(browser)
    expect(await stripe.deliver(event, { secret: 'whsec_aGuess' })).toBe(400)
    expect(await stripe.deliver(event, { signedAt: new Date(Date.now() - 3_600_000) })).toBe(400)
    const unsigned = await fetch(`${api.url}/dashboard/api/billing/stripe`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(event),
    })
    expect(unsigned.status).toBe(400)
    expect((await billingOf(browser)).packs).toEqual([])
  })

  test('of a kind we do not know is taken', async () => {
    expect(await stripe.deliver(stripe.event('invoice.created', { id: 'in_1' }))).toBe(200)
  })
})

describe('buying', () => {
  test('shows what Stripe asks, and sends to its pages', async () => {
    const { browser } = await signInNew(api, 'Pia')
    expect(await billingOf(browser)).toMatchObject({
      provider: 'stripe',
      contact: 'billing@ratecard.example',
      has_portal: false,
      offers: [
        { item: 'developer', amount: '39.00', currency: 'USD', interval: 'month' },
        { item: 'pack', amount: '5.00', currency: 'USD', interval: null },
      ],
    })
    expect(await browser.post('/billing/portal')).toMatchObject({ status: 409, body: { error: 'conflict' } })
    const id = await checkout(browser, { item: 'pack', quantity: 2 })
    expect(stripe.requests.at(-1)?.form).toMatchObject({
      mode: 'payment',
      'line_items[0][price]': 'price_pack',
      'line_items[0][quantity]': '2',
      success_url: expect.stringMatching(/\/dashboard\/billing\?checkout=done$/) as string,
    })
    await checkout(browser, { item: 'pack' })
    expect(stripe.checkouts.get(id)?.customer).toBe([...stripe.checkouts.values()].at(-1)?.customer)
    expect(dataOf(await browser.post('/billing/portal'))).toEqual({ url: `${stripe.url}/portal` })
    expect((await browser.post('/billing/checkout', { item: 'developer', quantity: 2 })).status).toBe(400)
    expect((await browser.post('/billing/checkout', { item: 'pack', quantity: 21 })).status).toBe(400)
  })

  test('is for owners', async () => {
    const { accountId } = await signInNew(api, 'Quin')
    const { browser, userId } = await memberOf(accountId, 'Rosa')
    expect(userId).toMatch(/^usr_/)
    for (const path of ['/billing/checkout', '/billing/portal']) {
      const body = path.endsWith('checkout') ? { item: 'pack' } : undefined
      expect(await browser.post(path, body)).toMatchObject({ status: 403, body: { error: 'owner_only' } })
    }
    expect((await browser.get('/billing')).status).toBe(200)
  })

  test('is a 503 while Stripe fails, and the log says how', async () => {
    const { browser } = await signInNew(api, 'Sara')
    stripe.works = false
    expect(await browser.post('/billing/checkout', { item: 'pack' })).toMatchObject({
      status: 503,
      body: { error: 'service_unavailable' },
    })
    expect(api.log.join('')).toContain('The fake does not work at the moment.')
    expect(api.log.join('')).not.toContain(stripe.env.STRIPE_SECRET_KEY)
    expect(api.log.join('')).not.toContain(stripe.env.STRIPE_WEBHOOK_SECRET)
  })

  async function memberOf(accountId: string, name: string) {
    const { browser } = await signInNew(api, name)
    const { id: userId } = dataOf<Schemas['Me']>(await browser.get('/me')).user
    await database.db.transaction().execute((trx) => insertMember(trx, { accountId, userId, role: 'member' }))
    await browser.post('/switch-account', { account_id: accountId })
    return { browser, userId }
  }
})

const context = { secrets: createSecretBox([generateSecretsKey()]), logger: createLogger('silent') }

test('half of the settings of Stripe is a mistake', async () => {
  const { STRIPE_PRICE_PACK: _, ...rest } = stripe.env
  await expect(openPayments(readConfig(rest), context)).rejects.toThrow(
    'Set STRIPE_PRICE_PACK too, or none of them.',
  )
})

describe('in test mode', () => {
  const tested = useApi(database, { env: { STRIPE_SECRET_KEY: 'test:' } })
  const checkoutOf = async (browser: Browser, quantity: number) => {
    const answer = await browser.post('/billing/checkout', { item: 'pack', quantity })
    expect(answer.status).toBe(201)
    return new URL(dataOf<Schemas['Redirect']>(answer).url)
  }

  test('an owner buys packs on a page that says that nobody pays; the second press adds nothing', async () => {
    const { browser, accountId } = await signInNew(tested, 'Tessa')
    expect(await billingOf(browser)).toMatchObject({
      provider: 'test',
      offers: [{ item: 'pack', amount: '5.00' }],
      has_portal: false,
    })
    const url = await checkoutOf(browser, 2)
    expect(url.port).toBe(new URL(tested.url).port)
    const page = await (await fetch(url)).text()
    expect(page).toContain('nobody pays')
    expect(page).toMatch(/2 packs, 100,000 requests/)
    expect((await billingOf(browser)).packs).toEqual([])
    for (let press = 0; press < 2; press++) {
      const paid = await fetch(url, { method: 'POST', redirect: 'manual' })
      expect([paid.status, paid.headers.get('location')]).toEqual([303, '/dashboard/billing?checkout=done'])
    }
    expect((await billingOf(browser)).packs).toMatchObject([{ units: 100_000, state: 'live' }])
    const [entry] = await database.db
      .selectFrom('audit_entries')
      .select('details')
      .where('account_id', '=', accountId)
      .where('action', '=', 'billing.pack_bought')
      .execute()
    expect(entry?.details).toHaveProperty('payment', expect.stringMatching(/^test_/))
    // No customer is kept, so that Stripe is never asked for one that it does not know.
    const kept = database.db.selectFrom('billing_customers').selectAll().where('account_id', '=', accountId)
    expect(await kept.execute()).toEqual([])
  })

  test('an address that was changed buys nothing', async () => {
    const { browser } = await signInNew(tested, 'Eve')
    const url = await checkoutOf(browser, 1)
    const [, path = '', event = ''] = /^(.*\/)(.*)$/.exec(url.pathname) ?? []
    const more = Buffer.from(event, 'base64url').toString().replace('"quantity":"1"', '"quantity":"900"')
    url.pathname = path + Buffer.from(more).toString('base64url')
    for (const method of ['GET', 'POST']) expect((await fetch(url, { method })).status).toBe(404)
    expect((await billingOf(browser)).packs).toEqual([])
  })

  test('sells no plan', async () => {
    const { browser } = await signInNew(tested, 'Bob')
    const answer = await browser.post('/billing/checkout', { item: 'developer' })
    expect([answer.status, answer.body]).toMatchObject([
      400,
      { message: 'In test mode only packs can be bought.' },
    ])
  })

  test('is loud, and is refused where strangers come', async () => {
    expect(tested.log.join('')).toContain('nobody pays')
    const open = readConfig({ STRIPE_SECRET_KEY: 'test:', PUBLIC_URL: 'https://prices.example' })
    await expect(openPayments(open, context)).rejects.toThrow('whoever signs up could add requests')
  })

  test('has no page where it is off', async () => {
    const url = await checkoutOf((await signInNew(tested, 'Zed')).browser, 1)
    const answer = await fetch(api.url + url.pathname + url.search, { headers: { accept: 'text/html' } })
    expect(answer.status).toBe(404)
    expect(await answer.text()).toContain('Page not found')
  })
})
