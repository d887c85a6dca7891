import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { connect } from '../../apps/server/src/database/connect.ts'
import { migrate } from '../../apps/server/src/database/migrate.ts'
import { createGuardedAgent } from '../../apps/server/src/features/webhooks/guarded-agent.ts'
import { createSecretBox, generateSecretsKey } from '../../apps/server/src/features/webhooks/secret-box.ts'
import { signatureHeader, signBody } from '../../apps/server/src/features/webhooks/signature.ts'
import { createLogger } from '../../apps/server/src/platform/logger.ts'
import { openQueue } from '../../apps/server/src/queue/queue.ts'
import { authority, authorityFile, goodCertificate } from '../../apps/server/test/support/certificates.ts'
import {
  changeInputs,
  createAccounts,
  publishMany,
  subscribe,
} from '../../apps/server/test/support/subscribers.ts'
import { alertedChange, alertText } from '../../packages/contract/src/alert.js'
import { openCluster } from './database.ts'
import { end, startJobRunner, startProgram } from './api/processes.ts'
import type { ReceiverJob, Received } from './delivery-receiver.ts'
import { figureTable, say, shown, type Figure } from './figures.ts'
import { describeMachine } from './machine.ts'
import { reportResults } from './results.ts'
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

const secretsKey = generateSecretsKey()
const secrets = createSecretBox([secretsKey])
const cluster = await openCluster()
const receiver = await startJobRunner<ReceiverJob, Received>('delivery-receiver.ts')
const figures: Figure[] = []
try {
  const { port } = await receiver.run({ certificate: goodCertificate })
  const origin = `https://localhost:${port}`
  if (chosen.has('rate')) figures.push(...(await measureRate(origin)))
  if (chosen.has('hanging')) figures.push(...(await measureHanging(origin)))
  if (chosen.has('queue')) figures.push(...(await measureQueue(origin)))
} finally {
  await receiver.stop()
  await cluster.close()
}
const machine = describeMachine({ PostgreSQL: cluster.version })
await reportResults({ json: options.json }, { machine, figures }, [
  figureTable('Deliveries of alerts', figures),
])

async function measureRate(origin: string): Promise<Figure[]> {
  await using bench = await openBench('rate')
  await bench.subscribe(addresses(`${origin}/ok`, endpoints))
  const endWorker = await bench.startWorker({ WEBHOOK_IN_FLIGHT_MAX: String(slots) })
  const agent = createGuardedAgent({
    isAllowedAddress: () => true,
    connectTimeoutMs: 5_000,
    connectionsMax: concurrency,
    extraCa: authority.cert,
  })
  const count = endpoints * alertsPerRound
  // Connections, and code that is compiled when it is hot.
  await bench.drain(3)
  await postBare(agent, origin, 3 * endpoints)
  const bare: number[] = []
  const ours: number[] = []
  for (let round = 1; round <= rounds; round += 1) {
    bare.push(await postBare(agent, origin, count))
    ours.push(await bench.drain(alertsPerRound))
    say(`round ${round}: bare ${shown(bare.at(-1) ?? NaN)}/s, deliveries ${shown(ours.at(-1) ?? NaN)}/s`)
  }
  await agent.destroy()
  await endWorker()
  const ratio = median(ours.map((rate, round) => rate / (bare[round] ?? NaN)))
  return [
    { name: `bare loop, ${concurrency} at a time`, value: median(bare), unit: 'posts/s' },
    { name: `deliveries, ${concurrency} at a time`, value: median(ours), unit: 'deliveries/s' },
    { name: 'deliveries / bare loop', value: ratio, unit: 'times', aim: { least: 0.4 } },
  ]
}

async function measureHanging(origin: string): Promise<Figure[]> {
  const hangingShare = 0.3
  const hanging = endpoints * hangingShare
  const measure = async (withHanging: boolean) => {
    await using bench = await openBench(withHanging ? 'hanging' : 'healthy')
    const healthy = addresses(`${origin}/ok`, endpoints - hanging)
    await bench.subscribe(withHanging ? [...healthy, ...addresses(`${origin}/hang`, hanging)] : healthy)
    const endWorker = await bench.startWorker({})
    await receiver.run({})
    const publishedAtMs = new Map<string, number>()
    for (let round = 0; round < publishes; round += 1) {
      const startMs = Date.now()
      const { ids } = await publishMany(bench.db, bench.queue, 1)
      for (const id of ids) publishedAtMs.set(id, Date.now())
      await setTimeout(startMs + publishEveryMs - Date.now())
    }
    await setTimeout(5_000)
    const { arrivals } = await receiver.run({})
    const { rows } = await sql<{ id: string; change_id: string }>`
      select d.id, a.change_ids[1] as change_id from deliveries d join alerts a on a.id = d.alert_id`.execute(
      bench.db,
    )
    const changeOf = new Map(rows.map((row) => [row.id, row.change_id]))
    const latencies = arrivals.map(
      ([delivery, atMs]) => atMs - (publishedAtMs.get(changeOf.get(delivery) ?? '') ?? NaN),
    )
    if (latencies.length < healthy.length * publishes) throw new Error(`${latencies.length} arrived.`)
    const [p50, p99] = [percentile(latencies, 0.5), percentile(latencies, 0.99)]
    say(`${withHanging ? 'with' : 'without'} hanging: p50 ${p50} ms, p99 ${p99} ms`)
    // It would wait for the hanging ones.
    await endWorker('SIGKILL')
    return { p50, p99 }
  }
  const without = await measure(false)
  const beside = await measure(true)
  const name = `publication to receipt, ${endpoints - hanging} endpoints a second`
  return [
    { name: `${name}: p50`, value: without.p50, unit: 'ms' },
    { name: `${name}: p99`, value: without.p99, unit: 'ms' },
    { name: `beside ${hanging} that hang: p50`, value: beside.p50, unit: 'ms' },
    { name: `beside ${hanging} that hang: p99`, value: beside.p99, unit: 'ms' },
    { name: 'p99 with / without', value: beside.p99 / without.p99, unit: 'times', aim: { most: 2 } },
  ]
}

async function measureQueue(origin: string): Promise<Figure[]> {
  await using bench = await openBench('queue')
  await bench.subscribe(addresses(`${origin}/ok`, endpoints))
  const endWorker = await bench.startWorker({ WEBHOOK_IN_FLIGHT_MAX: String(slots) })
  await bench.drain(3)
  const short: number[] = []
  for (let round = 0; round < 2 * rounds + 1; round += 1) short.push(await bench.drain(1))
  say(`1000 queued: ${short.map(shown).join(', ')}/s`)
  await endWorker()
  // Queued while no worker runs: all of them wait when the worker starts.
  await bench.publish(queuedMax / endpoints)
  const endOther = await bench.startWorker({ WEBHOOK_IN_FLIGHT_MAX: String(slots) })
  const long = await bench.drained(queuedMax)
  say(`${queuedMax} queued: ${shown(long)}/s`)
  await endOther()
  return [
    { name: 'out of 1000 queued', value: median(short), unit: 'deliveries/s' },
    { name: `out of ${queuedMax} queued`, value: long, unit: 'deliveries/s' },
    { name: 'long queue / short queue', value: long / median(short), unit: 'times', aim: { least: 0.85 } },
  ]
}

/** A database of its own, migrated and empty. */
async function openBench(name: string) {
  const connectionString = await cluster.createDatabase(`bench_${name}`)
  const db = connect({ connectionString })
  await migrate(db)
  const logger = createLogger('warn')
  const queue = await openQueue({ connectionString, jobTimeoutSeconds: 35, logger, supervise: false })
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
  /** Deliveries per second until nothing is pending. */
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
    drained,
    subscribe: async (urls: string[]) => {
      await subscribe(db, secrets, { accountIds: await createAccounts(db, accounts), urls })
    },
    /** Queues alerts of one change each to everybody: in pieces, as a feed comes; each is one transaction. */
    publish: async (alerts: number) => {
      for (let done = 0; done < alerts; done += alertsPerRound)
        await publishMany(db, queue, Math.min(alertsPerRound, alerts - done))
    },
    /** Publishes alerts and times their delivery. */
    drain: async (alerts: number) => {
      await publishMany(db, queue, alerts)
      return drained(alerts * endpoints)
    },
    /** Answers with what ends the worker. */
    startWorker: async (env: Record<string, string>) => {
      const { child } = await startProgram(['worker'], {
        connectionString,
        logFile: join(cluster.folder, `${name}.log`),
        nodeOptions: process.env.BENCH_NODE_OPTIONS?.split(' ') ?? [],
        env: {
          SECRETS_KEY: secretsKey,
          WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
          WEBHOOK_CA_FILE: authorityFile,
          FEED_SOURCES: '[]',
          ...env,
        },
      })
      return (signal?: NodeJS.Signals) => end(child, signal)
    },
    [Symbol.asyncDispose]: async () => {
      await queue.stop()
      await db.destroy()
    },
  }
}

/** Signs and posts the bytes of an alert, each anew, and keeps nothing: what undici alone can do. */
async function postBare(
  agent: ReturnType<typeof createGuardedAgent>,
  origin: string,
  count: number,
): Promise<number> {
  const [input] = changeInputs(1)
  if (!input) throw new Error('There is no change.')
  const change = alertedChange({ ...input, id: 'chg_00000000000000000000' }, 'http://localhost:8080')
  const changesJson = JSON.stringify([change])
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

function addresses(root: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${root}/${index}`)
}
