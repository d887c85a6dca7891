import { once } from 'node:events'
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../src/database/embedded.ts'
import { createCustomer, type Customer } from '../support/actors.ts'
import { becomeReady } from '../support/load.ts'
import { useDatabase } from '../support/postgres.ts'
import { startServer, type ServerProcess } from '../support/process.ts'
import { findProxy, startProxy, type ProxyName } from '../support/proxy.ts'

// The configurations of docs/proxies, each in front of a server: attacks end at the proxy, and the clients' addresses
// come through it.

const database = useDatabase()
const env = () => ({
  DATABASE_URL: database.url,
  SECRETS_KEY: Buffer.alloc(32, 3).toString('base64'),
  PUBLIC_URL: 'https://ratecard.example',
  // No test reads this log.
  SMTP_URL: 'log:',
  TRUSTED_PROXIES: '127.0.0.1/32',
  LOG_LEVEL: 'warn',
})

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: string
  ms: number
}

interface Ask {
  /** Of the client, on loopback. */
  from?: string
  method?: string
  headers?: Record<string, string>
  body?: string
}

async function ask(url: string, path: string, { from, method = 'GET', headers, body }: Ask): Promise<Answer> {
  const beganMs = performance.now()
  const req = httpRequest(url + path, { method, headers: { ...headers }, localAddress: from, agent: false })
  req.end(body)
  const [res] = (await once(req, 'response')) as [IncomingMessage]
  const answer = { status: res.statusCode ?? 0, headers: res.headers, body: await readText(res) }
  return { ...answer, ms: performance.now() - beganMs }
}

const page = {
  'content-type': 'application/json',
  'sec-fetch-site': 'same-origin',
  'x-ratecard-dashboard': '1',
}
let people = 0

/** A wrong password for another user each time. */
function signIn(url: string, options: Ask): Promise<Answer> {
  people += 1
  const body = JSON.stringify({ email: `nobody${people}@customer.example`, password: 'not the password' })
  const headers = { ...page, 'content-length': String(Buffer.byteLength(body)), ...options.headers }
  return ask(url, '/dashboard/api/sign-in', { ...options, method: 'POST', headers, body })
}

/** Connections that send this and then neither read nor send, from so many addresses that none is conspicuous. */
async function hold(url: string, count: number, bytes: string): Promise<void> {
  const { hostname, port } = new URL(url)
  const sockets: Socket[] = []
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  const opened = Array.from({ length: count }, async (_, index) => {
    const socket = connect({
      host: hostname,
      port: Number(port),
      localAddress: `127.0.1.${1 + (index % 50)}`,
    })
    sockets.push(socket)
    socket.on('error', () => undefined)
    await once(socket, 'connect').catch(() => undefined)
    socket.pause()
    // As much as the other side takes.
    socket.write(bytes)
  })
  await Promise.all(opened)
}

const head = (line: string, ...headers: string[]) =>
  `${[`${line} HTTP/1.1`, 'Host: ratecard.example', ...headers].join('\r\n')}\r\n\r\n`
const signInHead = (length: number) =>
  head(
    'POST /dashboard/api/sign-in',
    'Content-Type: application/json',
    'Sec-Fetch-Site: same-origin',
    'X-Ratecard-Dashboard: 1',
    `Content-Length: ${length}`,
  )

const attacks: Record<string, (url: string) => Promise<void>> = {
  // The first answers fill the system's buffers of a client that does not read: 4 MB and more on loopback.
  'answers that nobody reads': (url) =>
    hold(url, 6, head('GET /openapi.json').repeat(30) + head('GET /dashboard/api/me').repeat(1_010)),
  'bodies that never come': (url) => hold(url, 1_100, `${signInHead(100)}{`),
  'large bodies that stop half-way': (url) => hold(url, 1_100, signInHead(60_000) + ' '.repeat(20_000)),
  'heads that never end': (url) => hold(url, 1_100, 'GET /v1/usage HTTP/1.1\r\nHost: ratecard.example\r\nX-'),
}

const worstMsMax = 1_000

describe.each(['nginx', 'haproxy'] as const)('%s', (name: ProxyName) => {
  const isMissing = findProxy(name) === null
  describe.skipIf(isMissing)(`in front${isMissing ? ` (skipped: ${name} is not installed)` : ''}`, () => {
    const ends: (() => Promise<void>)[] = []
    let server: ServerProcess
    let customer: Customer
    let url = ''
    beforeAll(async () => {
      server = await startBehind({}, (end) => ends.push(end))
      customer = await createCustomer(database.db, { plan: 'scale' })
      url = await startProxy(name, [server], (end) => ends.push(end))
      // The code of signing in is loaded at its first use.
      await signIn(url, { from: '127.0.2.254' })
    })
    afterAll(async () => {
      for (const end of ends.reverse()) await end()
    })

    test.each(Object.entries(attacks))('%s: customers are served as before', async (_attack, begin) => {
      await begin(url)
      const headers = { authorization: `Bearer ${customer.key}` }
      const answers: Answer[] = []
      for (let count = 0; count < 40; count += 1) {
        answers.push(await ask(url, '/v1/usage', { from: '127.0.0.2', headers }))
      }
      answers.push(await signIn(url, { from: `127.0.2.${people + 1}` }))
      expect(answers.map(({ status }) => status)).toEqual([...Array<number>(40).fill(200), 401])
      expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(worstMsMax)
    })

    test('attempts to sign in are counted by the address of the client, whatever the client says of it', async () => {
      const statuses: number[] = []
      while (!statuses.includes(429) && statuses.length < 40) {
        const spoofed = `203.0.113.${statuses.length}`
        const headers = { 'x-forwarded-for': spoofed, 'x-real-ip': spoofed, forwarded: `for=${spoofed}` }
        statuses.push((await signIn(url, { from: '127.0.0.7', headers })).status)
      }
      expect(statuses).toContain(429)
      expect((await signIn(url, { from: '127.0.0.8' })).status).toBe(401)
      // Nor can one client use up the attempts of another.
      const headers = { 'x-forwarded-for': '127.0.0.9' }
      for (let count = 0; count < statuses.length; count += 1) {
        await signIn(url, { from: '127.0.0.7', headers })
      }
      expect((await signIn(url, { from: '127.0.0.9' })).status).toBe(401)
      expect(server.log()).not.toContain('TRUSTED_PROXIES')
    })

    test('the largest body that is allowed comes through, and a larger one is refused', async () => {
      const fill = (length: number) => `{"fill":"${' '.repeat(length - 11)}"}`
      for (const [length, status] of [
        [4 * 1_024, 400],
        [4 * 1_024 + 1, 413],
      ] as const) {
        const headers = { ...page, 'content-length': String(length) }
        const from = '127.0.0.10'
        const sent = { from, method: 'POST', headers, body: fill(length) }
        expect((await ask(url, '/dashboard/api/sign-in', sent)).status).toBe(status)
      }
    })

    // The last one: afterwards there is no server.
    test('without a server it answers as the server would when it is overloaded', async () => {
      await server.kill()
      const answer = await ask(url, '/v1/usage', { headers: { authorization: `Bearer ${customer.key}` } })
      expect(answer).toMatchObject({ status: 503, headers: { 'content-type': 'application/json' } })
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
      expect(JSON.parse(answer.body)).toEqual({
        error: 'service_unavailable',
        message: expect.stringMatching(/Retry-After/) as string,
      })
    })
  })
})

describe('a proxy that is not trusted', () => {
  const isTold = (server: ServerProcess) =>
    server
      .log()
      .split('\n')
      .filter((line) => line.includes('TRUSTED_PROXIES')).length
  const forwarded = { 'x-forwarded-for': '203.0.113.7' }

  test.each([
    ['is told of once, where the address is https', {}, forwarded, 1],
    ['is not told of, where it is trusted', { TRUSTED_PROXIES: '127.0.0.0/8' }, forwarded, 0],
    ['is not told of, where there is none', {}, {}, 0],
    ['is not told of, where the address is http', { PUBLIC_URL: 'http://localhost' }, forwarded, 0],
  ])('%s', async (_what, settings, headers, times) => {
    const server = await startBehind({ TRUSTED_PROXIES: '10.0.0.0/8', ...settings })
    for (let count = 0; count < 3; count += 1) {
      expect((await ask(server.url, '/dashboard/api/me', { headers })).status).toBe(401)
    }
    expect(await server.stop()).toBe(0)
    expect(isTold(server)).toBe(times)
  })
})

/** A server on a known port: its public address depends on it. */
async function startBehind(
  settings: Record<string, string>,
  atEnd?: (end: () => Promise<void>) => void,
): Promise<ServerProcess> {
  const port = String(await freePort())
  const server = await startServer({ ...env(), PORT: port, ...settings }, ['--no-worker'], atEnd)
  await becomeReady([server])
  return { ...server, url: `http://127.0.0.1:${port}` }
}
