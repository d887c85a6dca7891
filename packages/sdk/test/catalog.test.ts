import { expect, test, vi } from 'vitest'
import { Catalog, costOf, resolve } from '../../cost/src/index.ts'
import { ConfigurationError, ConnectionError, RateLimitError, Ratecard, RatecardError } from '../src/index.ts'
import { createFakeRatecard } from '../src/testing.ts'
import { failure, pageOf, serve } from './support/server.ts'

// `client.catalog()`: the copy of the catalog that comes with the client, in the hands of @ratecard/cost itself.

const instant = (second: number) =>
  new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString().replace('Z', '000Z')

function open() {
  const fake = createFakeRatecard({ prices: [] })
  fake.putPrices(
    {
      resource_id: 'acme:one',
      vendor: 'acme',
      platform: 'acme',
      input_per_mtok: 0.075,
      output_per_mtok: 0.3,
    },
    {
      resource_id: 'other:two',
      vendor: 'other',
      platform: 'other',
      input_per_mtok: 2,
      output_per_mtok: null,
    },
  )
  const client = new Ratecard({
    apiKey: fake.apiKey,
    baseUrl: fake.baseUrl,
    fetch: fake.fetch,
    maxRetries: 0,
  })
  return { fake, client }
}

const million = { counts: { input_tokens: 1_000_000 } }

test('it is a catalog of @ratecard/cost, which prices exactly what the API states', async () => {
  const { client } = open()
  const catalog = await client.catalog({ refreshMs: 0 })
  expect(catalog).toBeInstanceOf(Catalog)
  expect(catalog.size).toBe(2)
  expect(catalog.stamp()).toMatchObject({ origin: 'api', ageMs: expect.any(Number) as number })
  const cost = costOf(million, { catalog, model: 'acme:one' })
  expect(cost).toMatchObject({ total: '0.075', currency: 'USD', doubts: ['no_rate_cards'] })
  // What the API does not state is unknown, and not 0.
  const open_ = costOf({ counts: { output_tokens: 1 } }, { catalog, model: 'other:two' })
  expect(open_).toMatchObject({ total: null, atLeast: '0' })
  expect(resolve('one', { catalog, platform: 'acme' }).isResolved).toBe(true)
})

test('it takes the filters of a list', async () => {
  const { client } = open()
  const catalog = await client.catalog({ vendor: 'acme', refreshMs: 0 })
  expect(catalog.records().map(({ resource_id }) => resource_id)).toEqual(['acme:one'])
})

test('a refresh asks for what has moved alone, and makes the prices younger when nothing has', async () => {
  const { fake, client } = open()
  const catalog = await client.catalog({ refreshMs: 0 })
  expect(fake.requests).toHaveLength(1)
  const before = catalog.stamp().generatedAt
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect(await catalog.refresh()).toBe(false)
  expect(fake.requests).toHaveLength(2)
  expect(fake.requests[1]?.query).toMatchObject({ since: expect.any(String) as string })
  expect(catalog.stamp().generatedAt > before).toBe(true)

  fake.advance(1_000)
  fake.putPrices({ resource_id: 'acme:one', input_per_mtok: 0.05 })
  expect(await catalog.refresh()).toBe(true)
  expect(costOf(million, { catalog, model: 'acme:one' }).total).toBe('0.05')
  expect(catalog.size).toBe(2)
})

test('a refresh that fails is told, and the last good prices go on', async () => {
  const { fake, client } = open()
  const errors: unknown[] = []
  const catalog = await client.catalog({ refreshMs: 10, onError: (error) => errors.push(error) })
  fake.account.setUsed(1_000_000)
  await expect.poll(() => errors[0]).toBeInstanceOf(RateLimitError)
  catalog.close()
  expect(costOf(million, { catalog, model: 'acme:one' }).total).toBe('0.075')
  await expect(catalog.refresh()).rejects.toThrow(RateLimitError)
})

test('a signal ends the refreshing', async () => {
  const { fake, client } = open()
  const stop = new AbortController()
  await client.catalog({ refreshMs: 5 }, { signal: stop.signal })
  await expect.poll(() => fake.requests.length).toBeGreaterThan(1)
  stop.abort()
  const asked = fake.requests.length
  await new Promise((resolve) => setTimeout(resolve, 30))
  expect(fake.requests.length).toBeLessThanOrEqual(asked + 1)
})

test('a failure names the line that waits, and is one of the client', async () => {
  const { fake, client } = open()
  fake.failNext({ connection: 'refused' })
  let error: unknown
  try {
    await client.catalog()
  } catch (thrown) {
    error = thrown
  }
  expect(error).toBeInstanceOf(ConnectionError)
  expect((error as Error).stack?.split('\n')[1]).toContain('catalog.test.ts')
})

test('a record that moves while the table is walked is not missed', async () => {
  const row = (id: string, second: number) => ({ resource_id: id, product_id: null, vendor: 'x', platform: 'x', modality: 'llm', region: null, unit: '1m_tokens', input_per_mtok: second, output_per_mtok: 1, cached_input_per_mtok: null, image_per_unit: null, audio_per_min: null, video_per_sec: null, currency: 'USD', source_url: null, effective_at: '2026-01-01', updated_at: instant(second) }) // prettier-ignore
  const { client, seen } = await serve(({ query }) => {
    if (query.get('cursor') === 'next') return pageOf([row('x:c', 1)])
    // x:b was on the second page, and has moved to the front since the first was read.
    if (query.has('since')) return pageOf([row('x:b', 9), row('x:a', 3)])
    return pageOf([row('x:a', 3)], 'next')
  })
  const catalog = await client().catalog({ refreshMs: 0 })
  expect(
    catalog
      .records()
      .map(({ resource_id }) => resource_id)
      .sort(),
  ).toEqual(['x:a', 'x:b', 'x:c'])
  expect(seen).toHaveLength(3)
  expect(catalog.version).toBe(instant(9))
  await catalog.refresh()
  expect(seen[3]?.query.get('since')).toBe(instant(9))
})

test('once a day all is walked again, so that what is gone goes', async () => {
  const { fake, client } = open()
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    const catalog = await client.catalog({ refreshMs: 0 })
    vi.setSystemTime(Date.now() + 86_400_000)
    await catalog.refresh()
    expect(fake.requests.map(({ query }) => Object.hasOwn(query, 'since'))).toEqual([false, false])
  } finally {
    vi.useRealTimers()
  }
})

test.each([-1, NaN, 'daily'])('refreshMs %j is refused in a sentence', async (refreshMs) => {
  const { client } = open()
  const error = await failure(client.catalog({ refreshMs: refreshMs as number }))
  expect(error).toBeInstanceOf(ConfigurationError)
  expect(error.message).toContain('refreshMs')
})

test('rows that are none are an answer of somebody else', async () => {
  const { client } = await serve(() => pageOf([{ price: 'low' }]))
  const error = await failure(client().catalog())
  expect(error).toBeInstanceOf(RatecardError)
  expect(error.message).toContain('resource_id')
})
