import { describe, expect, test } from 'vitest'
import { generateSecretsKey } from '../src/features/webhooks/secret-box.ts'
import { generateApiKey } from '../src/features/accounts/api-key.ts'
import { createCustomer } from './support/actors.ts'
import { expectUnauthorized } from './support/common-credentials.ts'
import { startServer } from './support/process.ts'
import { exchange, head, send, type RawAnswer } from './support/raw-http.ts'
import { expectError, expectNoHarm, secret, url, useInputs } from './support/inputs.ts'

const inputs = useInputs()
const { api, authorization, database, free, get } = inputs

describe('the order of checks: each fault is told before the ones behind it', () => {
  test('404, whatever else is wrong', async () => {
    expectError(await send(api.url, 'PUT /v1/nothing?limit=%zz'), 404, 'not_found')
  })

  test('then 405', async () => {
    const answer = await send(api.url, 'PUT /v1/prices?limit=%zz')
    expectError(answer, 405, 'method_not_allowed')
    expect(answer.headers.get('allow')).toBe('GET')
  })

  test('then 401', async () => {
    expectUnauthorized(await send(api.url, 'GET /v1/changes?limit=%zz'))
  })

  test('401 for what cannot be a key, then 503, while the database is away', async () => {
    const server = await startServer({
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing',
      SECRETS_KEY: generateSecretsKey(),
    })
    expectError(await send(server.url, 'GET /v1/nothing'), 404, 'not_found')
    expectError(await send(server.url, 'PUT /v1/prices'), 405, 'method_not_allowed')
    expectUnauthorized(await send(server.url, 'GET /v1/prices'))
    expectUnauthorized(await send(server.url, 'GET /v1/prices', 'Authorization: Bearer rc_live_mistyped'))
    const withKey = `Authorization: Bearer ${generateApiKey()}`
    expectError(await send(server.url, 'GET /v1/prices?limit=0', withKey), 503, 'service_unavailable')
    expect((await send(server.url, 'GET /health')).status).toBe(200)
  })

  test('then 403', async () => {
    const key = `Authorization: Bearer ${free.key}`
    expectError(await send(api.url, 'GET /v1/changes?limit=%zz', key), 403, 'forbidden')
    const post = head(
      'POST /v1/webhooks',
      key,
      'Content-Type: text/plain',
      'Content-Length: 1',
      'Connection: close',
    )
    const [answer] = await exchange(api.url, `${post}{`)
    expectError(answer as RawAnswer, 403, 'forbidden')
  })

  test('then 400, 413 and 415, then 429, then 402 and 404', async () => {
    const customer = await createCustomer(database.db, { plan: 'developer' })
    const post = async (body: string, contentType = 'application/json') =>
      (
        await api.request('/v1/webhooks', {
          key: customer.key,
          method: 'POST',
          body,
          headers: { 'content-type': contentType },
        })
      ).status
    const good = JSON.stringify({ url, secret })
    expect([await post(good), await post(good)]).toEqual([201, 201])
    await database.db
      .updateTable('usage_days')
      .set({ plan_used: 10_000 })
      .where('quota_subject', '=', customer.keyId)
      .execute()
    expect(await post('{')).toBe(400)
    expect(await post(' '.repeat(70_000))).toBe(413)
    expect(await post(good, 'text/plain')).toBe(415)
    expect(await post(good)).toBe(429)
    const remove = { key: customer.key, method: 'DELETE' }
    expect((await api.request('/v1/webhooks/wh_none', remove)).status).toBe(429)
    await database.db.updateTable('usage_days').set({ plan_used: 0 }).execute()
    expect(await post(good)).toBe(402)
    expect((await api.request('/v1/webhooks/wh_none', remove)).status).toBe(404)
  })
})

describe('paths are exactly those of the contract', () => {
  test.each([
    ...['/v1/prices/', '/v1/Prices', '/V1/prices', '/v1//prices', '//v1/prices', '/v1/prices.json', '/v1'],
    ...['/v1/', '/v1/webhooks/', '/v1/webhooks/a/b', '/v1/./prices', '/v1/x/../prices', '/v1%2Fprices'],
    ...[
      '/v1/price%73',
      '/v1/prices;x=1',
      '/health/',
      '/Health',
      '/v2/prices',
      '/admin',
      '/metrics',
      '/ready',
    ],
    ...['/.env', '/v1/prices%00', '/v1/%zz', '/%', '/v1/usage/today', '/v1\\prices', '*'],
  ])('404 for %s', async (path) => {
    const answer = await get(path)
    expectError(answer, 404, 'not_found')
    if (/^\/v1(\/|$)/i.test(path)) expect(answer.headers.get('cache-control')).toBe('private, no-store')
  })

  test('a query that is empty or holds nothing is no query', async () => {
    for (const target of ['/v1/prices?', '/v1/prices?&', '/v1/prices?&&limit=1&']) {
      expect((await get(target)).status, target).toBe(200)
    }
  })

  test('the absolute form of a target is read like its path', async () => {
    expect((await get('http://ratecard.example/v1/prices?limit=1')).status).toBe(200)
    expectError(await get('http://ratecard.example/v1/nothing'), 404, 'not_found')
    expectError(await get('http://ratecard.example/v1/prices?limit=0'), 400, 'invalid_request')
  })

  test('a fragment, which no client should send, does no harm', async () => {
    for (const target of ['/v1/prices#x', '/v1/prices?limit=1#x', '/v1/usage#', '/health#x']) {
      const { status } = await get(target)
      expect([200, 400, 404], target).toContain(status)
    }
  })
})

describe('methods', () => {
  test.each<[string, string, string]>([
    ...['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'].map(
      (method): [string, string, string] => [method, '/v1/prices', 'GET'],
    ),
    ['HEAD', '/v1/changes', 'GET'],
    ['HEAD', '/v1/usage', 'GET'],
    ['HEAD', '/v1/webhooks', 'GET, POST'],
    ['PUT', '/v1/webhooks', 'GET, POST'],
    ['DELETE', '/v1/webhooks', 'GET, POST'],
    ['GET', '/v1/webhooks/wh_x', 'DELETE'],
    ['PATCH', '/v1/webhooks/wh_x', 'DELETE'],
    ['OPTIONS', '/v1/webhooks/wh_x', 'DELETE'],
    ['POST', '/health', 'GET, HEAD'],
    ['OPTIONS', '/health', 'GET, HEAD'],
  ])('%s %s is 405 and told the methods there are: %s', async (method, path, allow) => {
    const { status, headers, body } = await send(api.url, `${method} ${path}`, authorization())
    expect(status).toBe(405)
    expect(headers.get('allow')).toBe(allow)
    if (method !== 'HEAD') expect(body).toMatchObject({ error: 'method_not_allowed', status: 405 })
  })

  test('HEAD is answered on /health alone', async () => {
    expect((await send(api.url, 'HEAD /health')).status).toBe(200)
  })

  test('a method is not overridden by a header or the query', async () => {
    const { status } = await get('/v1/prices?limit=1', 'X-HTTP-Method-Override: DELETE')
    expect(status).toBe(200)
    expect((await get('/v1/prices?_method=DELETE')).status).toBe(400)
  })
})

describe('the query', () => {
  test.each([
    ...['product=acme/alpha', 'since=2026-01-01T00:00:00Z', "vendor=a:b,c;d@e!$()*'", 'vendor=[x]{y}|z^`"<>'],
    ...[
      'vendor=a=b',
      'vendor==',
      'vendor=a?b',
      'vendor=a+b',
      'vendor=%C3%A9',
      'vendor=%F0%9F%94%91',
      'limit=%31',
    ],
    ...[
      'vend%6Fr=x',
      `vendor=${'a'.repeat(256)}`,
      `vendor=${'%F0%9F%94%91'.repeat(256)}`,
      'vendor=constructor',
    ],
  ])('200 for ?%s', async (query) => {
    expect((await get(`/v1/prices?${query}`)).status).toBe(200)
  })

  test.each([
    ...[
      'limit=0x10',
      'limit=1e2',
      'limit=+5',
      'limit=%2B5',
      'limit=%205',
      'limit=0100',
      'limit=5%0A',
      'limit=5.0',
    ],
    ...[
      'vendor=',
      'vendor',
      'vendor=a&vendor=b',
      'vendor=a&vendor=a',
      'nothing=1',
      'vendor[x]=1',
      'vendor%5B%5D=1',
    ],
    ...['vendor=%00', 'vendor=a%00b', 'vendor=%zz', 'vendor=%e', 'vendor=%', 'vendor=%c3', 'vendor=%C0%80'],
    ...[
      'vendor=%ED%A0%80',
      'vendor=%ff%fe',
      'vendor=%u0041',
      '%zz=1',
      '%00=1',
      'vendor=%09',
      'vendor=%C2%85',
    ],
    ...['__proto__=x', 'constructor=x', 'toString=x', '__proto__[x]=1', 'hasOwnProperty=1', '=', '=x'],
    ...[
      `vendor=${'a'.repeat(257)}`,
      `vendor=${'%F0%9F%94%91'.repeat(257)}`,
      '?limit=1',
      'limit=1?',
      ';limit=1',
    ],
    ...['include_incidents=true', 'min_severity=1', 'category=x'],
  ])('400 for ?%s', async (query) => {
    expectError(await get(`/v1/prices?${query}`), 400, 'invalid_request')
  })

  test('raw bytes beyond ASCII are refused or read, and never a failure of ours', async () => {
    const request = (bytes: number[]) =>
      Buffer.concat([
        Buffer.from('GET /v1/prices?vendor='),
        Buffer.from(bytes),
        Buffer.from(` HTTP/1.1\r\nHost: x\r\n${authorization()}\r\nConnection: close\r\n\r\n`),
      ])
    for (const bytes of [[0xc3, 0xa9], [0xff], [0xed, 0xa0, 0x80], [0x80]]) {
      const [answer] = await exchange(api.url, request(bytes))
      expect([200, 400]).toContain(answer?.status)
    }
  })

  test('a message never repeats more of a name than is needed', async () => {
    const { text } = await get(`/v1/prices?${'x'.repeat(5_000)}=1`)
    expect(text.length).toBeLessThan(400)
  })
})

expectNoHarm(inputs)
