import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Schemas } from '../../src/http/dashboard/schemas/index.ts'
import { useApi } from '../support/api.ts'
import { signInNew, type Browser, type DashboardAnswer } from '../support/dashboard-client.ts'
import { startFakeStripe } from '../support/fake-stripe.ts'
import { useDatabase } from '../support/postgres.ts'

// Requests to a payment provider are bounded, and a refund takes effect.

const stripe = await startFakeStripe()
afterAll(() => stripe.close())
const database = useDatabase()
const api = useApi(database, { env: stripe.env, stripeUrl: stripe.url })
beforeAll(() => stripe.sellFor(api.url))
afterEach(() => void (stripe.works = true))

const dataOf = <T>({ body }: DashboardAnswer) => (body as { data: T }).data
const billingOf = async (browser: Browser) => dataOf<Schemas['Billing']>(await browser.get('/billing'))
const asked = (line: string) => stripe.requests.filter((request) => request.line.startsWith(line)).length

async function actionsOf(accountId: string): Promise<string[]> {
  const entries = await database.db
    .selectFrom('audit_entries')
    .select('action')
    .where('account_id', '=', accountId)
    .orderBy('at')
    .execute()
  return entries.map(({ action }) => action)
}

async function subscribe(name: string) {
  const { browser, accountId } = await signInNew(api, name)
  const { url } = dataOf<Schemas['Redirect']>(await browser.post('/billing/checkout', { item: 'developer' }))
  const events = stripe.pay(url.split('/').at(-1)!)
  for (const event of events) expect(await stripe.deliver(event)).toBe(200)
  const { id } = events[0]!.data.object
  expect((await billingOf(browser)).plan).toBe('developer')
  return { browser, accountId, id, payment: stripe.paymentOf(id) }
}

test('while Stripe fails, prices are asked for once, not by everybody who looks', async () => {
  const { browser } = await signInNew(api, 'Zoe')
  stripe.works = false
  const before = asked('GET /v1/prices')
  for (let look = 1; look <= 10; look += 1) expect((await billingOf(browser)).offers).toBeNull()
  expect(asked('GET /v1/prices') - before).toBe(2)
})

test('an account begins 20 checkouts an hour, and opens the portal as often', async () => {
  const { browser } = await signInNew(api, 'Ada')
  for (const [path, body] of [
    ['/billing/checkout', { item: 'pack' }],
    ['/billing/portal', undefined],
  ] as const) {
    for (let count = 1; count <= 20; count += 1) expect((await browser.post(path, body)).status).toBe(201)
    const before = stripe.requests.length
    const refused = await browser.post(path, body)
    expect(refused).toMatchObject({ status: 429, body: { error: 'too_many_attempts' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000)
    expect(stripe.requests).toHaveLength(before)
  }
})

test.each(['refund', 'dispute'] as const)('a %s of what paid for a plan ends it', async (how) => {
  const { browser, accountId, id, payment } = await subscribe(how === 'refund' ? 'Bea' : 'Cleo')
  const event =
    how === 'refund'
      ? stripe.event('charge.refunded', { id: 'ch_1', payment_intent: payment, refunded: true })
      : stripe.event('charge.dispute.created', { id: 'dp_1', payment_intent: payment })
  expect(await stripe.deliver(event)).toBe(200)
  expect(await stripe.deliver(event)).toBe(200)
  expect((await billingOf(browser)).plan).toBe('free')
  // Or it would be charged again.
  expect(stripe.subscriptions.get(id)?.status).toBe('canceled')
  expect((await actionsOf(accountId)).filter((action) => action === 'billing.plan_ended')).toHaveLength(1)
})

test('a plan goes on for seven days while its payment is tried again', async () => {
  const { browser, accountId, id } = await subscribe('Dora')
  const daysAgo = (days: number) => ({
    data: [
      {
        id: 'si_1',
        current_period_start: Math.floor(Date.now() / 1_000) - days * 86_400,
        current_period_end: Math.floor(Date.now() / 1_000) + (30 - days) * 86_400,
      },
    ],
  })
  const start_date = Math.floor(Date.now() / 1_000) - 60 * 86_400
  expect(await stripe.deliver(stripe.alter(id, { status: 'past_due', start_date, items: daysAgo(2) }))).toBe(
    200,
  )
  const overdue = await billingOf(browser)
  expect(overdue).toMatchObject({ plan: 'developer', subscriptions: [{ current: true, renews: false }] })
  expect(Math.round((Date.parse(overdue.subscriptions[0]!.ends_at!) - Date.now()) / 86_400_000)).toBe(5)
  expect(await stripe.deliver(stripe.alter(id, { items: daysAgo(8) }))).toBe(200)
  expect((await billingOf(browser)).plan).toBe('free')
  expect((await actionsOf(accountId)).slice(-2)).toEqual(['billing.payment_overdue', 'billing.plan_ended'])
})

test('an event of live payments is refused where test payments are taken, and the log says so', async () => {
  const { browser } = await signInNew(api, 'Eve')
  const { url } = dataOf<Schemas['Redirect']>(await browser.post('/billing/checkout', { item: 'pack' }))
  const [event] = stripe.pay(url.split('/').at(-1)!)
  expect(await stripe.deliver({ ...event!, livemode: true })).toBe(400)
  expect((await billingOf(browser)).packs).toEqual([])
  expect(api.log.some((line) => line.includes('an event of Stripe was refused'))).toBe(true)
  expect(await stripe.deliver(event!)).toBe(200)
  expect((await billingOf(browser)).packs).toHaveLength(1)
})
