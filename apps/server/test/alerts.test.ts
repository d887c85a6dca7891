import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { generateSecretsKey } from '../src/features/webhooks/secret-box.ts'
import { createCustomer } from './support/actors.ts'
import { authorityFile } from './support/certificates.ts'
import { request } from './support/client.ts'
import { becomeReady, patience } from './support/load.ts'
import { useDatabase } from './support/postgres.ts'
import { ratecard, startServer, type ServerProcess } from './support/process.ts'
import { startReceiver, type Receiver } from './support/receiver.ts'
import { changeFile } from './support/fixtures.ts'

// Alerts as their users see them: an operator's commands, a customer's request, and the endpoint's deliveries.

const database = useDatabase()
const secret = 'a secret of sixteen'
const folder = mkdtempSync(join(tmpdir(), 'ratecard-alerts-'))
const file = join(folder, 'change.json')
writeFileSync(file, JSON.stringify(changeFile({ title: 'Alpha: 3.00 → 2.50 €' })))
let receiver: Receiver
let env: Record<string, string>

beforeAll(async () => {
  receiver = await startReceiver()
  env = {
    DATABASE_URL: database.url,
    SECRETS_KEY: generateSecretsKey(),
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    WEBHOOK_CA_FILE: authorityFile,
  }
})
afterAll(async () => {
  await receiver.close()
  rmSync(folder, { recursive: true })
})

/** A customer that subscribes as the documentation says. */
async function subscribe(server: ServerProcess, path: string): Promise<{ id: string; key: string }> {
  const { key } = await createCustomer(database.db, { plan: 'developer' })
  const body = { url: receiver.url + path, secret }
  const created = await request(server.url, '/v1/webhooks', { key, method: 'POST', body })
  expect(created.status).toBe(201)
  return { id: (created.body as { data: { id: string } }).data.id, key }
}

/** Publishes as an operator does. Returns the id of the change. */
async function publish(): Promise<string> {
  const { stdout, stderr, exitCode } = await ratecard(['changes', 'publish', file, '--json'], env)
  expect(exitCode, stderr).toBe(0)
  const [change] = JSON.parse(stdout) as { id: string }[]
  return change?.id ?? ''
}

/** `ratecard worker` as a process of its own. */
const startWorkerProcess = () => startServer(env, [], onTestFinished, 'worker')

async function figures(server: ServerProcess): Promise<Record<string, number>> {
  const text = await (await fetch(`${server.adminUrl}/metrics`)).text()
  const lines = text.split('\n').filter((line) => /^ratecard_deliver/.test(line))
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]),
  )
}

test('a published change arrives, signed, within seconds', async () => {
  const server = await startServer(env)
  await becomeReady([server])
  const { id, key } = await subscribe(server, '/signed')
  const changeId = await publish()
  const [received] = await receiver.waitFor(1, { wanted: ({ path }) => path === '/signed' })
  if (!received) throw new Error('Nothing arrived.')

  expect(received.headers['x-svc-signature']).toBe(
    `sha256=${createHmac('sha256', secret).update(received.body).digest('hex')}`,
  )
  expect(received.alert).toMatchObject({
    event: 'change.alert',
    changes: [{ id: changeId, title: 'Alpha: 3.00 → 2.50 €' }],
  })
  const { body } = await request(server.url, '/v1/changes', { key })
  const [change] = (body as { data: { id: string; created_at: string }[] }).data
  expect(change?.id).toBe(changeId)
  expect(received.atMs - Date.parse(change?.created_at ?? '')).toBeLessThan(10_000)

  const standing = async () => (await request(server.url, '/v1/webhooks', { key })).body
  await expect.poll(standing, patience).toMatchObject({ data: [{ id, last_status: 200, last_error: null }] })
  const shown = await figures(server)
  expect(shown).toMatchObject({
    ratecard_deliveries_in_flight: 0,
    ratecard_deliveries_due: 0,
    ratecard_deliveries_oldest_due_seconds: 0,
    'ratecard_delivery_attempts_total{outcome="ok"}': 1,
    ratecard_delivery_first_attempt_seconds_count: 1,
    'ratecard_delivery_first_attempt_seconds_bucket{le="1"}': 1,
  })
  expect(await server.stop()).toBe(0)
})

test('a server with --no-worker sends nothing until a worker runs, and the worker says what is due', async () => {
  const server = await startServer(env, ['--no-worker'])
  await becomeReady([server])
  await subscribe(server, '/later')
  await publish()
  // The server had its time: it answers after the notice of the alert.
  await new Promise((resolve) => setTimeout(resolve, 1_200))
  const arrived = () => receiver.received.filter(({ path }) => path === '/later')
  expect(arrived()).toEqual([])

  // The endpoint is slow: the worker is seen at work, and is asked to stop meanwhile.
  let answer = (): void => undefined
  receiver.behave('/later', (res) => void (answer = () => res.writeHead(200).end()))
  const worker = await startWorkerProcess()
  await expect.poll(() => arrived().length, patience).toBe(1)
  await expect.poll(() => figures(worker), patience).toMatchObject({ ratecard_deliveries_in_flight: 1 })
  const stopped = worker.stop()
  await expect.poll(() => worker.log(), patience).toContain('stopping')
  answer()
  expect(await stopped).toBe(0)
  const rows = await ratecard(['deliveries', 'list', '--limit', '1', '--json'], env)
  expect(JSON.parse(rows.stdout)).toMatchObject({ rows: [{ state: 'delivered', attempts: 1 }] })
  expect(arrived()).toHaveLength(1)
  expect(await server.stop()).toBe(0)
})
