import { once } from 'node:events'
import { randomBytes } from 'node:crypto'
import { Agent, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { createConnection, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { connect } from '../src/database/connect.ts'
import { createCustomer, priceRecord, storePrices } from './support/actors.ts'
import { request } from './support/client.ts'
import { becomeReady, patience } from './support/load.ts'
import {
  countLockWaits,
  createDatabase,
  dropDatabase,
  urlOfDatabase,
  useDatabase,
} from './support/postgres.ts'
import { ratecard, startServer, type ServerProcess } from './support/process.ts'

const database = useDatabase()
const secretsKey = randomBytes(32).toString('base64')
const exitMs = 15_000

beforeAll(() => storePrices(database.db, [priceRecord({ resource_id: 'acme:alpha' })]))

function environment(url = database.url): Record<string, string> {
  return { DATABASE_URL: url, SECRETS_KEY: secretsKey, LOG_LEVEL: 'info' }
}

async function startReady(): Promise<ServerProcess> {
  const server = await startServer(environment())
  await becomeReady([server])
  return server
}

interface Reply {
  status: number
  headers: IncomingHttpHeaders
  socket: Socket
}

/** A client that keeps one connection for all its requests, and opens no other. */
class OneConnection {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })
  #socket: Socket | undefined

  async get(url: string, key: string): Promise<Reply> {
    const sent = httpRequest(url, { agent: this.#agent, headers: { authorization: `Bearer ${key}` } })
    sent.end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    await text(response)
    this.#socket ??= response.socket
    if (response.socket !== this.#socket) throw new Error('The client opened another connection.')
    return { status: response.statusCode ?? 0, headers: response.headers, socket: response.socket }
  }

  close(): void {
    this.#agent.destroy()
  }
}

/** A connection with half a request on it. */
async function sendHalf(server: ServerProcess, key: string): Promise<Socket> {
  const socket = createConnection(Number(new URL(server.url).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.write(
    `POST /v1/webhooks HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"url":',
  )
  socket.on('error', () => undefined)
  // Answered on another connection after it: the server has read the half by now.
  expect((await request(server.url, '/v1/usage', { key })).status).toBe(200)
  return socket
}

describe('SIGTERM', () => {
  test('under load fails no request on a connection that is open, says Connection: close, and ends with 0', async () => {
    const server = await startReady()
    const { key, keyId } = await createCustomer(database.db, { plan: 'developer' })
    const replies: Reply[] = []
    let answers = 0
    const work = async (path: string) => {
      const client = new OneConnection()
      for (;;) {
        const reply = await client.get(server.url + path, key)
        answers += 1
        replies.push(reply)
        // `Connection: close` makes a client open another connection, which another server accepts.
        if (reply.headers.connection === 'close') return client.close()
      }
    }
    const busy = Array.from({ length: 12 }, (_, n) => work(n % 4 === 0 ? '/health' : '/v1/prices'))
    const late = new OneConnection()
    await late.get(`${server.url}/v1/prices`, key)
    // A request that is being answered when the signal comes.
    const holder = new pg.Client({ connectionString: database.url })
    const slowCustomer = await createCustomer(database.db)
    await request(server.url, '/v1/prices', slowCustomer)
    await holder.connect()
    onTestFinished(() => holder.end())
    await holder.query('begin')
    await holder.query('select from usage_days where quota_subject = $1 for update', [slowCustomer.keyId])
    await expect.poll(() => answers, patience).toBeGreaterThan(200)
    const slow = new OneConnection().get(`${server.url}/v1/prices`, slowCustomer.key)
    await expect.poll(() => countLockWaits(database.db), patience).toBeGreaterThan(0)

    const signalledMs = performance.now()
    const stopped = server.stop()
    await Promise.all(busy)
    // The server has ended every busy connection by now. The idle one has a moment for another request.
    const last = await late.get(`${server.url}/v1/prices`, key)
    expect(last).toMatchObject({ status: 200, headers: { connection: 'close' } })
    const ready = await fetch(`${server.adminUrl}/ready`)
    expect(ready.status).toBe(503)
    expect(await ready.json()).toEqual({ status: 'unavailable', reason: 'stopping' })
    await expect(new OneConnection().get(`${server.url}/health`, key)).rejects.toThrow('ECONNREFUSED')
    await holder.end()
    expect(await slow).toMatchObject({ status: 200, headers: { connection: 'close' } })

    expect(await stopped).toBe(0)
    expect(performance.now() - signalledMs).toBeLessThan(exitMs)
    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([200]))
    const days = await database.db
      .selectFrom('usage_days')
      .select('plan_used')
      .where('quota_subject', '=', keyId)
      .execute()
    const metered = replies.filter((reply) => reply.headers['x-ratelimit-limit'] !== undefined).length
    expect(days).toEqual([{ plan_used: metered + 2 }])
  })

  test('ends within 15 s and with 0 although a client never finishes its request', async () => {
    const server = await startReady()
    const { key } = await createCustomer(database.db, { plan: 'developer' })
    const socket = await sendHalf(server, key)
    const signalledMs = performance.now()
    expect(await server.stop()).toBe(0)
    expect(performance.now() - signalledMs).toBeLessThan(exitMs)
    socket.destroy()
  })

  test('a second time ends the process at once', async () => {
    const server = await startReady()
    const { key } = await createCustomer(database.db, { plan: 'developer' })
    const socket = await sendHalf(server, key)
    const stopped = server.stop()
    await expect.poll(() => server.log(), patience).toContain('stopping')
    expect(server.child.exitCode).toBeNull()
    const secondMs = performance.now()
    server.child.kill('SIGTERM')
    await stopped
    expect(performance.now() - secondMs).toBeLessThan(1_000)
    expect(server.child.signalCode).toBe('SIGTERM')
    socket.destroy()
  })
})

describe('On an empty database', () => {
  async function createEmpty(): Promise<string> {
    const name = `ratecard_test_${randomBytes(6).toString('hex')}`
    await createDatabase(inject('postgresUrl'), name)
    onTestFinished(() => dropDatabase(inject('postgresUrl'), name))
    return urlOfDatabase(inject('postgresUrl'), name)
  }

  test('three servers that start at once all come up, and one of them migrates', async () => {
    const url = await createEmpty()
    const servers = await Promise.all([1, 2, 3].map(() => startServer(environment(url))))
    await becomeReady(servers)
    const db = connect({ connectionString: url })
    const { key } = await createCustomer(db)
    await db.destroy()
    for (const server of servers) expect((await request(server.url, '/v1/prices', { key })).status).toBe(200)
    expect(servers.filter((server) => server.log().includes('database migrated'))).toHaveLength(1)
    expect(await Promise.all(servers.map((server) => server.stop()))).toEqual([0, 0, 0])
  })

  test('serve --no-migrate refuses in a sentence and with exit code 1, until it is migrated', async () => {
    const url = await createEmpty()
    const refused = await ratecard(['serve', '--no-migrate'], {
      ...environment(url),
      PORT: '0',
      ADMIN_PORT: '0',
    })
    expect(refused.exitCode).toBe(1)
    expect(refused.stderr).toMatch(
      /^Error: The database lacks migrations: 0001_accounts.*Run "ratecard migrate"/m,
    )
    expect(refused.stderr).not.toContain('    at ')

    expect((await ratecard(['migrate'], environment(url))).exitCode).toBe(0)
    const server = await startServer(environment(url), ['--no-migrate'])
    await becomeReady([server])
    expect(await server.stop()).toBe(0)
  })
})
