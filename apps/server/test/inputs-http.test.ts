import { describe, expect, test } from 'vitest'
import { createLimitedServer, listen } from '../src/http/socket/listen.ts'
import { useApi } from './support/api.ts'
import { createCustomer } from './support/actors.ts'
import { exchange, head, send, type RawAnswer } from './support/raw-http.ts'
import { usageOf } from './support/fixtures.ts'
import { expectError, expectNoHarm, listOf, secret, url, useInputs } from './support/inputs.ts'

const inputs = useInputs()
const { api, authorization, database, free, get, paid } = inputs
const shop = useApi(database, { env: { CORS_ORIGINS: 'https://app.example, https://other.example:8443' } })

describe('what cannot be read as HTTP is answered like every other error', () => {
  test.each<[string, string]>([
    ['garbage', 'garbage\r\n\r\n'],
    ['binary', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
    ['a lower-case method', 'get / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['HTTP/9.9', 'GET /health HTTP/9.9\r\nHost: x\r\n\r\n'],
    ['a target with a space', 'GET /v1/pri ces HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a header without a name', 'GET /health HTTP/1.1\r\nHost: x\r\n: x\r\n\r\n'],
    ['a header with a space in its name', 'GET /health HTTP/1.1\r\nHost: x\r\nA b: x\r\n\r\n'],
    [
      'two lengths',
      'POST /v1/webhooks HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
    ],
    ['a length and chunks', 'POST /v1/webhooks HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'], // prettier-ignore
    ['a length that is no number', 'POST /v1/webhooks HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n'],
    ['no Host', 'GET /health HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ])('400 for %s', async (_name, bytes) => {
    const answers = await exchange(api.url, Buffer.from(bytes, 'latin1'))
    expect(answers).toHaveLength(1)
    expectError(answers[0] as RawAnswer, 400, 'invalid_request')
    expect(answers[0]?.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(answers[0]?.headers.get('connection')).toBe('close')
  })

  test.each([17, 64])('431 for %i KiB of headers', async (kib) => {
    const [answer] = await exchange(api.url, head('GET /health', `X-Long: ${'x'.repeat(kib * 1_024)}`))
    expectError(answer as RawAnswer, 431, 'headers_too_large')
  })

  test('408 for a head that does not arrive in time', async () => {
    // The server of the API waits ten seconds; it answers the same then.
    const limits = { headersTimeoutMs: 20, requestTimeoutMs: 20, lookEveryMs: 10 }
    const { server } = createLimitedServer(() => undefined, limits)
    const port = await listen(server, { host: '127.0.0.1', port: 0, portName: 'PORT' })
    const [answer] = await exchange(`http://127.0.0.1:${port}`, 'GET /health HTTP/1.1\r\nHost: x\r\n')
    expectError(answer as RawAnswer, 408, 'request_timeout')
    await new Promise((resolve) => server.close(resolve))
  })

  test('431 for a target that is too long', async () => {
    const [answer] = await exchange(api.url, head(`GET /v1/prices?vendor=${'x'.repeat(20_000)}`))
    expectError(answer as RawAnswer, 431, 'headers_too_large')
  })

  test('an expectation we do not know is not left without a body', async () => {
    const answer = await send(api.url, 'GET /health', 'Expect: miracles')
    expect(answer.status).toBe(200)
  })

  test('100-continue is granted', async () => {
    const body = JSON.stringify({ url, secret })
    const answers = await exchange(
      api.url,
      head(
        'POST /v1/webhooks',
        authorization(),
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
        'Expect: 100-continue',
        'Connection: close',
      ) + body,
    )
    expect(answers.map((answer) => answer.status)).toEqual([100, 201])
  })

  test('HTTP/1.0 is answered, and the connection closed', async () => {
    const [answer, ...more] = await exchange(api.url, 'GET /health HTTP/1.0\r\n\r\n')
    expect([answer?.status, more]).toEqual([200, []])
  })

  test('pipelined requests are answered in order, each counted once', async () => {
    const customer = await createCustomer(database.db, { plan: 'developer' })
    const key = `Authorization: Bearer ${customer.key}`
    const answers = await exchange(
      api.url,
      head('GET /v1/prices?limit=1', key) +
        head('GET /v1/nothing', key) +
        head('GET /v1/changes?limit=0', key) +
        head('PUT /v1/usage', key) +
        head('GET /v1/changes', key, 'Connection: close'),
    )
    expect(answers.map((answer) => answer.status)).toEqual([200, 404, 400, 405, 200])
    expect((await usageOf(api, customer)).endpoints).toEqual({ prices: 1, changes: 1, webhooks: 0 })
  })
})

describe('headers of every answer', () => {
  const targets: [string, number, string][] = [
    ['GET /v1/prices', 200, 'paid'],
    ['GET /v1/prices?limit=0', 400, 'paid'],
    ['GET /v1/prices', 401, 'nobody'],
    ['GET /v1/changes', 403, 'free'],
    ['GET /v1/nothing', 404, 'paid'],
    ['DELETE /v1/webhooks/wh_none', 404, 'paid'],
    ['PUT /v1/prices', 405, 'paid'],
    ['POST /v1/webhooks', 400, 'paid'],
    ['GET /v1/usage', 200, 'free'],
  ]

  test.each(targets)('%s: %i', async (line, status, who) => {
    const key = who === 'paid' ? paid.key : free.key
    const answer = await send(
      api.url,
      line,
      'Accept-Encoding: gzip',
      ...(who === 'nobody' ? [] : [`Authorization: Bearer ${key}`]),
    )
    expect(answer.status).toBe(status)
    const { headers } = answer
    expect(headers.get('cache-control')).toBe('private, no-store')
    expect(listOf(headers.get('vary'))).toEqual(['authorization', 'accept-encoding'])
    expect(headers.get('x-request-id')).toMatch(/^req_\w{20}$/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    for (const name of [
      'x-powered-by',
      'etag',
      'last-modified',
      'set-cookie',
      'access-control-allow-origin',
    ]) {
      expect(headers.has(name), name).toBe(false)
    }
    expect(headers.has('x-ratelimit-limit')).toBe(who !== 'nobody' && !/nothing|PUT/.test(line))
  })

  test('every request has an id of its own, whatever the client sends', async () => {
    const ids = new Set<string | null>()
    for (let count = 0; count < 3; count += 1) {
      ids.add((await get('/v1/usage', 'X-Request-Id: mine')).headers.get('x-request-id'))
    }
    expect(ids.size).toBe(3)
    expect(ids.has('mine')).toBe(false)
    for (const id of ids) expect(api.log.join('')).toContain(id ?? 'none')
  })

  test.each(['If-None-Match: *', 'If-None-Match: "x"', 'If-Modified-Since: Fri, 31 Dec 2100 00:00:00 GMT'])(
    'there are no conditional requests: %s',
    async (condition) => {
      for (const target of ['/v1/prices', '/v1/usage', '/v1/changes']) {
        expect((await get(target, condition)).status).toBe(200)
      }
    },
  )

  test('Range is ignored', async () => {
    expect((await get('/v1/prices', 'Range: bytes=0-10')).status).toBe(200)
  })

  test('gzip when asked for, and the same content', async () => {
    const headers = { authorization: `Bearer ${paid.key}` }
    const plain = await fetch(`${api.url}/v1/prices`, {
      headers: { ...headers, 'accept-encoding': 'identity' },
    })
    const gzip = await fetch(`${api.url}/v1/prices`, { headers: { ...headers, 'accept-encoding': 'gzip' } })
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(gzip.headers.get('content-encoding')).toBe('gzip')
    expect(listOf(gzip.headers.get('vary'))).toEqual(['authorization', 'accept-encoding'])
    expect(await gzip.json()).toEqual(await plain.json())
  })
})

describe('CORS', () => {
  const preflight = (server: { url: string }, origin: string, path = '/v1/webhooks') =>
    send(
      server.url,
      `OPTIONS ${path}`,
      `Origin: ${origin}`,
      'Access-Control-Request-Method: POST',
      'Access-Control-Request-Headers: authorization,content-type',
    )

  test('not configured: nothing is said of origins, and OPTIONS is 405', async () => {
    const { status, headers } = await preflight(api, 'https://app.example')
    expect(status).toBe(405)
    const answer = await get('/v1/usage', 'Origin: https://app.example')
    for (const name of [...headers.keys(), ...answer.headers.keys()]) {
      expect(name).not.toMatch(/^access-control/)
    }
  })

  test.each(['https://app.example', 'https://other.example:8443'])(
    'configured: a preflight from %s is answered before credentials',
    async (origin) => {
      const { status, headers } = await preflight(shop, origin)
      expect(status).toBe(204)
      expect(headers.get('access-control-allow-origin')).toBe(origin)
      expect(listOf(headers.get('access-control-allow-methods'))).toEqual(['get', 'post', 'delete'])
      expect(listOf(headers.get('access-control-allow-headers'))).toEqual([
        'authorization',
        'content-type',
        'mcp-protocol-version',
      ])
      expect(headers.has('access-control-allow-credentials')).toBe(false)
      expect(listOf(headers.get('vary'))).toEqual(expect.arrayContaining(['authorization', 'origin']))
    },
  )

  test('configured: a listed origin may read the answer and its headers, errors too', async () => {
    for (const [target, status] of [
      ['/v1/usage', 200],
      ['/v1/prices?limit=0', 400],
      ['/v1/nothing', 404],
    ] as const) {
      const answer = await send(shop.url, `GET ${target}`, authorization(), 'Origin: https://app.example')
      expect(answer.status).toBe(status)
      expect(answer.headers.get('access-control-allow-origin')).toBe('https://app.example')
      expect(listOf(answer.headers.get('access-control-expose-headers'))).toEqual([
        'x-ratelimit-limit',
        'x-ratelimit-remaining',
        'x-ratelimit-reset',
        'x-ratelimit-topup',
        'x-request-id',
        'retry-after',
      ])
    }
  })

  test.each(['https://evil.example', 'http://app.example', 'https://app.example.evil.example', 'null'])(
    'configured: the origin %s gets no permission',
    async (origin) => {
      expect((await preflight(shop, origin)).headers.has('access-control-allow-origin')).toBe(false)
      const answer = await send(shop.url, 'GET /v1/usage', authorization(), `Origin: ${origin}`)
      expect(answer.headers.has('access-control-allow-origin')).toBe(false)
      expect(listOf(answer.headers.get('vary'))).toContain('origin')
    },
  )
})

expectNoHarm(inputs)
