import type { Socket } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Schemas } from '../src/http/dashboard/schemas/index.ts'
import { generateSecretsKey } from '../src/features/webhooks/secret-box.ts'
import { useAlerting } from './support/alert-fixtures.ts'
import { useApi } from './support/api.ts'
import { startTlsEndpoint, type BadEndpoint } from './support/bad-endpoints.ts'
import { createKey } from './support/actors.ts'
import { authorityFile } from './support/certificates.ts'
import type { Browser } from './support/dashboard-client.ts'
import { signInOwner } from './support/dashboard-owner.ts'
import { useDatabase } from './support/postgres.ts'
import { ratecard } from './support/process.ts'

// Answers that no HTTP server gives: each is recorded as the failure it is, and no list fails for it.

const database = useDatabase()
const secretsKey = generateSecretsKey()
const alerting = useAlerting(database, secretsKey)
const api = useApi(database, {
  env: { SECRETS_KEY: secretsKey, WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8', WEBHOOK_CA_FILE: authorityFile },
})
beforeAll(async () => {
  await alerting.startWorker({ WEBHOOK_RETRY_SCHEDULE: '0s' })
})

/** The bytes that an endpoint sends as an answer, and the recorded outcome. */
interface OddAnswer {
  name: string
  sends: string | ((socket: Socket) => void)
  status: number | null
  /** What `last_error` is. */
  error: RegExp | null
}

const noLength = 'content-length: 0\r\n\r\n'
const noStatus = (digits: string) =>
  new RegExp(`^http_${digits}: The endpoint answered ${digits}, which is no HTTP status\\. [A-Z].*\\.$`)
const notHttp = /^connect: What answered does not speak HTTP\. .*\.$/
const closed = /^connect: The connection failed or was closed\. .*\.$/
const answers: OddAnswer[] = [
  // Three digits that are no status.
  ...['600', '777', '999'].map((digits) => ({
    name: `the status ${digits}`,
    sends: `HTTP/1.1 ${digits} Denied\r\n${noLength}`,
    status: null,
    error: noStatus(digits),
  })),
  ...['000', '001', '099'].map((digits) => ({
    name: `the status ${digits}`,
    sends: `HTTP/1.1 ${digits} No\r\ncontent-length: 6\r\n\r\ncanary`,
    status: null,
    error: noStatus(digits),
  })),
  {
    name: 'the status 001, then a 200',
    sends: `HTTP/1.1 001 No\r\n\r\nHTTP/1.1 200 OK\r\n${noLength}`,
    status: null,
    error: noStatus('001'),
  },
  // The first and the last that HTTP has.
  { name: 'the status 599', sends: `HTTP/1.1 599 \r\n${noLength}`, status: 599, error: /^http_599: / },
  // Not three digits.
  ...['99', '1000', '2e2', '-20', '2\u0660\u0660', ''].map((digits) => ({
    name: `the status "${digits}"`,
    sends: `HTTP/1.1 ${digits} No\r\n${noLength}`,
    status: null,
    error: notHttp,
  })),
  { name: 'no status line', sends: `x-canary: canary\r\n${noLength}`, status: null, error: notHttp },
  { name: 'HTTP/0.9', sends: '<html>canary</html>', status: null, error: notHttp },
  { name: 'HTTP/2 in text', sends: `HTTP/2 200 OK\r\n${noLength}`, status: null, error: notHttp },
  { name: 'nothing', sends: (socket) => socket.end(), status: null, error: closed },
  // Interim answers.
  {
    name: 'a 103, then a 204',
    sends: 'HTTP/1.1 103 E\r\n\r\nHTTP/1.1 204 N\r\n\r\n',
    status: 204,
    error: null,
  },
  {
    name: 'a 103 and nothing more',
    sends: (socket) => socket.end('HTTP/1.1 103 E\r\n\r\n'),
    status: null,
    error: closed,
  },
  {
    name: 'a 100 that nobody asked for',
    sends: `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n${noLength}`,
    status: null,
    error: notHttp,
  },
  {
    name: 'a 101',
    sends: 'HTTP/1.1 101 S\r\nupgrade: canary\r\nconnection: upgrade\r\n\r\n',
    status: null,
    error: notHttp,
  },
  {
    name: 'thirty 102, then a 204',
    sends: `${'HTTP/1.1 102 P\r\n\r\n'.repeat(30)}HTTP/1.1 204 N\r\n\r\n`,
    status: 204,
    error: null,
  },
  // Cut, and not read for as long as an attempt may take: that would keep all other deliveries waiting.
  { name: 'a 102 without end', sends: flood('HTTP/1.1 102 P\r\n\r\n'), status: null, error: notHttp },
  // A reason phrase and headers that no server writes.
  { name: 'a reason of bytes', sends: `HTTP/1.1 200 \xe9\x80\xff\r\n${noLength}`, status: 200, error: null },
  {
    name: 'a reason with a NUL',
    sends: `HTTP/1.1 500 a\0b\x01\r\n${noLength}`,
    status: 500,
    error: /^http_500: /,
  },
  ...['x: a\0b', ': b', 'bad name: b', 'x: a\r\n b', 'content-length: x'].map((line) => ({
    name: `the header ${JSON.stringify(line)} in front of a length`,
    sends: `HTTP/1.1 200 OK\r\n${line}\r\n${noLength}`,
    status: null,
    error: notHttp,
  })),
  {
    name: 'two lengths',
    sends: `HTTP/1.1 200 OK\r\ncontent-length: 1\r\n${noLength}`,
    status: null,
    error: closed,
  },
  {
    name: 'a Retry-After of bytes',
    sends: `HTTP/1.1 429 T\r\nretry-after: \xff\x80\r\n${noLength}`,
    status: 429,
    error: /^http_429: /,
  },
  {
    name: 'headers named like parts of an object',
    sends: `HTTP/1.1 200 OK\r\n__proto__: a\r\nconstructor: b\r\n${noLength}`,
    status: 200,
    error: null,
  },
]

function flood(text: string): (socket: Socket) => void {
  const chunk = text.repeat(1_000)
  return (socket) => {
    const pump = () => {
      while (!socket.destroyed) if (!socket.write(chunk)) return void socket.once('drain', pump)
    }
    pump()
  }
}

/** The lists that an owner and an operator read, each as it was answered. */
async function listsOf(accountId: string, key: string, browser: Browser) {
  const webhooks = await api.request('/v1/webhooks', { key })
  const shown = await browser.get('/webhooks?limit=100')
  const deliveries = await browser.get('/deliveries?limit=100')
  const overview = await browser.get('/overview')
  const command = await ratecard(['webhooks', 'list', '--account', accountId, '--json'], alerting.env())
  expect(
    [webhooks.status, shown.status, deliveries.status, overview.status, command.exitCode],
    api.log.filter((line) => line.includes('"level":50')).join('') + command.stderr,
  ).toEqual([200, 200, 200, 200, 0])
  return {
    webhooks: (webhooks.body as { data: Listed[] }).data,
    shown: (shown.body as Schemas['WebhookList']).data,
    deliveries: (deliveries.body as Schemas['DeliveryList']).data,
    command: JSON.parse(command.stdout) as Listed[],
  }
}

interface Listed {
  id: string
  last_status: number | null
  last_error: string | null
}

async function owner(): Promise<{ accountId: string; key: string; browser: Browser }> {
  const browser = await signInOwner(database.db, api.url, { plan: 'scale' })
  const me = await browser.get('/me')
  const accountId = (me.body as { data: Schemas['Me'] }).data.account!.id
  return { accountId, browser, key: (await createKey(database.db, accountId)).key }
}

describe('an answer that is none', () => {
  const endpoints: BadEndpoint[] = []
  afterAll(() => Promise.all(endpoints.map((endpoint) => endpoint.close())))

  test('is recorded as the failure it is, and every list is answered', { timeout: 60_000 }, async () => {
    const { accountId, key, browser } = await owner()
    const ids = new Map<string, OddAnswer>()
    for (const answer of answers) {
      const { sends } = answer
      const endpoint = await startTlsEndpoint((socket) => {
        if (typeof sends === 'string') socket.write(Buffer.from(sends, 'latin1'))
        else sends(socket)
      })
      endpoints.push(endpoint)
      const { id } = await alerting.subscribe({ accountId, url: `https://localhost:${endpoint.port}/` })
      ids.set(id, answer)
    }
    await alerting.publish()
    for (const id of ids.keys()) await alerting.settled(id)

    const { webhooks, shown, deliveries, command } = await listsOf(accountId, key, browser)
    expect(webhooks).toHaveLength(answers.length)
    for (const list of [webhooks, shown, command] as Listed[][]) {
      for (const { id, last_status, last_error } of list) {
        const { name, status, error } = ids.get(id)!
        expect(last_status, name).toBe(status)
        if (error === null) expect(last_error, name).toBeNull()
        else expect(last_error, name).toMatch(error)
        // Never a word of theirs.
        expect(last_error ?? '', name).not.toContain('canary')
      }
    }
    for (const { webhook_id, log } of deliveries) {
      const { name, status } = ids.get(webhook_id)!
      expect(log[0]?.status, name).toBe(status)
    }
    // The id to delete is in the list.
    const [first] = webhooks
    expect((await api.request(`/v1/webhooks/${first?.id}`, { key, method: 'DELETE' })).status).toBe(200)
  })
})

test('a status that an earlier release stored is shown as none', async () => {
  const { accountId, key, browser } = await owner()
  const webhook = await alerting.subscribe({ accountId })
  await alerting.publish()
  const [delivery] = await alerting.settled(webhook.id)
  const words = 'The endpoint answered 999. It must answer 200 to 299 for a received alert.'
  await sql`update webhooks set last_status = 999, last_error = ${`http_999: ${words}`} where id = ${webhook.id}`.execute(
    database.db,
  )
  await sql`update delivery_attempts set status = 999, error_class = 'http_999', error = ${words}
    where delivery_id = ${delivery?.id}`.execute(database.db)
  const { webhooks, shown, deliveries, command } = await listsOf(accountId, key, browser)
  const standing = { id: webhook.id, last_status: null, last_error: `http_999: ${words}` }
  expect(webhooks).toMatchObject([standing])
  expect(shown).toMatchObject([standing])
  expect(command).toMatchObject([standing])
  expect(deliveries).toMatchObject([{ log: [{ status: null, error_class: 'http_999', error: words }] }])
  expect(await browser.get(`/webhooks/${webhook.id}`)).toMatchObject({
    status: 200,
    body: { data: standing },
  })
  expect(await browser.get(`/deliveries/${delivery?.id}`)).toMatchObject({ status: 200 })
})

test('a test says so too, in the dashboard and to the operator', async () => {
  const { accountId, browser } = await owner()
  const webhook = await alerting.subscribe({ accountId, behave: (res) => res.writeHead(999).end() })
  const verdict = {
    status: null,
    error_class: 'http_999',
    error:
      'The endpoint answered 999, which is no HTTP status. It must answer 200 to 299 for a received alert.',
  }
  const { status, body } = await browser.post(`/webhooks/${webhook.id}/test`)
  expect({ status, body }).toMatchObject({ status: 200, body: { data: verdict } })
  const command = await ratecard(['webhooks', 'test', webhook.id, '--json'], alerting.env())
  expect(command.exitCode).toBe(1)
  expect(JSON.parse(command.stdout)).toMatchObject({ ok: false, ...verdict })
})
