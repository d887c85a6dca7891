import { once } from 'node:events'
import { connect } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import { useApi } from '../support/api.ts'
import { createCustomer, priceRecord, storePrices, type Customer } from '../support/actors.ts'
import { patience } from '../support/load.ts'
import { useDatabase } from '../support/postgres.ts'
import { exchange, head, send } from '../support/raw-http.ts'

// Invalid and almost valid requests: their answers, and that they cost nothing.

const database = useDatabase()
const api = useApi(database)
const secret = 'sixteen characters or more'
let customer: Customer
let authorization: string

beforeAll(async () => {
  await storePrices(database.db, [priceRecord({ resource_id: 'acme:alpha' })])
  customer = await createCustomer(database.db, { plan: 'scale' })
  authorization = `Authorization: Bearer ${customer.key}`
})

async function unitsUsed(): Promise<number> {
  const { body } = await api.request('/v1/usage', { key: customer.key })
  return (body as { metered_total: number }).metered_total
}

async function createWebhook(): Promise<string> {
  const { status, body } = await api.request('/v1/webhooks', {
    key: customer.key,
    method: 'POST',
    body: { url: 'https://hooks.example.com/alerts', secret },
  })
  expect(status).toBe(201)
  return (body as { data: { id: string } }).data.id
}

describe('a request in a framing that is not supported costs nothing and does nothing', () => {
  const codings = ['identity', 'gzip', 'foo', 'xchunked', 'chunked;q=1', 'chunked, foo', 'gzip, foo']
  test.each(codings)('Transfer-Encoding: %s on a read', async (coding) => {
    const before = await unitsUsed()
    for (let count = 0; count < 5; count += 1) {
      const answer = await send(
        api.url,
        'GET /v1/prices?limit=1',
        authorization,
        `Transfer-Encoding: ${coding}`,
      )
      expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request', status: 400 } })
    }
    // A unit that came late, after the answer, would be seen by the second look.
    await createWebhook()
    expect(await unitsUsed()).toBe(before + 1)
  })

  test.each(codings)('Transfer-Encoding: %s on a deletion', async (coding) => {
    const id = await createWebhook()
    const answer = await send(
      api.url,
      `DELETE /v1/webhooks/${id}`,
      authorization,
      `Transfer-Encoding: ${coding}`,
    )
    expect(answer.status).toBe(400)
    await createWebhook()
    const { body } = await api.request('/v1/webhooks', { key: customer.key })
    expect((body as { data: { id: string }[] }).data.map((webhook) => webhook.id)).toContain(id)
  })

  test('a read in chunks whose trailers are too large', async () => {
    const before = await unitsUsed()
    const [answer, ...more] = await exchange(
      api.url,
      `${head('GET /v1/prices?limit=1', authorization, 'Transfer-Encoding: chunked')}0\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
    )
    expect([answer?.status, more]).toEqual([431, []])
    expect(await unitsUsed()).toBe(before)
  })

  test('a read with a body that breaks off in its chunks', async () => {
    const before = await unitsUsed()
    const [answer] = await exchange(
      api.url,
      `${head('GET /v1/prices?limit=1', authorization, 'Transfer-Encoding: chunked')}zz\r\n`,
    )
    expect(answer?.status).toBe(400)
    expect(await unitsUsed()).toBe(before)
  })
})

describe('what follows a request takes nothing from its answer', () => {
  test('200 good requests and rubbish, in one segment', async () => {
    const before = await unitsUsed()
    const answers = await exchange(
      api.url,
      `${head('GET /v1/prices?limit=1', authorization).repeat(200)}rubbish\r\n\r\n`,
    )
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 200 }, () => 200))
    expect(answers.at(-1)?.headers.get('connection')).toBe('close')
    expect(await unitsUsed()).toBe(before + 200)
  })

  test.each(['rubbish\r\n\r\n', '\0', 'GET / HTTP/9.9\r\n\r\n'])(
    'a webhook is made and answered, then %j',
    async (rest) => {
      const body = JSON.stringify({ url: 'https://hooks.example.com/alerts', secret })
      const request = head(
        'POST /v1/webhooks',
        authorization,
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
      )
      const answers = await exchange(api.url, request + body + rest)
      expect(answers.map(({ status }) => status)).toEqual([201])
    },
  )

  test.each([
    ['after Connection: close', head('GET /health', 'Connection: close')],
    ['after HTTP/1.0', 'GET /health HTTP/1.0\r\n\r\n'],
  ])('%s', async (_what, request) => {
    for (const rest of ['x', head('GET /health')]) {
      const answers = await exchange(api.url, request + rest)
      expect(answers.map(({ status }) => status)).toEqual([200])
    }
  })

  test('requests of one connection that change something run one at a time, in order', async () => {
    const id = await createWebhook()
    const answers = await exchange(
      api.url,
      head(`DELETE /v1/webhooks/${id}`, authorization) +
        head('GET /v1/webhooks', authorization) +
        head(`DELETE /v1/webhooks/${id}`, authorization, 'Connection: close'),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404])
    expect(answers[1]?.text).not.toContain(id)
  })
})

describe('a target that is no address of ours has an Error body like any other', () => {
  const targets = [
    'http://[/v1/prices',
    'http://[::1/v1/prices',
    'http://]/v1/prices',
    'http://',
    'ws://[/x',
    'http://x:99999/v1/prices',
  ]
  test.each(targets)('%s', async (target) => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const answer = await send(api.url, `${method} ${target}`, authorization)
      expect(answer.status).toBe(404)
      expect(answer.body).toMatchObject({ error: 'not_found', status: 404 })
      expect(answer.headers.get('x-request-id')).toMatch(/^req_/)
    }
  })
})

describe('a URL that the contract refuses is told why', () => {
  test.each([
    'https://münchen.example/',
    'https://hooks.example.com/r?q={id}',
    'https://hooks.example.com/100%',
    'https://hooks.example.com/a b',
    'https://hooks.example.com/a|b',
    'https://hooks.example.com\\a',
  ])('%s', async (url) => {
    const { status, body } = await api.request('/v1/webhooks', {
      key: customer.key,
      method: 'POST',
      body: { url, secret },
    })
    expect(status).toBe(400)
    const { message } = body as { message: string }
    expect(message).not.toContain('https://')
    expect(message).toMatch(/percent-encod|punycode/)
  })

  test.each(['HTTPS://hooks.example.com/', 'http://hooks.example.com/'])('%s', async (url) => {
    const { body } = await api.request('/v1/webhooks', {
      key: customer.key,
      method: 'POST',
      body: { url, secret },
    })
    expect(body).toMatchObject({ message: 'url must start with "https://" in lower case.' })
  })
})

describe('a body that is too large is refused before it has come', () => {
  const start = (...headers: string[]) =>
    head('POST /v1/webhooks', authorization, 'Content-Type: application/json', ...headers)

  /** The first line that comes back. */
  async function beginning(bytes: string): Promise<string> {
    const { hostname, port } = new URL(api.url)
    const socket = connect(Number(port), hostname)
    let text = ''
    socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk))
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    socket.write(bytes)
    await expect.poll(() => text, patience).toContain('\r\n\r\n')
    socket.destroy()
    return text.split('\r\n')[0] ?? ''
  }

  test('announced', async () => {
    expect(await beginning(start('Content-Length: 1000000000') + 'x'.repeat(65_536))).toContain(' 413 ')
  })

  test('in chunks', async () => {
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`
    expect(await beginning(start('Transfer-Encoding: chunked') + chunk + chunk)).toContain(' 413 ')
  })

  test('and is not asked for', async () => {
    expect(await beginning(start('Content-Length: 1000000000', 'Expect: 100-continue'))).toContain(' 413 ')
  })

  test('nor is one of somebody without a key', async () => {
    const request = head(
      'POST /v1/webhooks',
      'Content-Type: application/json',
      'Content-Length: 100',
      'Expect: 100-continue',
    )
    expect(await beginning(request)).toContain(' 401 ')
  })
})

describe('a request has one host', () => {
  const get = (...hosts: string[]) =>
    [`GET /health HTTP/1.1`, ...hosts.map((host) => `Host: ${host}`), 'Connection: close', '', ''].join(
      '\r\n',
    )

  test.each([
    [['a', 'b']],
    [['a', 'a']],
    [['a b']],
    [['a/b']],
    [['u@h']],
    [['a, b']],
    [['a:b']],
    [['a?b']],
    [['[::1']],
    [['a:99999999']],
  ])('%j is refused', async (hosts) => {
    const [answer] = await exchange(api.url, get(...hosts))
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
  })

  test.each([
    'a',
    'a.example',
    'a.example:8080',
    'A_b-c.example:',
    '127.0.0.1:1',
    '[::1]',
    '[::1]:8080',
    'xn--mnchen-3ya.example',
    '',
  ])('%j is one', async (host) => {
    const [answer] = await exchange(api.url, get(host))
    expect(answer?.status).toBe(200)
  })

  test('also for what was served before', async () => {
    const before = await unitsUsed()
    for (let count = 0; count < 3; count += 1) await api.request('/v1/prices?limit=2', { key: customer.key })
    for (const hosts of [['a', 'b'], ['a b'], ['u@h']]) {
      const lines = [
        `GET /v1/prices?limit=2 HTTP/1.1`,
        ...hosts.map((host) => `Host: ${host}`),
        authorization,
        'Connection: close',
        '',
        '',
      ]
      expect((await exchange(api.url, lines.join('\r\n')))[0]?.status).toBe(400)
    }
    expect(await unitsUsed()).toBe(before + 3)
  })
})

test.each(['x:80', '/v1/prices', 'x'])('CONNECT %s is answered', async (target) => {
  const [answer] = await exchange(api.url, head(`CONNECT ${target}`))
  expect(answer?.status).toBe(405)
  expect(answer?.body).toMatchObject({ error: 'method_not_allowed' })
})

test('a request whose client has gone is not counted as a success', async () => {
  const gone = Array.from({ length: 20 }, async () => {
    const { hostname, port } = new URL(api.url)
    const socket = connect(Number(port), hostname)
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    const body = JSON.stringify({ url: 'https://hooks.example.com/alerts', secret })
    socket.write(
      head(
        'POST /v1/webhooks',
        authorization,
        'Content-Type: application/json',
        `Content-Length: ${body.length + 1}`,
      ) + body,
    )
    socket.resetAndDestroy()
  })
  await Promise.all(gone)
  const count = async (): Promise<Record<string, number>> => {
    const text = await api.metrics.render()
    const lines = [
      ...text.matchAll(/ratecard_http_requests_total\{operation="createWebhook",status="(\w+)"\} (\d+)/g),
    ]
    const counts: Record<string, number> = {}
    for (const [, status = '', value] of lines) counts[status] = Number(value)
    return counts
  }
  await expect.poll(async () => (await count())['499'], patience).toBe(20)
  expect(await count()).not.toHaveProperty('200')
})

test('a client that ends its half of the connection is answered all the same', async () => {
  const { hostname, port } = new URL(api.url)
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
  let text = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk))
  socket.end(head('GET /v1/prices?limit=1', authorization))
  await once(socket, 'close')
  expect(text).toMatch(/^HTTP\/1\.1 200 /)
})

test('431 says that the fields may be too many', async () => {
  const fields = Array.from({ length: 3_000 }, (_, index) => `a${index}:`)
  const [answer] = await exchange(api.url, head('GET /health', ...fields))
  expect(answer).toMatchObject({
    status: 431,
    body: { message: expect.stringMatching(/too many/) as string },
  })
})
