import { availableParallelism } from 'node:os'
import type { Cluster, Database } from '../frame/database.ts'
import { say, sumOf, type Aim } from '../frame/figures.ts'
import { startJobRunner } from '../frame/processes.ts'
import { alternate, perSecond, ratioFigure, roundsTable } from '../frame/rounds.ts'
import { cpuMicrosOf, treeCpuMicrosOf } from '../frame/machine.ts'
import type { Part, Setup } from './measure.ts'
import type { Meter, MeterJob } from './meter-process.ts'

// Counting alone, without HTTP: what one more unit costs, and which processes work meanwhile. Cells are measured so, too.

export interface Counter {
  cluster: Cluster
  database: Database
  meter: Meter
}

/** Starts a process that counts, in a database. */
export async function startMeter(database: { connectionString: string }): Promise<Meter> {
  return startJobRunner('api/meter-process.ts', { DATABASE_URL: database.connectionString })
}

/** Counts units with several processes at once, each with a job. Throws when they are not counted exactly. */
export async function countUnits(counters: readonly Counter[], jobOf: (counter: Counter) => MeterJob) {
  const jobs = counters.map((counter) => ({ ...counter, job: jobOf(counter) }))
  const databases = [...new Set(counters.map(({ database }) => database))]
  const clusters = [...new Set(counters.map(({ cluster }) => cluster))]
  const isMeter = jobs[0]!.job.how === 'meter'
  const countedSoFar = async () =>
    sumOf(await Promise.all(databases.map((one) => (isMeter ? one.countedUnits() : one.countedByPeers()))))
  const postgresMicros = () => sumOf(clusters.map(({ pid }) => treeCpuMicrosOf(pid)))
  const meterMicros = () => sumOf(counters.map(({ meter }) => cpuMicrosOf(meter.pid)))
  const before = { units: await countedSoFar(), postgres: postgresMicros(), meter: meterMicros() }
  const results = await Promise.all(jobs.map(({ meter, job }) => meter.run(job)))
  const spent = { postgres: postgresMicros() - before.postgres, meter: meterMicros() - before.meter }
  const units = sumOf(results.map((result) => result.units))
  const counted = (await countedSoFar()) - before.units
  if (counted !== units) throw new Error(`${units} units were granted and ${counted} counted.`)
  const seconds = Math.max(...results.map((result) => result.seconds))
  return {
    perSecond: units / seconds,
    p50Ms: results[0]!.p50Ms,
    microsPerUnit: spent.postgres / units,
    /** How many cores were busy. */
    postgresCores: spent.postgres / seconds / 1e6,
    meterCores: spent.meter / seconds / 1e6,
  }
}

type Counted = Awaited<ReturnType<typeof countUnits>>

const processesMax = 4
const one = 'Ratecard, 1,000 keys'

export async function measureMetering({ cluster, effort }: Setup): Promise<Part> {
  await using running = new AsyncDisposableStack()
  const database = running.use(await cluster.openDatabase('metering'))
  const counters: Counter[] = []
  while (counters.length < processesMax)
    counters.push({ cluster, database, meter: running.use(await startMeter(database)) })
  const { keys } = database
  const ids = keys.map((_, index) => `key_${index + 1}`)
  const update = (count: number, inFlight = 64) =>
    ({ how: 'update', keys: ids.slice(0, count), inFlight, processes: 1 }) as const
  const meter = (count: number, inFlight = 64, processes = 1) =>
    ({ how: 'meter', keys: keys.slice(0, count), inFlight, processes }) as const
  const cases: Record<string, Omit<MeterJob, 'durationMs'> & { processes: number }> = {
    'UPDATE, 1 in flight': update(1, 1),
    'Ratecard, 1 in flight': meter(1, 1),
    'UPDATE, 64 in flight': update(1),
    'Ratecard, 64 in flight': meter(1),
    'UPDATE, 1,000 keys': update(1_000),
    [one]: meter(1_000),
    [`${one}, 2 processes`]: meter(1_000, 64, 2),
    [`${one}, 4 processes`]: meter(1_000, 64, 4),
  }
  say('Metering alone')
  // Shorter rounds, and more of them: a commit waits for the disk, and the disk is moody.
  const half = { rounds: 2 * effort.rounds, roundMs: effort.roundMs / 2, warmUpMs: effort.warmUpMs / 2 }
  const rounds = await alternate(Object.keys(cases), half, (name, durationMs) => {
    const { processes, ...job } = cases[name]!
    return countUnits(counters.slice(0, processes), () => ({ ...job, durationMs }))
  })
  const ratio = (
    name: string,
    pair: [string, string],
    aim?: Aim,
    pick: (of: Counted) => number = perSecond,
  ) => ratioFigure(`metering, ${name}`, rounds, pair, pick, aim)
  const against = (base: string) => [base.replace('UPDATE', 'Ratecard'), base] as [string, string]
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
    aims: [
      ratio('hot key, 64 in flight: units/s against UPDATE', against('UPDATE, 64 in flight'), { least: 20 }),
      ratio(
        '1 in flight: time against UPDATE',
        against('UPDATE, 1 in flight'),
        { most: 1.3 },
        (of) => of.p50Ms,
      ),
      ratio('1,000 keys, 64 in flight: against UPDATE', against('UPDATE, 1,000 keys')),
      ratio('1,000 keys: 2 processes against 1', [`${one}, 2 processes`, one]),
      ratio('1,000 keys: 4 processes against 1', [`${one}, 4 processes`, one]),
    ],
  }
}
