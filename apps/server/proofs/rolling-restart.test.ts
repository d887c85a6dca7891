import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../src/database/embedded.ts'
import { createCustomer, priceRecord, storePrices } from '../test/support/actors.ts'
import { becomeReady, patience } from '../test/support/load.ts'
import { useDatabase } from '../test/support/postgres.ts'
import { startServer, type ServerProcess } from '../test/support/process.ts'
import { findProxies, startProxy, type ProxyName } from '../test/support/proxy.ts'
import { openProxy } from '../test/support/tcp-proxy.ts'

// Two servers behind the proxies of docs/proxies: what clients see of restarts, and of a lost database.

const database = useDatabase()
const secretsKey = randomBytes(32).toString('base64')

const { proxies, missing } = findProxies()
const reason = missing === '' ? '' : ` (skipped: ${missing} is not installed)`

/** Of all proxies together. */
const requestsPerSecond = 200
/** One of so many requests is a write, which no proxy may repeat: a wrong one, so that its answer needs no database. */
const writeEvery = 10

interface Outcome {
  proxy: ProxyName
  method: string
  /** 0: there was no answer. */
  status: number
  type: string
  retryAfter: string | null
  body: string
  ms: number
}

interface Balanced {
  servers: ServerProcess[]
  /** Ends a server and starts it again, as an orchestrator does. */
  restart: (index: number) => Promise<void>
  outcomes: Outcome[]
}

/** Two servers behind each proxy, under load to the end of the test. */
async function balance(env: Record<string, string>): Promise<Balanced & { endLoad: () => Promise<void> }> {
  const ports = await Promise.all(
    [1, 2].map(async () => ({ port: await freePort(), admin: await freePort() })),
  )
  const start = async ({ port, admin }: { port: number; admin: number }) => {
    const PORT = String(port)
    const server = await startServer({ ...env, PORT, ADMIN_PORT: String(admin) }, ['--no-worker'])
    await becomeReady([server])
    return server
  }
  const servers = await Promise.all(ports.map(start))
  const { key } = await createCustomer(database.db, { plan: 'enterprise' })
  const urls = await Promise.all(
    proxies.map(async (proxy) => ({ proxy, url: await startProxy(proxy, servers, onTestFinished) })),
  )
  const outcomes: Outcome[] = []
  const underWay = new Set<Promise<void>>()
  const send = async (proxy: ProxyName, url: string, isWrite: boolean) => {
    const method = isWrite ? 'POST' : 'GET'
    const startedMs = performance.now()
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const path = isWrite ? '/v1/webhooks' : '/v1/prices?limit=1'
    const answered = await fetch(url + path, { method, headers, body: isWrite ? '{}' : null }).then(
      async (answer) => ({
        status: answer.status,
        type: answer.headers.get('content-type') ?? '',
        retryAfter: answer.headers.get('retry-after'),
        body: await answer.text(),
      }),
      (error: Error) => ({ status: 0, type: '', retryAfter: null, body: error.message }),
    )
    outcomes.push({ proxy, method, ...answered, ms: performance.now() - startedMs })
  }
  let sent = 0
  const timer = setInterval(
    () => {
      sent += 1
      for (const { proxy, url } of urls) {
        const sending = send(proxy, url, sent % writeEvery === 0).finally(() => underWay.delete(sending))
        underWay.add(sending)
      }
    },
    (1_000 * proxies.length) / requestsPerSecond,
  )
  onTestFinished(() => clearInterval(timer))
  return {
    servers,
    outcomes,
    async restart(index) {
      await servers[index]!.stop()
      servers[index] = await start(ports[index]!)
    },
    async endLoad() {
      clearInterval(timer)
      await Promise.all(underWay)
    },
  }
}

const environment = (url: string) => ({
  DATABASE_URL: url,
  SECRETS_KEY: secretsKey,
  LOG_LEVEL: 'warn',
  DRAIN_DELAY: '3s',
})

const isServed = ({ method, status }: Outcome) => status === (method === 'POST' ? 400 : 200)

describe.skipIf(missing !== '')(`Behind nginx and HAProxy${reason}`, () => {
  beforeAll(() => storePrices(database.db, [priceRecord({ resource_id: 'acme:alpha' })]))

  test('no restart costs a request, and a lost database gives our own 503', async () => {
    const network = await openProxy(database.url)
    const { servers, outcomes, restart, endLoad } = await balance(environment(network.url))
    const count = (status: number) => outcomes.filter((outcome) => outcome.status === status).length
    await expect.poll(() => count(200), patience).toBeGreaterThan(100)
    for (const index of [0, 1]) await restart(index)
    const restarts = outcomes.slice()
    expect(restarts.filter((outcome) => !isServed(outcome))).toEqual([])
    const times = restarts.map(({ ms }) => Math.round(ms)).sort((one, other) => one - other)
    const [most = 0, slowest = 0] = [times[Math.floor(times.length * 0.99)], times.at(-1)]
    console.info(
      `${times.length} requests over the restarts: 99 % within ${most} ms, the slowest in ${slowest} ms`,
    )
    // A proxy that waits for a server which has gone does so for 2 s at least.
    expect(most).toBeLessThan(2_000)

    for (const fault of ['refuse', 'blackHole'] as const) {
      const unavailable = count(503)
      await network[fault]()
      await expect.poll(() => count(503), patience).toBeGreaterThan(unavailable + 300)
      for (const { adminUrl } of servers) {
        const ready = await fetch(`${adminUrl}/ready`)
        expect(await ready.json()).toEqual({ status: 'degraded', reason: 'the database does not answer' })
        expect(ready.status).toBe(200)
      }
      const served = count(200)
      await network.pass()
      await expect.poll(() => count(200), patience).toBeGreaterThan(served + 100)
    }
    await endLoad()
    const failed = outcomes.filter((outcome) => !isServed(outcome))
    for (const { status, type, retryAfter, body } of failed) {
      expect([status, type.split(';')[0]], body).toEqual([503, 'application/json'])
      // With a status in it: the proxies have the same error without, for when no server answers.
      expect(JSON.parse(body)).toMatchObject({ error: 'service_unavailable', status: 503 })
      expect(Number(retryAfter)).toBeGreaterThanOrEqual(1)
    }
  })
})
