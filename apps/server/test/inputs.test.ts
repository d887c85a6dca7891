import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { generateSecretsKey } from '../src/features/webhooks/secret-box.ts'
import { generateApiKey } from '../src/features/accounts/api-key.ts'
import { createLimitedServer, listen } from '../src/http/socket/listen.ts'
import { useApi } from './support/api.ts'
import { createCustomer, priceRecord, storePrices, type Customer } from './support/actors.ts'
import { expectUnauthorized } from './support/common-credentials.ts'
import { useDatabase } from './support/postgres.ts'
import { startServer } from './support/process.ts'
import { exchange, head, send, type RawAnswer } from './support/raw-http.ts'
import { changeFile, publish, spend, usageOf } from './support/fixtures.ts'

const database = useDatabase()
const api = useApi(database)
const shop = useApi(database, { env: { CORS_ORIGINS: 'https://app.example, https://other.example:8443' } })

const secret = 'sixteen characters'
const url = 'https://hooks.acme.example/x'

let paid: Customer
let free: Customer
beforeAll(async () => {
  paid = await createCustomer(database.db, { plan: 'scale' })
  free = await createCustomer(database.db)
  const many = Array.from({ length: 40 }, (_, index) => priceRecord({ resource_id: `acme:${index}` }))
  await storePrices(database.db, many)
  await publish(database.db, changeFile({ id: 'one' }))
})

const authorization = () => `Authorization: Bearer ${paid.key}`
const get = (target: string, ...headers: string[]) =>
  send(api.url, `GET ${target}`, authorization(), ...headers)

function expectError({ status, body, headers }: RawAnswer, expected: number, code: string): void {
  expect({ status, body }).toEqual({
    status: expected,
    body: expect.objectContaining({
      error: code,
      message: expect.any(String) as string,
      status: expected,
    }) as unknown,
  })
  expect(headers.get('x-request-id')).toMatch(/^req_/)
}

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

describe('the body', () => {
  const good = JSON.stringify({ url, secret })

  async function post(body: string | Uint8Array, ...headers: string[]): Promise<RawAnswer> {
    const bytes = Buffer.from(body)
    const lines = headers.some((header) => /^(content-type|x-no-type)/i.test(header))
      ? headers
      : ['Content-Type: application/json', ...headers]
    const [answer, ...more] = await exchange(
      api.url,
      Buffer.concat([
        Buffer.from(
          head(
            'POST /v1/webhooks',
            authorization(),
            `Content-Length: ${bytes.length}`,
            'Connection: close',
            ...lines,
          ),
        ),
        bytes,
      ]),
    )
    expect(more).toEqual([])
    return answer as RawAnswer
  }

  test.each<[string, string]>([
    ['null', 'null'],
    ['a list', '[]'],
    ['a string', '"x"'],
    ['a number', '1'],
    ['true', 'true'],
    ['half an object', '{'],
    ['nothing', ''],
    ['a blank', ' '],
    ['two objects', `${good}${good}`],
    ['something after the object', `${good}x`],
    ['a trailing comma', `{"url":"${url}","secret":"${secret}",}`],
    ['single quotes', good.replaceAll('"', "'")],
    ['a comment', `/* */${good}`],
    ['NaN', `{"url":NaN,"secret":"${secret}"}`],
    ['__proto__ as a property', `{"__proto__":{"url":"${url}"},"secret":"${secret}"}`],
    ['__proto__ beside the others', good.replace('{', '{"__proto__":{"active":false},')],
    ['constructor as a property', good.replace('{', '{"constructor":{},')],
    ['url twice, the last one bad', good.replace('}', ',"url":"http://x.example"}')],
    ['a raw line feed in a string', `{"url":"${url}","secret":"sixteen\ncharacters"}`],
    ['an escaped NUL in a string', `{"url":"${url}","secret":"sixteen characters\\u0000"}`],
    ['half a surrogate pair', `{"url":"${url}","secret":"sixteen characters\\ud83d"}`],
    ['half a surrogate pair in the url', `{"url":"${url}\\ud83d","secret":"${secret}"}`],
    ['a list 30,000 deep', `${'['.repeat(30_000)}${']'.repeat(30_000)}`],
    ['a list 65,000 deep without an end', '['.repeat(65_000)],
    ['an object 10,000 deep', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
    ['a property 30,000 deep', `{"url":${'['.repeat(30_000)}${']'.repeat(30_000)},"secret":"${secret}"}`],
    [
      'events 15,000 deep, twice',
      `{"url":"${url}","secret":"${secret}","events":[${Array(2)
        .fill(`${'['.repeat(15_000)}${']'.repeat(15_000)}`)
        .join()}]}`,
    ],
    ['20,000 events', `{"url":"${url}","secret":"${secret}","events":[${Array(16_000).fill('"*"').join()}]}`],
    ['10,000 properties', `{${Array.from({ length: 6_000 }, (_, index) => `"p${index}":1`).join()}}`],
  ])('400 for %s', async (_name, body) => {
    expectError(await post(body), 400, 'invalid_request')
  })

  test('400 for bytes that are not UTF-8, which would change a secret silently', async () => {
    for (const bytes of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0x80], [0xf5, 0x80, 0x80, 0x80]]) {
      const [before, after] = good.split('sixteen')
      const body = Buffer.concat([
        Buffer.from(`${before}sixteen`),
        Buffer.from(bytes),
        Buffer.from(after ?? ''),
      ])
      expectError(await post(body), 400, 'invalid_request')
    }
    expectError(await post(Buffer.from(good, 'utf16le')), 400, 'invalid_request')
  })

  test('of a property that is given twice the last one counts, for the check as for what is stored', async () => {
    const { status, body } = await post(good.replace('{', '{"url":"http://10.0.0.1",'))
    expect({ status, body }).toMatchObject({ status: 201, body: { data: { url } } })
  })

  test('a byte order mark before the object is skipped', async () => {
    expect((await post(`\ufeff${good}`)).status).toBe(201)
  })

  test('413 for more than 64 KiB, announced or in chunks', async () => {
    const long = good + ' '.repeat(70_000)
    expectError(await post(long), 413, 'payload_too_large')
    const chunked = `${long.length.toString(16)}\r\n${long}\r\n0\r\n\r\n`
    const [answer] = await exchange(
      api.url,
      head(
        'POST /v1/webhooks',
        authorization(),
        'Content-Type: application/json',
        'Transfer-Encoding: chunked',
        'Connection: close',
      ) + chunked,
    )
    expectError(answer as RawAnswer, 413, 'payload_too_large')
  })

  test('chunks are joined', async () => {
    const middle = Math.floor(good.length / 2)
    const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
    const [answer] = await exchange(
      api.url,
      head(
        'POST /v1/webhooks',
        authorization(),
        'Content-Type: application/json',
        'Transfer-Encoding: chunked',
        'Connection: close',
      ) +
        chunk(good.slice(0, middle)) +
        chunk(good.slice(middle)) +
        chunk(''),
    )
    expect(answer?.status).toBe(201)
  })

  test('415 for a body that says it is something else', async () => {
    expectError(await post(good, 'X-No-Type: 1'), 415, 'unsupported_media_type')
    expectError(await post(good, 'Content-Type:'), 415, 'unsupported_media_type')
    expectError(await post(good, 'Content-Type: text/plain'), 415, 'unsupported_media_type')
    expectError(
      await post(good, 'Content-Type: application/json; charset=utf-16'),
      415,
      'unsupported_media_type',
    )
    expectError(await post(gzipSync(good), 'Content-Encoding: gzip'), 415, 'unsupported_media_type')
    expectError(await post(good, 'Content-Encoding: br'), 415, 'unsupported_media_type')
    expectError(await post(good, 'Content-Encoding: nonsense'), 415, 'unsupported_media_type')
  })

  test('a body where none belongs is ignored', async () => {
    for (const target of ['GET /v1/prices', 'GET /health']) {
      const [answer] = await exchange(
        api.url,
        `${head(target, authorization(), 'Content-Type: text/x', 'Content-Length: 3', 'Connection: close')}{{{`,
      )
      expect(answer?.status).toBe(200)
    }
  })
})

describe('the address of a webhook', () => {
  const post = async (address: string) =>
    (await api.request('/v1/webhooks', { key: paid.key, method: 'POST', body: { url: address, secret } }))
      .status

  test.each([
    ...[
      'https://hooks.acme.example',
      'https://hooks.acme.example:8443/a/b?c=d&e=%20',
      'https://HOOKS.acme.example/',
    ],
    ...[
      'https://hooks.acme.example.',
      'https://8.8.8.8/x',
      'https://[2606:4700:4700::1111]/x',
      'https://a.b:1',
    ],
    ...[
      'https://xn--bcher-kva.example/',
      'https://local.example',
      'https://internal.example',
      'https://a--b.c-d.example',
    ],
    ...['https://localhost.example', `https://hooks.acme.example/${'a'.repeat(2_021)}`],
  ])('201 for %s', async (address) => {
    expect(await post(address)).toBe(201)
  })

  test.each([
    ...[
      'http://hooks.acme.example',
      'HTTPS://hooks.acme.example',
      'Https://hooks.acme.example',
      'ftp://x.example',
    ],
    ...[
      'hooks.acme.example',
      '//hooks.acme.example',
      'https:hooks.acme.example',
      'https:/hooks.acme.example',
      '',
    ],
    ...[
      ' https://hooks.acme.example',
      'https://hooks.acme.example ',
      'https://hooks.acme.example/a b',
      'https://',
    ],
    ...[
      'https:///path',
      'https://?x',
      'https://:443',
      'https://hooks.acme.example:70000',
      'https://hooks.acme.example:x',
    ],
    ...[
      'https://user@hooks.acme.example',
      'https://user:pw@hooks.acme.example',
      'https://@hooks.acme.example',
    ],
    ...[
      'https://hooks.acme.example/#x',
      'https://hooks.acme.example#',
      'https://hooks.acme.example\\@10.0.0.1/',
    ],
    ...['https://hooks.acme.example/\n', 'https://ho\toks.acme.example', 'https://hooks.acme.example/\0'],
    ...[
      'https://localhost',
      'https://LOCALHOST',
      'https://localhost.',
      'https://a.localhost',
      'https://localhost:8443/',
    ],
    ...[
      'https://printer.local',
      'https://x.internal',
      'https://metadata.google.internal/',
      'https://intranet',
    ],
    ...['https://x.local.', 'https://x.INTERNAL', 'https://intranet.', 'https://com', 'https://localhost..'],
    ...[
      'https://127.0.0.1',
      'https://127.1',
      'https://2130706433',
      'https://0x7f000001',
      'https://0177.0.0.1',
    ],
    ...[
      'https://0x7f.0.0.1',
      'https://127.0.0.1.',
      'https://0',
      'https://0.0.0.0',
      'https://10.0.0.1',
      'https://10.1',
    ],
    ...['https://172.16.0.1', 'https://192.168.1.1', 'https://169.254.169.254/latest', 'https://100.64.0.1'],
    ...[
      'https://224.0.0.1',
      'https://255.255.255.255',
      'https://192.0.2.1',
      'https://168.63.129.16',
      'https://127.0.0.1..',
    ],
    ...[
      'https://[::1]',
      'https://[::]',
      'https://[::ffff:127.0.0.1]',
      'https://[::ffff:7f00:1]',
      'https://[fe80::1]',
    ],
    ...[
      'https://[fc00::1]',
      'https://[fd00:ec2::254]',
      'https://[::127.0.0.1]',
      'https://[64:ff9b::7f00:1]',
      'https://[::1',
    ],
    ...['https://[2002:7f00:1::]', 'https://[2001:db8::1]', 'https://[0:0:0:0:0:0:0:1]', 'https://[ff02::1]'],
    ...[
      'https://１２７.0.0.1',
      'https://127。0。0。1',
      'https://ⓛocalhost',
      'https://[fe80::1%25eth0]',
      'https://1.2.3.4.5',
    ],
    ...[
      'https://256.256.256.256',
      'https://%31%32%37.0.0.1',
      'https://127.0.0.1%00.example',
      'https://a..',
      'https://.',
    ],
    `https://hooks.acme.example/${'a'.repeat(2_022)}`,
  ])('400 for %s', async (address) => {
    expect(await post(address)).toBe(400)
  })
})

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
      expect(listOf(headers.get('access-control-allow-headers'))).toEqual(['authorization', 'content-type'])
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

describe('nothing above', () => {
  test('cost the free account a unit or made the server fail', async () => {
    expect((await usageOf(api, free)).metered_total).toBe(0)
    expect(api.log.filter((line) => /"level":(50|60)/.test(line))).toEqual([])
    expect(api.log.filter((line) => /"status":5\d\d/.test(line))).toEqual([])
  })

  test('put a key or a secret into the log', async () => {
    await spend(database.db, free, 1)
    const log = api.log.join('')
    for (const text of [paid.key, free.key, secret]) expect(log).not.toContain(text)
  })
})

function listOf(value: string | null): string[] {
  return (value ?? '').toLowerCase().split(',').map((item) => item.trim()).filter(Boolean) // prettier-ignore
}
