import { availableParallelism } from 'node:os'
import { figureOf, say, type Aim, type Figure } from '../figures.ts'
import { alternate, perSecond, ratioFigure, roundsTable, type Rounds } from '../rounds.ts'
import type { Cluster, Database } from '../database.ts'
import type { Part, Setup } from './measure.ts'
import type { MeterJob, MeterResult } from './meter-process.ts'
import { startJobRunner, type JobRunner } from './processes.ts'
import { cpuMicrosOf, treeCpuMicrosOf } from './usage.ts'

// Counting alone, without HTTP: what one more unit costs, and which processes work meanwhile.

type MeterProcess = JobRunner<MeterJob, MeterResult>

type Case = Omit<MeterJob, 'durationMs'> & { processes: number }

interface Counted {
  perSecond: number
  p50Ms: number
  /** How many cores were busy. */
  postgresCores: number
  meterCores: number
}

const processesMax = 4
const one = 'Ratecard, 1,000 keys'
const inFlight = 64

export async function measureMetering({ cluster, effort }: Setup): Promise<Part> {
  await using running = new AsyncDisposableStack()
  const database = running.use(await cluster.openDatabase('metering'))
  const env = { DATABASE_URL: database.connectionString }
  const processes: MeterProcess[] = []
  for (let index = 0; index < processesMax; index += 1) {
    processes.push(running.use(await startJobRunner('api/meter-process.ts', env)))
  }
  const ids = database.keys.map((_, index) => `key_${index + 1}`)
  const { keys } = database
  const [hot, hotId] = [keys.slice(0, 1), ids.slice(0, 1)]
  const cases = new Map<string, Case>([
    ['UPDATE, 1 in flight', { how: 'update', keys: hotId, inFlight: 1, processes: 1 }],
    ['Ratecard, 1 in flight', { how: 'meter', keys: hot, inFlight: 1, processes: 1 }],
    ['UPDATE, 64 in flight', { how: 'update', keys: hotId, inFlight, processes: 1 }],
    ['Ratecard, 64 in flight', { how: 'meter', keys: hot, inFlight, processes: 1 }],
    ['UPDATE, 1,000 keys', { how: 'update', keys: ids, inFlight, processes: 1 }],
    [one, { how: 'meter', keys, inFlight, processes: 1 }],
    [`${one}, 2 processes`, { how: 'meter', keys, inFlight, processes: 2 }],
    [`${one}, 4 processes`, { how: 'meter', keys, inFlight, processes: 4 }],
  ])
  const run = (durationMs: number) => (name: string) => {
    const found = cases.get(name)
    if (!found) throw new Error(`There is no case "${name}".`)
    return countUnits(cluster, database, processes.slice(0, found.processes), { ...found, durationMs })
  }
  const names = [...cases.keys()]
  say('Metering alone: warming up')
  for (const name of names) await run(effort.warmUpMs / 2)(name)
  // Shorter rounds, and more of them: a commit waits for the disk, and the disk is moody.
  const rounds = await alternate(names, 2 * effort.rounds, run(effort.roundMs / 2))
  const title = `Metering alone: one hot key, or 1,000; 64 in flight in each process (${availableParallelism()} cores)`
  return {
    tables: [
      roundsTable(title, rounds, [
        ['units/s', perSecond],
        ['p50 ms', ({ p50Ms }) => p50Ms],
        ['cores busy: PostgreSQL', ({ postgresCores }) => postgresCores],
        ['meter', ({ meterCores }) => meterCores],
      ]),
    ],
    figures: [...rounds].map(([name, counted]) =>
      figureOf(`metering: ${name}`, 'units/s', counted.map(perSecond)),
    ),
    aims: meteringAims(rounds),
  }
}

async function countUnits(
  cluster: Cluster,
  { countedUnits, countedByPeers }: Database,
  processes: readonly MeterProcess[],
  job: MeterJob,
): Promise<Counted> {
  const countedSoFar = job.how === 'meter' ? countedUnits : countedByPeers
  const meterMicros = () => processes.reduce((sum, { pid }) => sum + cpuMicrosOf(pid), 0)
  const unitsBefore = await countedSoFar()
  const before = { postgres: treeCpuMicrosOf(cluster.pid), meter: meterMicros() }
  const results = await Promise.all(processes.map((each) => each.run(job)))
  const micros = {
    postgres: treeCpuMicrosOf(cluster.pid) - before.postgres,
    meter: meterMicros() - before.meter,
  }
  const units = results.reduce((sum, result) => sum + result.units, 0)
  const counted = (await countedSoFar()) - unitsBefore
  if (counted !== units) throw new Error(`${units} units were granted and ${counted} counted.`)
  const seconds = Math.max(...results.map((result) => result.seconds))
  return {
    perSecond: units / seconds,
    p50Ms: results[0]?.p50Ms ?? NaN,
    postgresCores: micros.postgres / seconds / 1_000_000,
    meterCores: micros.meter / seconds / 1_000_000,
  }
}

function meteringAims(rounds: Rounds<Counted>): Figure[] {
  const ratio = (name: string, subject: string, base: string, aim?: Aim) =>
    ratioFigure(`metering, ${name}`, rounds, [subject, base], perSecond, aim)
  return [
    ratio('hot key, 64 in flight: units/s against UPDATE', 'Ratecard, 64 in flight', 'UPDATE, 64 in flight', {
      least: 20,
    }),
    ratioFigure(
      'metering, 1 in flight: time against UPDATE',
      rounds,
      ['Ratecard, 1 in flight', 'UPDATE, 1 in flight'],
      ({ p50Ms }) => p50Ms,
      { most: 1.3 },
    ),
    ratio('1,000 keys, 64 in flight: against UPDATE', one, 'UPDATE, 1,000 keys'),
    ratio('1,000 keys: 2 processes against 1', `${one}, 2 processes`, one),
    ratio('1,000 keys: 4 processes against 1', `${one}, 4 processes`, one),
  ]
}
