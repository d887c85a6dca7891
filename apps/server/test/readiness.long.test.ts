import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { beforeAll, expect, test } from 'vitest'
import { createCustomer, priceRecord, storePrices } from './support/actors.ts'
import { request } from './support/client.ts'
import { becomeReady, patience } from './support/load.ts'
import { useDatabase } from './support/postgres.ts'
import { startServer, type ServerProcess } from './support/process.ts'
import { openProxy, type TcpProxy } from './support/tcp-proxy.ts'

// What a process says to balancers and people, and how it leaves.

const database = useDatabase()
const environment = { SECRETS_KEY: randomBytes(32).toString('base64'), LOG_LEVEL: 'info' }
/** Kubernetes gives a probe a second; the machine of this test may be busy. */
const probeMs = 1_000

beforeAll(() => storePrices(database.db, [priceRecord({ resource_id: 'acme:alpha' })]))

async function ask({ adminUrl }: ServerProcess, path: string): Promise<[status: number, body: unknown]> {
  const answer = await fetch(adminUrl + path, { signal: AbortSignal.timeout(probeMs) })
  return [answer.status, await answer.json()]
}

async function databaseUp({ adminUrl }: ServerProcess): Promise<string | undefined> {
  const text = await (await fetch(`${adminUrl}/metrics`)).text()
  return /^ratecard_database_up (.+)$/m.exec(text)?.[1]
}

/** On a database that is silent and comes back. */
async function expectToldOf(
  network: TcpProxy,
  server: ServerProcess,
  ready: [number, unknown],
): Promise<void> {
  await expect.poll(() => ask(server, '/database'), patience).toEqual([200, { status: 'ok' }])
  await expect.poll(() => databaseUp(server), patience).toBe('1')
  network.blackHole()
  // More than there are connections: they share one look.
  const differing = async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(server, '/ready')))
    return new Set(answers.map((answer) => JSON.stringify(answer)))
  }
  await expect.poll(differing, patience).toEqual(new Set([JSON.stringify(ready)]))
  await expect
    .poll(() => ask(server, '/database'), patience)
    .toEqual([503, { status: 'unavailable', reason: away }])
  await expect.poll(() => databaseUp(server), patience).toBe('0')
  expect((await ask(server, '/live'))[0]).toBe(200)
  await network.pass()
  await expect.poll(() => ask(server, '/ready'), patience).toEqual([200, { status: 'ok' }])
  await expect.poll(() => databaseUp(server), patience).toBe('1')
}

const away = 'the database does not answer'
const degraded: [number, unknown] = [200, { status: 'degraded', reason: away }]

test('A server says what became of its database, and from SIGTERM on that it leaves, while every request is answered', async () => {
  const network = await openProxy(database.url)
  const { key } = await createCustomer(database.db, { plan: 'developer' })
  const env = { ...environment, DATABASE_URL: network.url, DRAIN_DELAY: '2s' }
  const server = await startServer(env, ['--no-worker'])
  // It listens when it is.
  expect(await ask(server, '/ready')).toEqual([200, { status: 'ok' }])
  await expectToldOf(network, server, degraded)

  const signalledMs = performance.now()
  const stopped = server.stop()
  await expect
    .poll(() => ask(server, '/ready'), patience)
    .toEqual([503, { status: 'unavailable', reason: 'stopping' }])
  const answer = await request(server.url, '/v1/prices', { key })
  expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close'])
  expect(await stopped).toBe(0)
  expect(performance.now() - signalledMs).toBeGreaterThan(2_000)
})

test('So do two processes as one, which at Ctrl+C wait for no balancer', async () => {
  const network = await openProxy(database.url)
  const env = { ...environment, DATABASE_URL: network.url, DRAIN_DELAY: '60s' }
  const server = await startServer(env, ['--no-worker', '--processes', '2'])
  await becomeReady([server])
  await expectToldOf(network, server, degraded)
  const ended = once(server.child, 'exit')
  server.child.kill('SIGINT')
  expect(await ended).toEqual([0, null])
})

test('A worker without its database is not ready', async () => {
  const network = await openProxy(database.url)
  const env = { ...environment, DATABASE_URL: network.url }
  const server = await startServer(env, [], undefined, 'worker')
  await becomeReady([server])
  await expectToldOf(network, server, [503, { status: 'unavailable', reason: away }])
})
