import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { flood, newTally } from './abuse/attack.ts'
import { openPhases, openScene, p99, startSubject } from './abuse/scene.ts'
import { figureOf, figureTable, say, shown } from './frame/figures.ts'
import { describeMachine, watchProcess } from './frame/machine.ts'
import { readOptions, roundsOption } from './frame/options.ts'
import { now, startProgram } from './frame/processes.ts'
import { report } from './frame/report.ts'
import { alternate, ratioFigure } from './frame/rounds.ts'

// The price list in the forms of other programs: how long after a price has moved all files have it, what a worker takes
// for that, and what a paying customer is served while programs ask whether their file is still the newest.

const about = 'Measures the files of the price list, and a customer beside those who ask for them.'
const options = readOptions(about, { rounds: roundsOption, seconds: ['how long each phase lasts', 8, 4] })
const { rounds, seconds } = options
const requestsPerSecond = 1_000
const connections = 200
const addresses = 20
const slowerMost = 2
const lookMs = 20
/** After it has made files a worker rests for five times as long: a price that moves then waits. */
const restFactor = 6

await using scene = await openScene('exports', '', { FEED_SOURCES: '[]' })
const { db, cast } = scene
const sumsOf = async () => {
  const { rows } = await sql<{ sha256: string }>`
    select sha256 from export_files where name = 'SHA256SUMS'`.execute(db)
  return rows[0]?.sha256 ?? null
}
const untilMade = async (before: string | null) => {
  const startedMs = now()
  while ((await sumsOf()) === before) await setTimeout(lookMs)
  return now() - startedMs
}

await using server = await startSubject(scene.subject)
const worker = await startProgram<unknown>(['worker'], scene.subject)
let tookMs = await untilMade(null)
const watch = watchProcess(worker.pid)
const makingMs: number[] = []
while (makingMs.length < rounds) {
  await setTimeout(restFactor * tookMs)
  const before = await sumsOf()
  await sql`update prices set input_per_mtok = coalesce(input_per_mtok, 0) + 1, updated_at = ratecard_now()
    where resource_id = (select min(resource_id) from prices)`.execute(db)
  tookMs = await untilMade(before)
  makingMs.push(tookMs)
  say(`Move ${makingMs.length} of ${rounds}: all files after ${shown(tookMs)} ms`)
}
const workerMb = [watch.stop().peakMb ?? NaN]
await worker.stop()

const { port } = server
const path = '/exports/litellm.json'
const file = await fetch(`http://127.0.0.1:${port}${path}`)
await file.arrayBuffer()
const headers = { 'if-none-match': file.headers.get('etag') ?? '' }
const poll = async (durationMs: number) => {
  const tally = newTally()
  const target = { port, cast, tally, signal: AbortSignal.timeout(durationMs) }
  const requestOf = (number: number) => ({ path, headers, from: number % addresses })
  await flood(target, { connections, perSecond: requestsPerSecond, requestOf })
  say(`  ${tally.requests} were asked, ${JSON.stringify(tally.statuses)}`)
  return tally.statuses['304'] ?? 0
}
const [quiet, polled] = ['without them', 'beside them'] as const
await using phases = await openPhases(scene, port)
const run = async (name: string, durationMs: number) => {
  const act = () => (name === quiet ? setTimeout(durationMs, NaN) : poll(durationMs))
  const phase = await phases.run(act)
  const { failures } = phase.service
  if (Object.keys(failures).length > 0) throw new Error(`The customer got ${JSON.stringify(failures)}.`)
  return phase
}
const found = await alternate([quiet, polled], { rounds, roundMs: 1_000 * seconds, warmUpMs: 0 }, run, p99)

const answersPerSecond = found.get(polled)!.map(({ perSecond }) => perSecond)
// A client's own pauses cost a few of them.
const least = 0.95 * requestsPerSecond
const figures = [
  figureOf('a moved price until all files have it', 'ms', makingMs),
  figureOf('most memory of the worker that makes them', 'MB', workerMb),
  figureOf('conditional requests answered with 304', 'a second', answersPerSecond, { least }),
  figureOf("the customer's p99 without them", 'ms', found.get(quiet)!.map(p99)),
  figureOf("the customer's p99 beside them", 'ms', found.get(polled)!.map(p99)),
  ratioFigure('p99 to that without', found, [polled, quiet], p99, { most: slowerMost }),
]
await report(options, {
  ...{ name: 'exports', figures },
  tables: [figureTable('Exports', figures)],
  data: { machine: describeMachine({ PostgreSQL: scene.version }) },
})
