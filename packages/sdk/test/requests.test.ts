import fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { ConfigurationError, InvalidResponseError, Ratecard, version } from '../src/index.ts'
import { failure, pageOf, rateLimitHeaders, serve, testKey, usage } from './support/server.ts'

describe('requests', () => {
  it('sends key, user agent and accept, and filters as the contract spells them', async () => {
    const { client, seen } = await serve(() => pageOf([]))
    const since = new Date('2026-11-20T06:00:00.123Z')
    await client().changes.list({
      product: 'openai/gpt 4+o&?#%',
      minSeverity: 3,
      includeIncidents: false,
      since,
      limit: 10,
    })
    expect(Object.fromEntries(seen[0]!.query)).toEqual({
      product: 'openai/gpt 4+o&?#%',
      min_severity: '3',
      include_incidents: 'false',
      since: '2026-11-20T06:00:00.123Z',
      limit: '10',
    })
    expect(seen[0]!.headers).toMatchObject({
      authorization: `Bearer ${testKey}`,
      accept: 'application/json',
      'user-agent': `ratecard-sdk-js/${version}`,
    })
    expect(seen[0]!.headers['content-type']).toBeUndefined()
  })

  it('sends a parameter it does not know, so that the server can refuse it', async () => {
    const { client, seen } = await serve(() => pageOf([]))
    await client().prices.list({ vendr: 'openai' } as object)
    expect(seen[0]!.target).toBe('/v1/prices?vendr=openai')
  })

  it.each([null, {}, ['a'], new Date(NaN), '\ud800'])(
    'refuses the parameter %s and sends nothing',
    async (vendor) => {
      const { client, seen } = await serve(() => pageOf([]))
      expect(await failure(client().prices.list({ vendor } as object))).toBeInstanceOf(ConfigurationError)
      expect(seen).toHaveLength(0)
    },
  )

  it('sends a new webhook as JSON and unwraps the answer', async () => {
    const { client, seen } = await serve(() => ({ status: 201, json: { data: { id: 'whk_1' } } }))
    const params = {
      url: 'https://hooks.customer.example/ratecard',
      secret: 'a-long-random-secret',
      events: ['*' as const],
    }
    expect(await client().webhooks.create(params)).toEqual({ id: 'whk_1' })
    expect(JSON.parse(seen[0]!.body)).toEqual(params)
    expect(seen[0]!.headers['content-type']).toBe('application/json')
  })

  it.each(['', '.', '..'])('refuses the id "%s", which would be another path', async (id) => {
    const { client, seen } = await serve(() => ({ json: { success: true } }))
    expect(await failure(client().webhooks.delete(id))).toBeInstanceOf(ConfigurationError)
    expect(seen).toHaveLength(0)
  })

  it('keeps every other id one segment of the path', async () => {
    const { client, seen } = await serve(() => ({ json: { success: true } }))
    const ratecard = client()
    const ids = fc.oneof(
      fc.string({ minLength: 1, unit: 'binary' }),
      fc.constantFrom('a/b', '../v1', '%2e%2e', '?x', '#x'),
    )
    await fc.assert(
      fc.asyncProperty(ids, async (id) => {
        fc.pre(!/^\.{1,2}$/.test(id))
        await ratecard.webhooks.delete(id)
        const [, path] = /^\/v1\/webhooks\/([^/?#]+)$/.exec(seen.at(-1)!.target) ?? []
        expect(decodeURIComponent(path!)).toBe(id)
      }),
      { numRuns: 60 },
    )
  })

  it('keeps the path of the base URL and drops its trailing slash', async () => {
    const { url, client, seen } = await serve(() => ({ json: { status: 'ok' } }))
    await client({ baseUrl: `${url}/ratecard/` }).health()
    expect(seen[0]!.target).toBe('/ratecard/health')
  })

  it('keeps fields and values that it does not know', async () => {
    const row = { id: 'chg_1', category: 'of_tomorrow', brand_new: { deep: [1] } }
    const { client } = await serve(() => pageOf([row]))
    expect((await client().changes.list()).data).toEqual([row])
  })

  it('gives response, rate limit and request id beside the result', async () => {
    const { client } = await serve(() => ({
      headers: { ...rateLimitHeaders, 'x-ratelimit-topup': 'true' },
      json: usage,
    }))
    const seen = vi.fn()
    const { data, response, rateLimit, requestId } = await client({ onRateLimit: seen })
      .usage.get()
      .withResponse()
    expect(data.plan).toBe('developer')
    expect(response.status).toBe(200)
    expect(requestId).toBe('req-1')
    expect(rateLimit).toEqual({ limit: 100, remaining: 7, resetAt: new Date(1795305600_000), topup: true })
    expect(seen.mock.calls).toEqual([[rateLimit]])
  })

  it.each([
    ['no answer at all', {}],
    ['numbers that are none', { 'x-ratelimit-limit': 'many', 'x-ratelimit-remaining': '-1' }],
  ])('has no rate limit with %s', async (_, headers) => {
    const { client } = await serve(() => ({ headers: headers, json: usage }))
    expect((await client().usage.get().withResponse()).rateLimit).toBeUndefined()
  })

  it.each([
    ['HTML', '<html>sign in</html>', 'text/html'],
    ['truncated JSON', '{"data":[', 'application/json'],
    ['an empty body', '', 'application/json'],
    ['a bare text', '"ok"', 'application/json'],
  ])('fails with InvalidResponseError on a 200 with %s', async (_, text, type) => {
    const { client, seen } = await serve(() => ({ text, headers: { 'content-type': type } }))
    const error = await failure<InvalidResponseError>(client().prices.list())
    expect(error).toBeInstanceOf(InvalidResponseError)
    expect(error).toMatchObject({ status: 200, body: text, requestId: 'req-1', retryable: false })
    expect(seen).toHaveLength(1)
  })

  it('fails with InvalidResponseError on a 200 without rows', async () => {
    const { client } = await serve(() => ({ json: { data: 'none' } }))
    expect(await failure(client().prices.list())).toBeInstanceOf(InvalidResponseError)
  })

  it('does not follow a redirect, so that the key goes nowhere else', async () => {
    const other = await serve(() => pageOf([]))
    const { client, seen } = await serve(() => ({
      status: 307,
      headers: { location: `${other.url}/v1/prices` },
      json: {},
    }))
    const error = await failure(client().prices.list())
    expect(error).toBeInstanceOf(InvalidResponseError)
    expect(error.message).toContain('redirect')
    expect([seen.length, other.seen.length]).toEqual([1, 0])
  })

  it('calls the fetch that is global at that moment, with no `this`', async () => {
    const { client } = await serve(() => ({ json: { status: 'ok' } }))
    const ratecard = client()
    const original = globalThis.fetch
    const seen: unknown[] = []
    globalThis.fetch = function (this: unknown, ...args: Parameters<typeof fetch>) {
      seen.push(this)
      return original(...args)
    }
    try {
      await ratecard.health()
    } finally {
      globalThis.fetch = original
    }
    expect(seen).toEqual([undefined])
  })

  it('derives clients that share what is not changed', async () => {
    const { client, seen } = await serve(() => ({ json: usage }))
    const base = client({ headers: { 'x-team': 'ml', 'x-app': 'one' } })
    await base
      .withOptions({ headers: { 'X-App': 'two' }, apiKey: undefined })
      .usage.get({ headers: { 'x-call': '1' } })
    expect(seen[0]!.headers).toMatchObject({
      'x-team': 'ml',
      'x-app': 'two',
      'x-call': '1',
      authorization: `Bearer ${testKey}`,
    })
  })

  it.each<[string, object]>([
    ['timeoutMs', { timeoutMs: NaN }],
    ['maxRetries', { maxRetries: -1 }],
    ['authorization', { headers: { Authorization: 'Bearer other' } }],
    ['bad name', { headers: { 'bad name': 'x' } }],
    ['x-bad', { headers: { 'x-bad': 'a\nb' } }],
  ])('refuses options that cannot work: %s', async (name, options) => {
    const { client, seen } = await serve(() => ({ json: usage }))
    const error = await failure(client().usage.get(options))
    expect(error).toBeInstanceOf(ConfigurationError)
    expect(error.message).toContain(name)
    expect(seen).toHaveLength(0)
  })

  it('has the version of its package.json', () => {
    const { version: published } = JSON.parse(
      readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
    ) as {
      version: string
    }
    expect(version).toBe(published)
  })

  it('never fails when it is made', () => {
    expect(() => new Ratecard({ apiKey: '\n', baseUrl: 'nonsense', maxRetries: NaN })).not.toThrow()
  })
})
