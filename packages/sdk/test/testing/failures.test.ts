import { getEventListeners } from 'node:events'
import { describe, expect, test } from 'vitest'
import { Ratecard, ConnectionError, InvalidResponseError, RateLimitError } from '../../src/index.ts'
import { createFakeRatecard } from '../../src/testing.ts'
import { get, quotaOf } from './client.ts'

describe('failNext', () => {
  test('happens as often as it says, to the operation it says, and costs nothing', async () => {
    const fake = createFakeRatecard()
    fake.failNext({ operation: 'listPrices', status: 503, times: 2 })
    const statuses = []
    for (const path of ['/v1/changes', '/v1/prices', '/v1/prices', '/v1/prices']) {
      statuses.push((await get(fake, path)).status)
    }
    expect(statuses).toEqual([200, 503, 503, 200])
    expect(await quotaOf(get(fake, '/v1/usage'))).toEqual([200, '9998', null])
  })

  test('several queue up, and stopFailing ends them', async () => {
    const fake = createFakeRatecard()
    fake.failNext({ status: 500 })
    fake.failNext({ status: 503, times: Infinity })
    const statusOf = async () => (await get(fake, '/v1/usage')).status
    expect([await statusOf(), await statusOf(), await statusOf()]).toEqual([500, 503, 503])
    fake.stopFailing()
    expect(await statusOf()).toBe(200)
  })

  test('a 429 for the quota has what the real one has; another is what it is given', async () => {
    const fake = createFakeRatecard()
    fake.failNext({ status: 429 })
    const quota = await get(fake, '/v1/prices')
    expect(quota.headers.get('retry-after')).toBe('52200')
    expect(await quota.json()).toMatchObject({
      error: 'quota_exceeded',
      topup_url: `${fake.baseUrl}/dashboard/billing`,
    })
    fake.failNext({
      status: 429,
      body: { error: 'slow_down' },
      headers: { 'retry-after': '1', 'X-Request-Id': null },
    })
    const other = await get(fake, '/v1/prices')
    expect([other.headers.get('retry-after'), other.headers.has('x-request-id')]).toEqual(['1', false])
    expect(await other.json()).toEqual({ error: 'slow_down' })
  })

  test('a 503 tells no counts, as the real one', async () => {
    const fake = createFakeRatecard()
    fake.failNext({ status: 503 })
    const { headers } = await get(fake, '/v1/prices')
    expect([...headers.keys()].filter((name) => name.startsWith('x-ratelimit'))).toEqual([])
    expect(headers.get('retry-after')).toBe('1')
  })

  test('a status of a proxy has no body of ours', async () => {
    const fake = createFakeRatecard()
    fake.failNext({ status: 502, body: '<h1>Bad gateway</h1>', headers: { 'content-type': 'text/html' } })
    fake.failNext({ status: 504 })
    expect(await (await get(fake, '/v1/prices')).text()).toBe('<h1>Bad gateway</h1>')
    expect(await (await get(fake, '/v1/prices')).text()).toBe('')
  })

  test('a bad key is told first', async () => {
    const fake = createFakeRatecard()
    fake.failNext({ status: 429 })
    expect((await get(fake, '/v1/prices', { key: 'nobody' })).status).toBe(401)
  })

  test('a lost answer is to work that was done, a refused connection to work that was not', async () => {
    const fake = createFakeRatecard()
    fake.failNext({ connection: 'refused' })
    fake.failNext({ connection: 'lost' })
    for (const code of ['ECONNREFUSED', 'ECONNRESET']) {
      await expect(get(fake, '/v1/prices')).rejects.toMatchObject({ name: 'TypeError', cause: { code } })
    }
    expect(await quotaOf(get(fake, '/v1/usage'))).toEqual([200, '9999', null])
    expect(fake.requests.map(({ status }) => status)).toEqual([null, null, 200])
  })

  test('a delayed answer comes, and a hanging one ends with the signal, which keeps no listener', async () => {
    const fake = createFakeRatecard()
    fake.failNext({ delayMs: 1 })
    fake.failNext({ delayMs: Infinity })
    const controller = new AbortController()
    const { signal } = controller
    expect((await get(fake, '/v1/prices', { signal })).status).toBe(200)
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
    const hanging = get(fake, '/v1/prices', { signal })
    await Promise.resolve()
    controller.abort(new Error('enough'))
    await expect(hanging).rejects.toThrow('enough')
    await expect(get(fake, '/v1/prices', { signal })).rejects.toThrow('enough')
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
    expect(await quotaOf(get(fake, '/v1/usage'))).toEqual([200, '9999', null])
  })
})

describe('with the client', () => {
  test('a creation whose answer is lost is not done twice', async () => {
    const fake = createFakeRatecard()
    const client = new Ratecard({ apiKey: fake.apiKey, baseUrl: fake.baseUrl, fetch: fake.fetch })
    fake.failNext({ connection: 'lost', operation: 'createWebhook' })
    const creation = client.webhooks.create({ url: 'https://hooks.acme.example', secret: '0123456789abcdef' })
    await expect(creation).rejects.toBeInstanceOf(ConnectionError)
    expect(await client.webhooks.list()).toHaveLength(1)
  })

  test('a broken answer and an exhausted quota are errors of their own', async () => {
    const fake = createFakeRatecard()
    const client = new Ratecard({ apiKey: fake.apiKey, baseUrl: fake.baseUrl, fetch: fake.fetch })
    fake.failNext({ status: 200, body: '<html>' })
    await expect(client.usage.get()).rejects.toBeInstanceOf(InvalidResponseError)
    fake.account.setUsed(10_000)
    await expect(client.prices.list()).rejects.toBeInstanceOf(RateLimitError)
    expect(fake.requests).toHaveLength(2)
  })
})
