import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { newTally } from './abuse/attack.ts'
import { createCast, type Cast } from './abuse/cast.ts'
import { openCheckout } from './abuse/checkout.ts'
import type { CustomerJob } from './abuse/customer.ts'
import { serviceOf, within, type Sample } from './abuse/judge.ts'
import { flood } from './abuse/requests.ts'
import { startSubject } from './abuse/round.ts'
import { watchProcess } from './abuse/watch.ts'
import { end, startJobRunner, startProgram } from './api/processes.ts'
import { openCluster } from './database.ts'
import { figureOf, figureTable, say, shown } from './figures.ts'
import { now } from './job.ts'
import { describeMachine } from './machine.ts'
import { effortOptions, outputOptions, roundsOf } from './options.ts'
import { reportResults } from './results.ts'
import { watchStolenTime } from './stolen-time.ts'

// The price list in the forms of other programs: how long after a price has moved all files have it, what a worker takes
// for that, and what a paying customer is served while programs ask whether their file is still the newest.

const { values: options } = parseArgs({
  options: { ...effortOptions, ...outputOptions, seconds: { type: 'string', default: '8' } },
})
const rounds = roundsOf(options)
const phaseMs = 1_000 * Number(options.quick ? 4 : options.seconds)
const requestsPerSecond = 1_000
const connections = 200
const addresses = 20
const slowerMost = 2
const warmUpMs = 5_000
/** Between two phases: what was asked for last is answered. */
const restMs = 1_500
const lookMs = 20
/** After it has made files a worker rests for five times as long: a price that moves then waits. */
const restFactor = 6

const checkout = await openCheckout()
const cluster = await openCluster()
const found = { makingMs: [] as number[], workerMb: [] as number[], ratios: [] as number[] }
const phases = { quietMs: [] as number[], polledMs: [] as number[], perSecond: [] as number[] }
try {
  const connectionString = await cluster.createDatabase('exports')
  const program = {
    ...{ program: checkout.program, connectionString, logFile: join(cluster.folder, 'exports.log') },
    env: { SECRETS_KEY: randomBytes(32).toString('base64'), FEED_SOURCES: '[]' },
  }
  say('Filling the database')
  const db = checkout.connect({ connectionString })
  await checkout.migrate(db)
  await using server = await startSubject(program)
  const cast = await createCast(checkout, db, server.port)

  const { child: worker } = await startProgram<unknown>(['worker'], program)
  const startedMs = now()
  await untilMade(null)
  let tookMs = now() - startedMs
  const watch = await watchProcess(worker.pid!)
  for (let number = 1; number <= rounds; number += 1) {
    await setTimeout(restFactor * tookMs)
    const before = await sumsOf()
    const movedMs = now()
    await sql`update prices set input_per_mtok = coalesce(input_per_mtok, 0) + 1, updated_at = ratecard_now()
      where resource_id = (select min(resource_id) from prices)`.execute(db)
    await untilMade(before)
    tookMs = now() - movedMs
    found.makingMs.push(tookMs)
    say(`Move ${number} of ${rounds}: all files after ${shown(tookMs)} ms`)
  }
  found.workerMb.push((await watch.stop()).peakMb ?? NaN)
  await end(worker)
  await db.destroy()
  await measureCustomer(server.port, cast)

  async function sumsOf(): Promise<string | null> {
    const { rows } = await sql<{ sha256: string }>`
      select sha256 from export_files where name = 'SHA256SUMS'`.execute(db)
    return rows[0]?.sha256 ?? null
  }

  async function untilMade(before: string | null): Promise<void> {
    while ((await sumsOf()) === before) await setTimeout(lookMs)
  }
} finally {
  await cluster.close()
}

/** Phases take turns, the quiet one first; what was due while the host took processors away is left out. */
async function measureCustomer(port: number, cast: Cast): Promise<void> {
  await using customer = await startJobRunner<CustomerJob, Sample[]>('abuse/customer.ts')
  using stolenTime = watchStolenTime()
  const samples: Sample[] = []
  const send = async (command: CustomerJob['command']) => {
    samples.push(...(await customer.run({ command, port, key: cast.customerKey })))
  }
  const file = await fetch(`http://127.0.0.1:${port}/exports/litellm.json`)
  await file.arrayBuffer()
  const headers = { 'if-none-match': file.headers.get('etag') ?? '' }
  const phase = async (act: () => Promise<void>) => {
    await setTimeout(restMs)
    const startedMs = now()
    await act()
    const endedMs = now()
    await setTimeout(restMs)
    await send('take')
    const kept = within(samples, startedMs, endedMs).filter(({ intendedMs }) => !stolenTime.has(intendedMs))
    const { pages, failures } = serviceOf(kept)
    if (Object.keys(failures).length > 0) throw new Error(`The customer got ${JSON.stringify(failures)}.`)
    return { p99Ms: pages.p99Ms, seconds: (endedMs - startedMs) / 1_000 }
  }
  await send('start')
  await setTimeout(warmUpMs)
  for (let number = 1; number <= rounds; number += 1) {
    const quiet = await phase(() => setTimeout(phaseMs))
    const tally = newTally()
    const signal = AbortSignal.timeout(phaseMs)
    const requestOf = (number: number) => ({
      path: '/exports/litellm.json',
      headers,
      from: number % addresses,
    })
    const polled = await phase(() =>
      flood({ port, cast, tally, signal }, { connections, perSecond: requestsPerSecond, requestOf }),
    )
    phases.quietMs.push(quiet.p99Ms)
    phases.polledMs.push(polled.p99Ms)
    phases.perSecond.push((tally.statuses['304'] ?? 0) / polled.seconds)
    found.ratios.push(polled.p99Ms / quiet.p99Ms)
    say(
      `Round ${number} of ${rounds}: p99 ${shown(quiet.p99Ms)} -> ${shown(polled.p99Ms)} ms beside ` +
        `${shown(phases.perSecond.at(-1)!)} answers 304 a second; ${tally.requests} were asked, ${JSON.stringify(tally.statuses)}`,
    )
  }
  await send('stop')
}

const machine = describeMachine({ PostgreSQL: cluster.version })
const figures = [
  figureOf('a moved price until all files have it', 'ms', found.makingMs),
  figureOf('most memory of the worker that makes them', 'MB', found.workerMb),
  // A client's own pauses cost a few of them.
  figureOf('conditional requests answered with 304', 'a second', phases.perSecond, {
    least: 0.95 * requestsPerSecond,
  }),
  figureOf("the customer's p99 without them", 'ms', phases.quietMs),
  figureOf("the customer's p99 beside them", 'ms', phases.polledMs),
  figureOf('p99 to that without', 'times', found.ratios, { most: slowerMost }),
]
await reportResults(options, { machine, figures }, [figureTable('Exports', figures)], { name: 'exports' })
