import { build } from 'esbuild'
import { createRequire } from 'node:module'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import * as sdk from '../src/index.ts'
import { failure, rateLimitHeaders, serve, testKey, usage } from './support/server.ts'

const upgradeUrl = 'https://api.ratecard.example/dashboard/billing'
const topupUrl = 'https://api.ratecard.example/topup'

describe('errors', () => {
  it.each([
    [400, sdk.BadRequestError],
    [401, sdk.AuthenticationError],
    [402, sdk.PaymentRequiredError],
    [403, sdk.PermissionDeniedError],
    [404, sdk.NotFoundError],
    [409, sdk.ApiError],
    [429, sdk.RateLimitError],
    [500, sdk.InternalServerError],
    [502, sdk.InternalServerError],
    [503, sdk.ServiceUnavailableError],
  ])('a %i is a class of its own', async (status, expected) => {
    const { client } = await serve(() => status)
    const error = await failure<sdk.ApiError>(client({ maxRetries: 0 }).usage.get())
    expect(error.constructor).toBe(expected)
    expect(error).toBeInstanceOf(sdk.ApiError)
    expect(error).toBeInstanceOf(sdk.RatecardError)
    expect(error).toMatchObject({
      status,
      code: 'some_code',
      requestId: 'req-1',
      attempts: 1,
      name: expected.name,
    })
    expect(error.message).toContain(`Status ${status}.`)
    expect(error.retryable).toBe([429, 500, 502, 503].includes(status))
  })

  it('a used-up quota tells where it stands, how long to wait and where to buy, and ends with that address', async () => {
    const body = {
      error: 'quota_exceeded',
      message: 'Used up.',
      status: 429,
      upgrade_url: upgradeUrl,
      topup_url: topupUrl,
    }
    const { client, seen } = await serve(() => ({
      status: 429,
      headers: { ...rateLimitHeaders, 'retry-after': '30' },
      json: body,
    }))
    const error = await failure<sdk.RateLimitError>(client().prices.list())
    expect(error).toMatchObject({ upgradeUrl, topupUrl, retryAfterMs: 30_000, retryable: false, body })
    expect(error.rateLimit).toMatchObject({ limit: 100, remaining: 7 })
    expect(error.message.endsWith(topupUrl)).toBe(true)
    expect(seen).toHaveLength(1)
  })

  it.each([402, 403])('a %i ends with the address of the plans', async (status) => {
    const { client } = await serve(() => ({
      status,
      json: { error: 'x', message: 'No.', status, upgrade_url: upgradeUrl },
    }))
    const error = await failure<sdk.ApiError>(client().webhooks.list())
    expect(error.upgradeUrl).toBe(upgradeUrl)
    expect(error.message.endsWith(upgradeUrl)).toBe(true)
  })

  it.each([
    ['empty', ''],
    ['HTML', '<h1>Bad gateway</h1>'],
    ['null', 'null'],
    ['of other types', '{"error":1,"message":[],"topup_url":{}}'],
  ])('an error whose body is %s is an ApiError nevertheless', async (_, text) => {
    const { client } = await serve(() => ({
      status: 429,
      text,
      headers: { 'content-length': String(text.length) },
    }))
    const error = await failure<sdk.ApiError>(client({ maxRetries: 0 }).prices.list())
    expect(error).toBeInstanceOf(sdk.RateLimitError)
    expect([error.code, error.topupUrl]).toEqual([undefined, undefined])
  })

  it('instanceof works across bundled copies, and tells the classes apart', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ratecard-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const options = {
      entryPoints: [new URL('../src/index.ts', import.meta.url).pathname],
      bundle: true,
      minify: true,
    }
    await build({ ...options, format: 'esm', outfile: join(folder, 'copy.mjs') })
    await build({ ...options, format: 'cjs', outfile: join(folder, 'copy.cjs') })
    const esm = (await import(join(folder, 'copy.mjs'))) as typeof sdk
    const cjs = createRequire(import.meta.url)(join(folder, 'copy.cjs')) as typeof sdk
    const copies = [sdk, esm, cjs]
    for (const made of copies) {
      for (const asked of copies) {
        const error = new made.TimeoutError('x')
        expect(error).toBeInstanceOf(asked.TimeoutError)
        expect(error).toBeInstanceOf(asked.ConnectionError)
        expect(error).toBeInstanceOf(asked.RatecardError)
        expect(error).not.toBeInstanceOf(asked.ApiError)
        expect(new made.ApiError('x', { status: 409 })).not.toBeInstanceOf(asked.RateLimitError)
        expect(error.name).toBe('TimeoutError')
      }
    }
    expect(new Error('x')).not.toBeInstanceOf(sdk.RatecardError)
    for (const other of [null, undefined, 'x', 1, {}]) expect(other instanceof sdk.RatecardError).toBe(false)
    class Mine extends sdk.RateLimitError {}
    expect(new Mine('x', { status: 429 })).toBeInstanceOf(cjs.RateLimitError)
    expect(new sdk.RateLimitError('x', { status: 429 })).not.toBeInstanceOf(Mine)
  })

  it('prints short, with what it is about and without what it carries', async () => {
    const { client } = await serve(() => ({ status: 502, text: '<p>Bad gateway</p>'.repeat(10_000) }))
    const error = await failure<sdk.ApiError>(client({ maxRetries: 0 }).usage.get())
    expect(error.constructor.name).toBe('InternalServerError')
    expect(error.body).toContain('Bad gateway')
    expect(inspect(error).replace(error.stack!, '')).toBe(
      " {\n  attempts: 1,\n  retryable: true,\n  status: 502,\n  requestId: 'req-1'\n}",
    )
    expect(error.toJSON()).toMatchObject({ name: 'InternalServerError', status: 502, body: error.body })
  })
})

describe('the key', () => {
  it('is in no rendering of client, error or hook view', async () => {
    const echo = await serve(({ headers }) => ({
      status: 500,
      json: { error: 'x', message: `You sent ${headers.authorization}`, status: 500 },
    }))
    const views: unknown[] = []
    const note = (view: unknown) => void views.push(view)
    const client = echo.client({ maxRetries: 1, hooks: { onRequest: note, onResponse: note, onRetry: note } })
    const leaking = echo.client({
      maxRetries: 0,
      fetch: (url, init) =>
        Promise.reject(
          Object.assign(new Error('failed'), { config: { url, headers: new Headers(init.headers) } }),
        ),
    })
    const errors = [await failure(client.usage.get()), await failure(leaking.usage.get())]
    const page = await (await serve(() => ({ json: { data: [] } }))).client().prices.list()
    expect(views).toHaveLength(5)
    expect(inspect(views, { depth: null })).toContain('[redacted]')
    for (const thing of [client, page, client.prices.list(), client.changes.poll(), ...errors, ...views]) {
      expect(inspect(thing, { depth: null, showHidden: true })).not.toContain(testKey)
      expect(JSON.stringify(thing) ?? '').not.toContain(testKey)
    }
    for (const error of errors)
      expect(`${String(error)}${error.stack}${error.message}`).not.toContain(testKey)
  })

  it.each(['', '  ', 'rc live', 'rc\nlive', 'rc\u0000live', 'schlüssel'])(
    '%j is refused without being told',
    async (apiKey) => {
      const { client, seen } = await serve(() => ({ json: usage }))
      const error = await failure(client({ apiKey }).usage.get())
      expect(error).toBeInstanceOf(sdk.ConfigurationError)
      if (apiKey.trim()) expect(inspect(error)).not.toContain(apiKey)
      expect(seen).toHaveLength(0)
    },
  )

  it('may end with a line feed, as keys from files do', async () => {
    const { client, seen } = await serve(() => ({ json: usage }))
    await client({ apiKey: `${testKey}\n` }).usage.get()
    expect(seen[0]!.headers.authorization).toBe(`Bearer ${testKey}`)
  })

  it('is asked for before each attempt when it is a function', async () => {
    const { client, seen } = await serve((_, count) =>
      count === 1 ? { status: 503, headers: { 'retry-after': '0' }, json: {} } : { json: usage },
    )
    let asked = 0
    await client({ apiKey: () => Promise.resolve(`key-number-${++asked}`) }).usage.get()
    expect(seen.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer key-number-1',
      'Bearer key-number-2',
    ])
  })

  it('that cannot be got is a ConfigurationError with its cause', async () => {
    const { client } = await serve(() => ({ json: usage }))
    const cause = new Error('vault is sealed')
    const error = await failure(client({ apiKey: () => Promise.reject(cause) }).usage.get())
    expect(error).toBeInstanceOf(sdk.ConfigurationError)
    expect(error.cause).toBe(cause)
  })

  it('is not needed, and not sent, for health', async () => {
    const { url, client, seen } = await serve(() => ({ json: { status: 'ok', timestamp: 'now' } }))
    expect(await new sdk.Ratecard({ baseUrl: url }).health()).toEqual({ status: 'ok', timestamp: 'now' })
    await client().health()
    expect(seen.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined])
  })
})

describe('the surroundings', () => {
  it('give key and address when the first call is made', async () => {
    const { url, seen } = await serve(() => ({ json: usage }))
    const client = new sdk.Ratecard()
    expect((await failure(client.usage.get())).message).toContain('RATECARD_BASE_URL')
    process.env['RATECARD_BASE_URL'] = url
    onTestFinished(() => void delete process.env['RATECARD_BASE_URL'])
    expect((await failure(client.usage.get())).message).toContain('RATECARD_API_KEY')
    process.env['RATECARD_API_KEY'] = testKey
    onTestFinished(() => void delete process.env['RATECARD_API_KEY'])
    await client.usage.get()
    expect(seen).toHaveLength(1)
  })

  it.each([
    'http://api.ratecard.example',
    'http://127.evil.example',
    'ftp://api.ratecard.example',
    'https://user:secret@api.ratecard.example',
    'https://api.ratecard.example/?a=1',
    'https://api.ratecard.example/#x',
    'api.ratecard.example',
    '',
  ])('refuse the base URL "%s"', async (baseUrl) => {
    const fetch = () => Promise.reject(new Error('must not be called'))
    const error = await failure(new sdk.Ratecard({ apiKey: testKey, baseUrl, fetch }).usage.get())
    expect(error).toBeInstanceOf(sdk.ConfigurationError)
    expect(error.message).not.toContain('secret')
  })

  it.each(['http://localhost:1', 'http://127.1.2.3:1', 'http://[::1]:1', 'https://api.ratecard.example'])(
    'allow %s',
    async (baseUrl) => {
      const fetch = () => Promise.resolve(new Response('{"status":"ok"}'))
      expect(await new sdk.Ratecard({ baseUrl, fetch }).health()).toEqual({ status: 'ok' })
    },
  )

  it('allow http elsewhere when asked to', async () => {
    const fetch = () => Promise.resolve(new Response('{"status":"ok"}'))
    const client = new sdk.Ratecard({ baseUrl: 'http://ratecard.internal.example', allowHttp: true, fetch })
    expect(await client.health()).toEqual({ status: 'ok' })
  })
})
