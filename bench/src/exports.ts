import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { newTally } from './abuse/attack.ts'
import { flood } from './abuse/requests.ts'
import { openPhases, openScene, startSubject } from './abuse/scene.ts'
import { figureOf, figureTable, say, shown } from './frame/figures.ts'
import { describeMachine } from './frame/machine.ts'
import { readOptions, roundsOption } from './frame/options.ts'
import { now, startProgram } from './frame/processes.ts'
import { report } from './frame/report.ts'
import { watchProcess } from './frame/usage.ts'

// The price list in the forms of other programs: how long after a price has moved all files have it, what a worker takes
// for that, and what a paying customer is served while programs ask whether their file is still the newest.

const options = readOptions(
  'Measures the files of the price list, and a customer beside those who ask for them.',
  {
    rounds: [...roundsOption],
    seconds: ['how long each phase lasts', 8, 4],
  },
)
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
await using phases = await openPhases(scene, port)
const measure = async (act: () => Promise<unknown>) => {
  const { service, seconds } = await phases.run(act)
  const { failures, pages } = service
  if (Object.keys(failures).length > 0) throw new Error(`The customer got ${JSON.stringify(failures)}.`)
  return { p99Ms: pages.p99Ms, seconds }
}
const found: { quietMs: number; polledMs: number; perSecond: number }[] = []
while (found.length < rounds) {
  const quiet = await measure(() => setTimeout(1_000 * seconds))
  const tally = newTally()
  const polled = await measure(() => {
    const target = { port, cast, tally, signal: AbortSignal.timeout(1_000 * seconds) }
    const requestOf = (number: number) => ({ path, headers, from: number % addresses })
    return flood(target, { connections, perSecond: requestsPerSecond, requestOf })
  })
  const perSecond = (tally.statuses['304'] ?? 0) / polled.seconds
  found.push({ quietMs: quiet.p99Ms, polledMs: polled.p99Ms, perSecond })
  say(
    `Round ${found.length} of ${rounds}: p99 ${shown(quiet.p99Ms)} -> ${shown(polled.p99Ms)} ms beside ` +
      `${shown(perSecond)} answers 304 a second; ${tally.requests} were asked, ${JSON.stringify(tally.statuses)}`,
  )
}

const of = (name: keyof (typeof found)[0]) => found.map((round) => round[name])
const ratios = found.map(({ quietMs, polledMs }) => polledMs / quietMs)
// A client's own pauses cost a few of them.
const least = 0.95 * requestsPerSecond
const figures = [
  figureOf('a moved price until all files have it', 'ms', makingMs),
  figureOf('most memory of the worker that makes them', 'MB', workerMb),
  figureOf('conditional requests answered with 304', 'a second', of('perSecond'), { least }),
  figureOf("the customer's p99 without them", 'ms', of('quietMs')),
  figureOf("the customer's p99 beside them", 'ms', of('polledMs')),
  figureOf('p99 to that without', 'times', ratios, { most: slowerMost }),
]
const machine = describeMachine({ PostgreSQL: scene.version })
await report(options, {
  name: 'exports',
  figures,
  tables: [figureTable('Exports', figures)],
  data: { machine },
})
