import { randomInt } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { connect, type Db } from '../src/database/connect.ts'
import { openEmbedded } from '../src/database/embedded.ts'
import { migrate } from '../src/database/migrate.ts'
import { createSecretBox, generateSecretsKey } from '../src/features/webhooks/secret-box.ts'
import { createLogger } from '../src/platform/logger.ts'
import { openQueue, takeOverSecondsMax } from '../src/queue/queue.ts'
import { computeJobTimeout } from '../src/queue/job-types.ts'
import { authorityFile } from '../test/support/certificates.ts'
import { useDatabase } from '../test/support/postgres.ts'
import { startReceiver, type Receiver } from '../test/support/receiver.ts'
import { createAccounts, publishMany, subscribe } from '../test/support/subscribers.ts'
import { startWorker } from '../test/support/worker-process.ts'

const database = useDatabase()

const endpoints = 150
const workers = 4
const killsAtOnce = 2
const kills = 20
/** Deliveries that have not arrived. */
const backlogMax = 2 * endpoints
const answerMs = { min: 5, max: 20 }
const attemptTimeoutMs = 2_000
const takeOverMs = 1_000 * takeOverSecondsMax(computeJobTimeout({ WEBHOOK_TIMEOUT: attemptTimeoutMs }))
/** Enough for what is on its way, in a socket or in a transaction, when a process is killed. */
const settleMs = 150
const fileTimeoutMs = 600_000

test(
  'Twenty times a worker is killed under load: nothing is lost, and only what was in flight comes twice',
  { timeout: fileTimeoutMs },
  async ({ onTestFinished }) => {
    const { db, url } = database
    const receiver = await startSlowReceiver(onTestFinished)
    const secretsKey = await prepare(db, receiver)
    const env = workerEnv(url, secretsKey)
    const queue = await openTestQueue(url)
    let fleet = await Promise.all(Array.from({ length: workers }, () => startWorker(env, onTestFinished)))

    let published = 0
    let publishing = true
    const publication = (async () => {
      while (publishing) {
        // A machine that is behind gets no more: what is tried here is the deaths, and not the speed.
        if (published - receiver.received.length < backlogMax)
          published += (await publishMany(db, queue, 1)).deliveries
        await setTimeout(300)
      }
    })()

    /** Attempts that had arrived when a worker was killed, and were not recorded. */
    const inFlight = new Set<string>()
    for (let killed = 0; killed < kills; killed += killsAtOnce) {
      await setTimeout(randomInt(50, 500))
      const first = randomInt(fleet.length)
      const victims = fleet.filter((_, index) => index === first || index === (first + 1) % fleet.length)
      const replacements = Promise.all(victims.map(() => startWorker(env, onTestFinished)))
      await Promise.all(victims.map((victim) => victim.kill()))
      await setTimeout(settleMs)
      const pending = await readPending(db)
      for (const { headers } of receiver.received) {
        const finished = pending.get(String(headers['x-svc-delivery']))
        if (finished !== undefined && finished < Number(headers['x-svc-attempt']))
          inFlight.add(nameOf(headers))
      }
      fleet = [...fleet.filter((worker) => !victims.includes(worker)), ...(await replacements)]
    }
    publishing = false
    await publication
    const lastKillMs = Date.now()
    await queue.stop()
    await expect
      .poll(async () => (await readDeliveries(db, 'pending')).size, {
        timeout: takeOverMs + 5_000,
        interval: 100,
      })
      .toBe(0)
    const tookMs = Date.now() - lastKillMs

    const arrived = countArrivals(receiver)
    const delivered = await readDeliveries(db, 'delivered')
    expect(delivered.size).toBe(published)
    expect([...delivered].filter((id) => !arrived.deliveries.has(id))).toEqual([])
    const twice = [...arrived.attempts].filter(([, count]) => count > 1).map(([name]) => name)
    expect(twice.filter((name) => !inFlight.has(name))).toEqual([])
    const takenUpMs = Math.max(0, ...twice.map((name) => longestGap(receiver, name)))
    // Who took it up may have been killed before it sent anything.
    expect(takenUpMs).toBeLessThan(2 * takeOverMs)
    console.info(
      `${published} deliveries, ${kills} kills: ${twice.length} arrived twice of ${inFlight.size} in flight; ` +
        `taken up again after ${takenUpMs} ms at most; all delivered ${tookMs} ms after the last`,
    )
    await Promise.all(fleet.map((worker) => worker.kill()))
  },
)

test('An attempt whose worker died is taken up again within a minute, with the longest time-out too', () => {
  expect(takeOverSecondsMax(computeJobTimeout({ WEBHOOK_TIMEOUT: 15_000 }))).toBeLessThan(60)
  expect(takeOverSecondsMax(computeJobTimeout({ WEBHOOK_TIMEOUT: 20_000 }))).toBeLessThan(60)
})

test('A worker goes on when its database was killed, or restarted, under load, and loses nothing', async ({
  onTestFinished,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'ratecard-restart-'))
  const postgres = await openEmbedded(folder)
  onTestFinished(async () => {
    await postgres.release()
    await rm(folder, { recursive: true, force: true })
  })
  const db = connect({ connectionString: postgres.connectionString, onIdleError: () => undefined })
  onTestFinished(() => db.destroy())
  await migrate(db)
  const receiver = await startSlowReceiver(onTestFinished)
  const secretsKey = await prepare(db, receiver)
  const queue = await openTestQueue(postgres.connectionString)
  const { deliveries: published } = await publishMany(db, queue, 20)
  await queue.stop()
  const worker = await startWorker(workerEnv(postgres.connectionString, secretsKey), onTestFinished)

  const all = receiver.received
  // As by the kernel when memory runs out; and as by an operator.
  for (const [signal, arrivals] of [
    ['SIGKILL', 300],
    ['SIGINT', 1_500],
  ] as const) {
    await expect.poll(() => all.length, { timeout: 20_000, interval: 5 }).toBeGreaterThan(arrivals)
    const pid = Number.parseInt(await readFile(join(postgres.dataDir, 'postgres', 'postmaster.pid'), 'utf8'))
    process.kill(pid, signal)
    await setTimeout(500)
    await postgres.revive()
  }
  await expect
    .poll(
      () =>
        readDeliveries(db, 'pending').then(
          ({ size }) => size,
          () => -1,
        ),
      {
        timeout: takeOverMs + 20_000,
        interval: 100,
      },
    )
    .toBe(0)

  expect(worker.child.exitCode).toBeNull()
  const arrived = countArrivals(receiver)
  const delivered = await readDeliveries(db, 'delivered')
  expect(delivered.size).toBe(published)
  expect([...delivered].filter((id) => !arrived.deliveries.has(id))).toEqual([])
  console.info(`${published} deliveries, 2 restarts: ${all.length - arrived.attempts.size} arrived twice`)
  await worker.kill()
})

type AtEnd = (end: () => Promise<void>) => void

/** Answers each delivery with 200, after a moment. */
async function startSlowReceiver(atEnd: AtEnd): Promise<Receiver> {
  const receiver = await startReceiver()
  atEnd(() => receiver.close())
  for (let index = 0; index < endpoints; index += 1) {
    receiver.behave(`/${index}`, (res) => {
      globalThis.setTimeout(() => res.writeHead(200).end(), randomInt(answerMs.min, answerMs.max))
    })
  }
  return receiver
}

/** Subscriptions for every path of the receiver. Returns the key of their secrets. */
async function prepare(db: Db, receiver: Receiver): Promise<string> {
  const secretsKey = generateSecretsKey()
  await subscribe(db, createSecretBox([secretsKey]), {
    accountIds: await createAccounts(db, 10),
    urls: Array.from({ length: endpoints }, (_, index) => `${receiver.url}/${index}`),
  })
  return secretsKey
}

function workerEnv(url: string, secretsKey: string): Record<string, string> {
  return {
    DATABASE_URL: url,
    SECRETS_KEY: secretsKey,
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    WEBHOOK_CA_FILE: authorityFile,
    WEBHOOK_TIMEOUT: `${attemptTimeoutMs}ms`,
    // What a slow machine makes late comes again at once.
    WEBHOOK_RETRY_SCHEDULE: '0s,1s,1s,1s,1s,1s,1s,1s',
    WEBHOOK_IN_FLIGHT_MAX: '50',
    LOG_LEVEL: 'error',
  }
}

function openTestQueue(connectionString: string) {
  const jobTimeoutSeconds = computeJobTimeout({ WEBHOOK_TIMEOUT: attemptTimeoutMs })
  return openQueue({ connectionString, jobTimeoutSeconds, logger: createLogger('silent'), supervise: false })
}

async function readDeliveries(db: Db, state: string): Promise<Set<string>> {
  const rows = await db.selectFrom('deliveries').select('id').where('state', '=', state).execute()
  return new Set(rows.map(({ id }) => id))
}

/** How often each attempt arrived. */
function countArrivals(receiver: Receiver): { attempts: Map<string, number>; deliveries: Set<string> } {
  const attempts = new Map<string, number>()
  for (const { headers } of receiver.received) {
    attempts.set(nameOf(headers), (attempts.get(nameOf(headers)) ?? 0) + 1)
  }
  return {
    attempts,
    deliveries: new Set(receiver.received.map(({ headers }) => String(headers['x-svc-delivery']))),
  }
}

/** Milliseconds from the first to the last arrival of an attempt. */
function longestGap(receiver: Receiver, name: string): number {
  const times = receiver.received.filter(({ headers }) => nameOf(headers) === name).map(({ atMs }) => atMs)
  return Math.max(...times) - Math.min(...times)
}

function nameOf(headers: IncomingHttpHeaders): string {
  return `${String(headers['x-svc-delivery'])} ${String(headers['x-svc-attempt'])}`
}

/** Attempts that are recorded, by pending delivery. */
async function readPending(db: Db): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('deliveries')
    .select(['id', 'attempts'])
    .where('state', '=', 'pending')
    .execute()
  return new Map(rows.map(({ id, attempts }) => [id, attempts]))
}
