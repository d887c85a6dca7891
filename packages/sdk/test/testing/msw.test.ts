import { http } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { ConnectionError, Ratecard } from '../../src/index.ts'
import { createFakeRatecard } from '../../src/testing.ts'

const fake = createFakeRatecard()
const elsewhere = http.all(/./, () => new Response('elsewhere'))
const server = setupServer(...fake.handlers(http), elsewhere)
// Made before msw listens, as in most programs.
const client = new Ratecard({ apiKey: fake.apiKey, baseUrl: fake.baseUrl, maxRetries: 0 })

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }))
afterEach(() => fake.reset())
afterAll(() => server.close())

test('the handlers answer the global fetch, from the state that fetch has', async () => {
  const webhook = await client.webhooks.create({
    url: 'https://hooks.acme.example',
    secret: '0123456789abcdef',
  })
  expect(await client.webhooks.list()).toEqual([webhook])
  const answer = await fake.fetch(`${fake.baseUrl}/v1/webhooks`, {
    headers: { authorization: `Bearer ${fake.apiKey}` },
  })
  expect(await answer.json()).toEqual({ data: [webhook] })
  expect(await client.prices.list({ product: 'openai/gpt-4o-mini' }).toArray({ limit: 10 })).toHaveLength(1)
  await client.webhooks.delete(webhook.id)
  expect(fake.requests.map(({ operation }) => operation)).toEqual([
    ...['createWebhook', 'listWebhooks', 'listWebhooks', 'listPrices', 'deleteWebhook'],
  ])
})

test('paths the service does not have are answered as the service answers them', async () => {
  const statuses = []
  for (const path of ['', '/', '/health', '/v1/nothing', '/v1/webhooks/%zz', '/v1/prices?vendor=%zz']) {
    statuses.push((await fetch(fake.baseUrl + path)).status)
  }
  expect(statuses).toEqual([404, 404, 200, 404, 405, 401])
})

test('a scripted connection failure is one', async () => {
  for (const connection of ['refused', 'lost'] as const) {
    fake.failNext({ connection })
    await expect(client.usage.get()).rejects.toBeInstanceOf(ConnectionError)
  }
})

test('a hanging request ends when the caller gives up', async () => {
  fake.failNext({ delayMs: Infinity })
  await expect(client.usage.get({ timeoutMs: 20 })).rejects.toMatchObject({ name: 'TimeoutError' })
})

test('a host that only begins like the base URL is left to other handlers', async () => {
  const answer = await fetch(`${fake.baseUrl}.acme.example/health`)
  expect(await answer.text()).toBe('elsewhere')
  expect(fake.requests).toEqual([])
})
