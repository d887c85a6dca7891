import { execFile } from 'node:child_process'
import cluster from 'node:cluster'
import { once } from 'node:events'
import { promisify } from 'node:util'
import { expect, inject, onTestFinished, test } from 'vitest'
import { isAlive } from '../src/platform/is-alive.ts'
import { createCustomer } from './support/actors.ts'
import { request } from './support/client.ts'
import { becomeReady, countStatuses, patience } from './support/load.ts'
import { createDatabase, dropDatabase, urlOfDatabase, useDatabase } from './support/postgres.ts'
import { environment, program, ratecard, startServer } from './support/process.ts'

// `ratecard serve --processes N`: one server to its users, several processes to the machine.

const database = useDatabase()
const secretsKey = Buffer.alloc(32, 7).toString('base64')
const env = () => ({ DATABASE_URL: database.url, SECRETS_KEY: secretsKey })

async function listChildren(pid: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'pid=', '--ppid', String(pid)])
  const pids = stdout.trim().split(/\s+/).map(Number)
  return pids.filter(isAlive)
}

test('three processes serve one port, keep the quota exact, and are one in figures', async () => {
  const server = await startServer(env(), ['--processes', '3'])
  await becomeReady([server])
  const { key } = await createCustomer(database.db)
  const answers = await Promise.all(
    Array.from({ length: 150 }, () => request(server.url, '/v1/prices?limit=1', { key })),
  )
  expect(countStatuses(answers)).toEqual({ 200: 100, 429: 50 })
  const remaining = answers
    .filter(({ status }) => status === 200)
    .map(({ headers }) => Number(headers.get('x-ratelimit-remaining')))
  expect(remaining.sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, index) => index))
  // A process that reports late is not among them.
  const metrics = async () => (await fetch(`${server.adminUrl}/metrics`)).text()
  await expect
    .poll(metrics, patience)
    .toContain('ratecard_http_requests_total{operation="listPrices",status="200"} 100')
  expect(await server.stop()).toBe(0)
  // All of them end by themselves.
  expect(server.log()).not.toContain('it is killed')
})

test('a process that is killed is replaced, and the others serve on', async () => {
  const server = await startServer(env(), ['--processes', '2'])
  await becomeReady([server])
  const { key } = await createCustomer(database.db, { plan: 'developer' })
  await request(server.url, '/v1/prices', { key })
  const [victim] = await listChildren(server.child.pid ?? 0)
  process.kill(victim ?? 0, 'SIGKILL')
  await expect.poll(() => server.log(), patience).toContain('another takes its place')
  expect((await request(server.url, '/v1/prices', { key })).status).toBe(200)
  await becomeReady([server])
  const children = await listChildren(server.child.pid ?? 0)
  expect(children).toHaveLength(2)
  expect(children).not.toContain(victim)
  expect(await server.stop()).toBe(0)
})

test('none outlives the first process, however that ends', async () => {
  const server = await startServer(env(), ['--processes', '2'])
  await becomeReady([server])
  const children = await listChildren(server.child.pid ?? 0)
  expect(children).toHaveLength(2)
  await server.kill()
  const alive = () => children.filter((pid) => isAlive(pid))
  await expect.poll(alive, patience).toEqual([])
})

test('one that is told to stop when it is about to listen does not serve on', async () => {
  cluster.setupPrimary({ exec: program, args: ['serve', '--json'], silent: true })
  const child = cluster.fork(environment({ ...env(), PORT: '0', ADMIN_PORT: '0' }))
  onTestFinished(() => void child.process.kill('SIGKILL'))
  // It asks the first process for the port: the message to stop arrives before the answer.
  child.process.prependListener('internalMessage', ({ act }: { act: string }) => {
    if (act === 'queryServer') child.send('stop')
  })
  expect(await once(child, 'exit')).toEqual([0, null])
})

test('on a database that lacks migrations it refuses in a sentence, with exit code 1', async () => {
  const server = inject('postgresUrl')
  const name = 'ratecard_test_processes_empty'
  await createDatabase(server, name)
  try {
    const { exitCode, stderr } = await ratecard(['serve', '--processes', '2', '--no-migrate', '--json'], {
      DATABASE_URL: urlOfDatabase(server, name),
      SECRETS_KEY: secretsKey,
      PORT: '0',
      ADMIN_PORT: '0',
    })
    expect(stderr).toContain('The database lacks migrations')
    expect(exitCode).toBe(1)
    expect(stderr).not.toContain('it is killed')
  } finally {
    await dropDatabase(server, name)
  }
})

test('a number of processes that is none is refused in words', async () => {
  const { exitCode, stderr } = await ratecard(['serve', '--processes', '0'], env())
  expect(stderr).toContain('--processes must be a whole number')
  expect(exitCode).not.toBe(0)
})
