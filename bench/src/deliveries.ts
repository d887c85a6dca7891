import { fork, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { CompiledQuery, sql } from 'kysely'
import { connect, type Db } from '../../apps/server/src/database/connect.ts'
import { openEmbedded } from '../../apps/server/src/database/embedded.ts'
import { migrate } from '../../apps/server/src/database/migrate.ts'
import { createGuardedAgent } from '../../apps/server/src/features/webhooks/guarded-agent.ts'
import { createSecretBox, generateSecretsKey } from '../../apps/server/src/features/webhooks/secret-box.ts'
import { signatureHeader, signBody } from '../../apps/server/src/features/webhooks/signature.ts'
import { createLogger } from '../../apps/server/src/platform/logger.ts'
import { openQueue, type Queue } from '../../apps/server/src/queue/queue.ts'
import { authority, authorityFile, goodCertificate } from '../../apps/server/test/support/certificates.ts'
import {
  changeInputs,
  createAccounts,
  publishMany,
  subscribe,
} from '../../apps/server/test/support/subscribers.ts'
import { alertedChange, alertText } from '../../packages/contract/src/alert.js'
import type { ReceiverAnswer, ReceiverRequest } from './delivery-receiver.ts'
import { figureTable, formatText, isMissed, say, type Figure } from './figures.ts'
import { median, percentile } from './statistics.ts'

// How fast alerts leave, on a database that keeps every one of them (fsync on): against a bare loop that posts the
// same bytes, beside endpoints that hang, and out of a long queue.

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: 'rate,hanging,queue' },
    queued: { type: 'string', default: '100000' },
    // What the default limits leave to endpoints that answer.
    concurrency: { type: 'string', default: '800' },
    json: { type: 'boolean', default: false },
  },
})
const chosen = new Set(options.only.split(','))
const queuedMax = Number(options.queued)

const endpoints = 1_000
const accounts = 100
const rounds = 3
const alertsPerRound = 10
/** Attempts in flight, of the worker and of the bare loop. A fifth of the worker's slots is kept for the slow. */
const concurrency = Number(options.concurrency)
const slots = concurrency / 0.8

/** Time between two alerts to everybody, and how many of them: past the time-out of those that hang. */
const publishEveryMs = 1_000
const publishes = 18

const folder = await mkdtemp(join(tmpdir(), 'ratecard-bench-'))
const secretsKey = generateSecretsKey()
const secrets = createSecretBox([secretsKey])
const postgres = await openEmbedded(folder)
const receiver = await startReceiver()
const figures: Figure[] = []
try {
  if (chosen.has('rate')) figures.push(...(await measureRate()))
  if (chosen.has('hanging')) figures.push(...(await measureHanging()))
  if (chosen.has('queue')) figures.push(...(await measureQueue()))
  print()
} finally {
  receiver.close()
  await postgres.release()
  await rm(folder, { recursive: true, force: true })
}

async function measureRate(): Promise<Figure[]> {
  await using bench = await openBench('rate')
  await bench.subscribe(paths('ok', endpoints))
  const worker = await bench.startWorker({ WEBHOOK_IN_FLIGHT_MAX: String(slots) })
  const agent = createGuardedAgent({
    isAllowedAddress: () => true,
    connectTimeoutMs: 5_000,
    connectionsMax: concurrency,
    extraCa: authority.cert,
  })
  const count = endpoints * alertsPerRound
  // Connections, and code that is compiled when it is hot.
  await bench.drain(3)
  await postBare(agent, 3 * endpoints)
  const bare: number[] = []
  const ours: number[] = []
  for (let round = 1; round <= rounds; round += 1) {
    bare.push(await postBare(agent, count))
    ours.push(await bench.drain(alertsPerRound))
    say(`round ${round}: bare ${whole(bare.at(-1))}/s, deliveries ${whole(ours.at(-1))}/s`)
  }
  await agent.destroy()
  await worker.stop()
  const ratio = median(ours.map((rate, round) => rate / (bare[round] ?? NaN)))
  return [
    { name: `bare loop, ${concurrency} at a time`, value: median(bare), unit: 'posts/s' },
    { name: `deliveries, ${concurrency} at a time`, value: median(ours), unit: 'deliveries/s' },
    { name: 'deliveries / bare loop', value: ratio, unit: 'times', aim: { least: 0.4 } },
  ]
}

async function measureHanging(): Promise<Figure[]> {
  const hangingShare = 0.3
  const hanging = endpoints * hangingShare
  const results: { p50: number; p99: number }[] = []
  for (const withHanging of [false, true]) {
    await using bench = await openBench(withHanging ? 'hanging' : 'healthy')
    const healthy = paths('ok', endpoints - hanging)
    await bench.subscribe(withHanging ? [...healthy, ...paths('hang', hanging)] : healthy)
    const worker = await bench.startWorker({})
    await receiver.forget()
    const publishedAtMs = new Map<string, number>()
    for (let round = 0; round < publishes; round += 1) {
      const startMs = Date.now()
      const { ids } = await publishMany(bench.db, bench.queue, 1)
      for (const id of ids) publishedAtMs.set(id, Date.now())
      await setTimeout(startMs + publishEveryMs - Date.now())
    }
    await setTimeout(5_000)
    const { arrivals } = await receiver.report()
    const { rows } = await sql<{ id: string; change_id: string }>`
      select d.id, a.change_ids[1] as change_id from deliveries d join alerts a on a.id = d.alert_id`.execute(
      bench.db,
    )
    const changeOf = new Map(rows.map((row) => [row.id, row.change_id]))
    const latencies = arrivals.map(
      ([delivery, atMs]) => atMs - (publishedAtMs.get(changeOf.get(delivery) ?? '') ?? NaN),
    )
    if (latencies.length < healthy.length * publishes) throw new Error(`${latencies.length} arrived.`)
    results.push({ p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99) })
    say(
      `${withHanging ? 'with' : 'without'} hanging: p50 ${results.at(-1)?.p50} ms, p99 ${results.at(-1)?.p99} ms`,
    )
    // It would wait for the hanging ones.
    await worker.kill()
  }
  const [without, beside] = results
  const ratio = (beside?.p99 ?? NaN) / (without?.p99 ?? NaN)
  const name = `publication to receipt, ${endpoints - hanging} endpoints a second`
  return [
    { name: `${name}: p50`, value: without?.p50 ?? NaN, unit: 'ms' },
    { name: `${name}: p99`, value: without?.p99 ?? NaN, unit: 'ms' },
    { name: `beside ${hanging} that hang: p50`, value: beside?.p50 ?? NaN, unit: 'ms' },
    { name: `beside ${hanging} that hang: p99`, value: beside?.p99 ?? NaN, unit: 'ms' },
    { name: 'p99 with / without', value: ratio, unit: 'times', aim: { most: 2 } },
  ]
}

async function measureQueue(): Promise<Figure[]> {
  await using bench = await openBench('queue')
  await bench.subscribe(paths('ok', endpoints))
  const worker = await bench.startWorker({ WEBHOOK_IN_FLIGHT_MAX: String(slots) })
  await bench.drain(3)
  const short: number[] = []
  for (let round = 0; round < 2 * rounds + 1; round += 1) short.push(await bench.drain(1))
  say(`1000 queued: ${short.map(whole).join(', ')}/s`)
  await worker.stop()
  // Queued while no worker runs: all of them wait when the worker starts.
  await bench.publish(queuedMax / endpoints)
  const again = await bench.startWorker({ WEBHOOK_IN_FLIGHT_MAX: String(slots) })
  const long = await bench.drained(queuedMax)
  say(`${queuedMax} queued: ${whole(long)}/s`)
  await again.stop()
  return [
    { name: 'out of 1000 queued', value: median(short), unit: 'deliveries/s' },
    { name: `out of ${queuedMax} queued`, value: long, unit: 'deliveries/s' },
    { name: 'long queue / short queue', value: long / median(short), unit: 'times', aim: { least: 0.85 } },
  ]
}

interface Bench extends AsyncDisposable {
  db: Db
  queue: Queue
  subscribe: (urls: string[]) => Promise<void>
  /** Queues alerts of one change each to everybody. */
  publish: (alerts: number) => Promise<void>
  /** Deliveries per second until nothing is pending. */
  drained: (count: number) => Promise<number>
  /** Publishes alerts and times their delivery. */
  drain: (alerts: number) => Promise<number>
  startWorker: (env: Record<string, string>) => Promise<Worker>
}

interface Worker {
  stop: () => Promise<void>
  kill: () => Promise<void>
}

/** A database of its own, migrated and empty. */
async function openBench(name: string): Promise<Bench> {
  const admin = connect({ connectionString: postgres.connectionString, connectionsMax: 1 })
  await admin.executeQuery(CompiledQuery.raw(`create database bench_${name}`))
  await admin.destroy()
  const url = new URL(postgres.connectionString)
  url.pathname = `/bench_${name}`
  const db = connect({ connectionString: url.href })
  await migrate(db)
  const logger = createLogger('warn')
  const queue = await openQueue({
    connectionString: url.href,
    jobTimeoutSeconds: 35,
    logger,
    supervise: false,
  })
  const publish = async (alerts: number) => {
    // In pieces, as a feed comes; each is one transaction.
    for (let done = 0; done < alerts; done += alertsPerRound)
      await publishMany(db, queue, Math.min(alertsPerRound, alerts - done))
  }
  // The one that was queued last of those that are pending. Until it has ended, a look at it alone shows that there is
  // one: a query of all, every 10 ms, took half of what the database did for the deliveries.
  const findPending = async () => {
    const { rows } = await sql<{ id: string }>`
      select id from deliveries where state = 'pending' order by created_at desc, id desc limit 1`.execute(db)
    return rows[0]?.id
  }
  const isPending = async (id: string) => {
    const { rows } = await sql`select from deliveries where id = ${id} and state = 'pending'`.execute(db)
    return rows.length > 0
  }
  const drained = async (count: number) => {
    const startMs = performance.now()
    for (let id = await findPending(); id !== undefined; id = await findPending()) {
      while (await isPending(id)) await setTimeout(10)
    }
    return (1_000 * count) / (performance.now() - startMs)
  }
  return {
    db,
    queue,
    subscribe: async (urls) => {
      await subscribe(db, secrets, { accountIds: await createAccounts(db, accounts), urls })
    },
    publish,
    drained,
    drain: async (alerts) => {
      await publishMany(db, queue, alerts)
      return drained(alerts * endpoints)
    },
    startWorker: (env) => startWorker({ DATABASE_URL: url.href, ...env }, name),
    [Symbol.asyncDispose]: async () => {
      await queue.stop()
      await db.destroy()
    },
  }
}

async function startWorker(env: Record<string, string>, name: string): Promise<Worker> {
  const program = fileURLToPath(new URL('../../apps/server/bin/ratecard.js', import.meta.url))
  const profiling = process.env.BENCH_NODE_OPTIONS
  const child = spawn(
    process.execPath,
    [...(profiling ? profiling.split(' ') : []), program, 'worker', '--json'],
    {
      env: {
        PATH: process.env.PATH ?? '',
        ADMIN_PORT: '0',
        SECRETS_KEY: secretsKey,
        WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
        WEBHOOK_CA_FILE: authorityFile,
        FEED_SOURCES: '[]',
        ...env,
      },
      // The log as it is by default, to a file.
      stdio: ['ignore', 'pipe', openSync(join(folder, `${name}.log`), 'a')],
    },
  )
  // A measurement that fails leaves none behind.
  process.on('exit', () => child.kill('SIGKILL'))
  const closed = once(child, 'close')
  await Promise.race([new Promise((resolve) => child.stdout?.once('data', resolve)), closed])
  if (child.exitCode !== null) throw new Error(`The worker ended at its start: see ${folder}/${name}.log`)
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await closed
  }
  return { stop: () => end('SIGTERM'), kill: () => end('SIGKILL') }
}

/** Signs and posts the bytes of an alert, each anew, and keeps nothing: what undici alone can do. */
async function postBare(agent: ReturnType<typeof createGuardedAgent>, count: number): Promise<number> {
  const [input] = changeInputs(1)
  if (!input) throw new Error('There is no change.')
  const change = alertedChange({ ...input, id: 'chg_00000000000000000000' }, 'http://localhost:8080')
  const changesJson = JSON.stringify([change])
  const origin = `https://localhost:${receiver.port}`
  const startMs = performance.now()
  let left = count
  const post = async () => {
    while (left > 0) {
      left -= 1
      const body = Buffer.from(alertText('change.alert', changesJson, new Date()))
      const { body: answer } = await agent.request({
        origin,
        path: `/ok/${left % endpoints}`,
        method: 'POST',
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'user-agent': 'Ratecard-Webhooks/1.0.0',
          [signatureHeader]: signBody(body, 'the secret of number 0'),
          'x-svc-delivery': 'dlv_00000000000000000000',
          'x-svc-attempt': '1',
        },
        body,
      })
      await answer.dump()
    }
  }
  await Promise.all(Array.from({ length: concurrency }, post))
  return (1_000 * count) / (performance.now() - startMs)
}

function paths(kind: 'ok' | 'hang', count: number): string[] {
  return Array.from({ length: count }, (_, index) => `https://localhost:${receiver.port}/${kind}/${index}`)
}

async function startReceiver() {
  const child: ChildProcess = fork(fileURLToPath(new URL('delivery-receiver.ts', import.meta.url)))
  const ask = async <Answer extends ReceiverAnswer>(request: ReceiverRequest): Promise<Answer> => {
    child.send(request)
    const [answer] = (await once(child, 'message')) as [Answer]
    return answer
  }
  const { port } = await ask<{ port: number }>({ certificate: goodCertificate })
  return {
    port,
    report: () => ask<{ count: number; arrivals: [string, number][] }>('report'),
    forget: () => ask('forget'),
    close: () => child.disconnect(),
  }
}

function print(): void {
  const missed = figures.filter(isMissed)
  if (options.json) console.log(JSON.stringify({ figures, missed: missed.map(({ name }) => name) }))
  else console.log(formatText(figureTable('Deliveries of alerts', figures)))
  if (missed.length > 0) process.exitCode = 1
}

function whole(value: number | undefined): string {
  return (value ?? NaN).toFixed(0)
}
