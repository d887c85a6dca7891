import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { beforeAll, describe, expect, test } from 'vitest'
import { createCustomer, priceRecord, storePrices } from './support/actors.ts'
import { request } from './support/client.ts'
import { becomeReady, patience } from './support/load.ts'
import { useDatabase } from './support/postgres.ts'
import { ratecard, startServer, type ServerProcess } from './support/process.ts'
import { openProxy } from './support/tcp-proxy.ts'

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

const away = 'the database does not answer'

describe.each([
  { kind: 'a server', command: 'serve', args: ['--no-worker'], ready: [200, { status: 'degraded', reason: away }] },
  {
    kind: 'a server of two processes',
    command: 'serve',
    args: ['--no-worker', '--processes', '2'],
    ready: [200, { status: 'degraded', reason: away }],
  },
  { kind: 'a worker', command: 'worker', args: [], ready: [503, { status: 'unavailable', reason: away }] },
] as const)('Without its database $kind', ({ command, args, ready }) => {
  test('says so at once, though the database is silent, and goes on when it is back', async () => {
    const network = await openProxy(database.url)
    if (command === 'worker') await ratecard(['migrate'], { ...environment, DATABASE_URL: database.url })
    const server = await startServer({ ...environment, DATABASE_URL: network.url }, args, undefined, command)
    await becomeReady([server])
    expect(await ask(server, '/database')).toEqual([200, { status: 'ok' }])
    expect(await databaseUp(server)).toBe('1')
    network.blackHole()
    // More than there are connections: they share one look.
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(server, '/ready')))
    expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(new Set([JSON.stringify(ready)]))
    expect(await ask(server, '/database')).toEqual([503, { status: 'unavailable', reason: away }])
    expect(await databaseUp(server)).toBe('0')
    expect((await ask(server, '/live'))[0]).toBe(200)
    await network.pass()
    await expect.poll(() => ask(server, '/ready'), patience).toEqual([200, { status: 'ok' }])
    expect(await databaseUp(server)).toBe('1')
  })
})

test('From SIGTERM on /ready is 503, while DRAIN_DELAY lasts every request is answered, and then the server ends', async () => {
  const { key } = await createCustomer(database.db, { plan: 'developer' })
  const server = await startServer({ ...environment, DATABASE_URL: database.url, DRAIN_DELAY: '2s' }, [
    '--no-worker',
  ])
  const signalledMs = performance.now()
  const stopped = server.stop()
  await expect
    .poll(() => ask(server, '/ready'), patience)
    .toEqual([503, { status: 'unavailable', reason: 'stopping' }])
  expect(performance.now() - signalledMs).toBeLessThan(2_000)
  const answer = await request(server.url, '/v1/prices', { key })
  expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close'])
  expect(await stopped).toBe(0)
  expect(performance.now() - signalledMs).toBeGreaterThan(2_000)
})

test('At Ctrl+C the server does not wait for a balancer', async () => {
  const server = await startServer({ ...environment, DATABASE_URL: database.url, DRAIN_DELAY: '60s' }, [
    '--no-worker',
  ])
  const ended = once(server.child, 'exit')
  server.child.kill('SIGINT')
  expect(await ended).toEqual([0, null])
})

test('A server that starts on a database that is there is ready when it listens', async () => {
  const server = await startServer({ ...environment, DATABASE_URL: database.url }, ['--no-worker'])
  expect(await ask(server, '/ready')).toEqual([200, { status: 'ok' }])
})
