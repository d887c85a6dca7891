import { describe, expect, test } from 'vitest'
import { createFakeRatecard, type FakeRatecard } from '../../src/testing.ts'
import type { Usage, Webhook } from '../../src/index.ts'
import { get, quotaOf, rowsOf } from './client.ts'

async function post(fake: FakeRatecard, body: object): Promise<Response> {
  return fake.fetch(`${fake.baseUrl}/v1/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${fake.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

const webhook = { url: 'https://hooks.acme.example/x', secret: 'a-long-random-string-of-your-own' }

/** Everything two fakes could differ in. */
async function transcript(fake: FakeRatecard): Promise<unknown[]> {
  const account = fake.createAccount({ plan: 'free', packs: [{ requests: 1 }] })
  fake.putPrices({ resource_id: 'acme:a', vendor: 'acme' })
  fake.putChanges({ product: 'acme/a', alternatives: [{}] })
  fake.advance(1_000)
  const answers = [
    await get(fake, '/v1/prices?limit=2'),
    await get(fake, '/v1/changes?include_incidents=true'),
    await post(fake, webhook),
    await get(fake, '/v1/usage', { key: account.apiKey }),
    await get(fake, '/v1/nothing'),
  ]
  const texts = await Promise.all(
    answers.map(async (answer) => [answer.status, [...answer.headers], await answer.text()]),
  )
  return [...texts, fake.requests, fake.now(), fake.apiKey, account]
}

describe('determinism', () => {
  test('two fakes made alike answer alike, to the last byte', async () => {
    const [first, second] = [await transcript(createFakeRatecard()), await transcript(createFakeRatecard())]
    expect(JSON.stringify(second)).toBe(JSON.stringify(first))
  })

  test('after reset() a fake is as new', async () => {
    const fake = createFakeRatecard()
    const first = JSON.stringify(await transcript(fake))
    fake.account.setUsed(10_000)
    fake.account.revokeKey()
    fake.failNext({ status: 503, times: Infinity })
    fake.reset()
    expect(fake.requests).toEqual([])
    expect(JSON.stringify(await transcript(fake))).toBe(first)
  })

  test('what a caller does to a returned row changes nothing in the fake', () => {
    const fake = createFakeRatecard()
    const before = JSON.stringify([fake.prices, fake.changes])
    fake.prices[0]!.vendor = 'someone else'
    fake.changes[2]!.alternatives.length = 0
    fake.putChanges({ id: 'chg_x', product: 'acme/a', alternatives: [{}] })[0]!.alternatives.length = 0
    expect(fake.changes[0]?.alternatives).toHaveLength(1)
    fake.reset()
    expect(JSON.stringify([fake.prices, fake.changes])).toBe(before)
  })
})

describe('the clock', () => {
  test('stands still unless it is moved', async () => {
    const fake = createFakeRatecard({ now: '2030-01-01T23:59:59Z' })
    expect(await (await get(fake, '/health')).json()).toEqual({
      status: 'ok',
      timestamp: '2030-01-01T23:59:59.000000Z',
    })
    fake.advance(1_500)
    expect(fake.now().toISOString()).toBe('2030-01-02T00:00:00.500Z')
    expect(() => fake.advance(-1)).toThrow(RangeError)
  })

  test('follows a function', () => {
    let now = Date.parse('2030-01-01T00:00:00Z')
    const fake = createFakeRatecard({ now: () => now })
    now += 60_000
    fake.advance(1_000)
    expect(fake.now().toISOString()).toBe('2030-01-01T00:01:01.000Z')
  })

  test('at midnight the daily quotas start again', async () => {
    const fake = createFakeRatecard({ plan: 'free' })
    fake.account.setUsed(100)
    expect(await quotaOf(get(fake, '/v1/prices'))).toEqual([429, '0', null])
    fake.advanceToMidnight()
    expect(await quotaOf(get(fake, '/v1/prices'))).toEqual([200, '99', null])
  })

  test('a plan with an end lapses then', async () => {
    const fake = createFakeRatecard()
    fake.account.setPlan('scale', { until: new Date(fake.now().getTime() + 1_000) })
    expect((await get(fake, '/v1/changes')).status).toBe(200)
    fake.advance(1_000)
    expect((await get(fake, '/v1/changes')).status).toBe(403)
  })
})

describe('accounts', () => {
  test('a rotated key goes on with the count, and so does one made after a revocation', async () => {
    const fake = createFakeRatecard({ plan: 'free' })
    fake.account.setUsed(40)
    const rotated = fake.account.rotateKey()
    expect((await get(fake, '/v1/prices')).status).toBe(401)
    expect(await quotaOf(get(fake, '/v1/prices', { key: rotated }))).toEqual([200, '59', null])
    const other = fake.account.createKey()
    expect(await quotaOf(get(fake, '/v1/prices', { key: other }))).toEqual([200, '99', null])
    fake.account.revokeKey(rotated)
    expect(await quotaOf(get(fake, '/v1/prices', { key: fake.account.createKey() }))).toEqual([
      200,
      '58',
      null,
    ])
  })

  test('keys are limited by the plan, and an unknown one is not told', () => {
    const { account } = createFakeRatecard({ plan: 'free' })
    account.createKey()
    expect(() => account.createKey()).toThrow('2 active keys')
    expect(() => account.revokeKey('rc_live_mine')).toThrow(/^(?!.*rc_live_mine)/)
  })

  test('usage equals the headers', async () => {
    const fake = createFakeRatecard()
    fake.account.setUsed(9_999)
    fake.account.grantPack({ requests: 2 })
    expect(await quotaOf(get(fake, '/v1/changes'))).toEqual([200, '0', null])
    expect(await quotaOf(get(fake, '/v1/webhooks'))).toEqual([200, '0', 'true'])
    const usage = (await (await get(fake, '/v1/usage')).json()) as Usage
    expect(usage).toMatchObject({
      daily_quota: { limit: 10_000, used: 10_000, remaining: 0, reset_at: '2026-11-22T00:00:00.000000Z' },
      endpoints: { prices: 9_999, changes: 1, webhooks: 1 },
      metered_total: 10_001,
      topup: { remaining: 1, packs: [{ remaining: 1, expires_at: '2026-12-21T09:30:00.000000Z' }] },
    })
  })
})

test('the outcome of a delivery is listed, and an inactive webhook counts no more', async () => {
  const fake = createFakeRatecard()
  await post(fake, webhook)
  await post(fake, webhook)
  const [first] = await rowsOf<Webhook>(get(fake, '/v1/webhooks'))
  const outcome = {
    active: false,
    last_status: 410,
    last_error: 'http_410: the endpoint says that it is gone.',
  }
  fake.recordDelivery(first!.id, outcome)
  expect((await post(fake, webhook)).status).toBe(201)
  expect((await rowsOf<Webhook>(get(fake, '/v1/webhooks')))[0]).toMatchObject(outcome)
  expect((await post(fake, webhook)).status).toBe(402)
})

test('the log tells what came, and no key and no secret', async () => {
  const fake = createFakeRatecard()
  await get(fake, `/v1/prices?vendor=openai&limit=2`)
  await post(fake, webhook)
  await get(fake, `/v1/changes?api_key=${fake.apiKey}`, { key: 'nobody' })
  await get(fake, '/nothing')
  expect(fake.requests.map(({ operation, status, query }) => [operation, status, query])).toEqual([
    ['listPrices', 200, { vendor: 'openai', limit: '2' }],
    ['createWebhook', 201, {}],
    ['listChanges', 401, { api_key: 'rc_live_[redacted]' }],
    [null, 404, {}],
  ])
  expect(fake.requests[1]).toMatchObject({
    method: 'POST',
    path: '/v1/webhooks',
    body: { url: webhook.url, secret: '[redacted]' },
  })
  expect(JSON.stringify(fake.requests)).not.toMatch(new RegExp(`${fake.apiKey}|${webhook.secret}`))
})

test('the fake has a prefix when its base URL has one, and answers nowhere else', async () => {
  const fake = createFakeRatecard({ baseUrl: 'https://gateway.acme.example/ratecard/' })
  expect(fake.baseUrl).toBe('https://gateway.acme.example/ratecard')
  expect((await get(fake, '/health')).status).toBe(200)
  for (const url of [
    'https://gateway.acme.example/health',
    'https://gateway.acme.example/ratecards/health',
  ]) {
    expect((await fake.fetch(url)).status).toBe(421)
  }
})
