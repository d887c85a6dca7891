import { availableParallelism } from 'node:os'
import { rangeText, say, shown, type Figure, type Table } from '../figures.ts'
import { median, spreadOf } from '../statistics.ts'
import { countedByPeers, countedUnits, type Cluster, type Database } from './database.ts'
import type { MeterJob, MeterResult } from './meter-process.ts'
import { startJobRunner, type JobRunner } from './processes.ts'
import type { Effort, Part } from './served-pages.ts'
import { cpuMicrosOf, treeCpuMicrosOf } from './usage.ts'

// Counting alone, without HTTP: what one more unit costs, and which processes work meanwhile.

type MeterProcess = JobRunner<MeterJob, MeterResult>
type Count = Omit<MeterJob, 'durationMs'>

interface Counted {
  unitsPerSecond: number
  p50Ms: number
  /** How many cores were busy. */
  postgresCores: number
  meterCores: number
}

const processCounts = [1, 2, 4] as const
const inFlight = 64

export async function measureMetering(cluster: Cluster, effort: Effort): Promise<Part> {
  const database = await cluster.openDatabase('metering')
  const processes: MeterProcess[] = []
  try {
    for (let index = 0; index < Math.max(...processCounts); index += 1) {
      processes.push(
        await startJobRunner('api/meter-process.ts', { DATABASE_URL: database.connectionString }),
      )
    }
    const ids = database.keys.map((_, index) => `key_${index + 1}`)
    const { keys } = database
    const [hot, hotId] = [keys.slice(0, 1), ids.slice(0, 1)]
    const cases: { name: string; count: Count; processes: number }[] = [
      { name: 'UPDATE, 1 in flight', count: { how: 'update', keys: hotId, inFlight: 1 }, processes: 1 },
      { name: 'Ratecard, 1 in flight', count: { how: 'meter', keys: hot, inFlight: 1 }, processes: 1 },
      { name: 'UPDATE, 64 in flight', count: { how: 'update', keys: hotId, inFlight }, processes: 1 },
      { name: 'Ratecard, 64 in flight', count: { how: 'meter', keys: hot, inFlight }, processes: 1 },
      { name: 'UPDATE, 1,000 keys', count: { how: 'update', keys: ids, inFlight }, processes: 1 },
      ...processCounts.map((count) => ({
        name: count === 1 ? 'Ratecard, 1,000 keys' : `Ratecard, 1,000 keys, ${count} processes`,
        count: { how: 'meter', keys, inFlight } as const,
        processes: count,
      })),
    ]
    const results = new Map<string, Counted[]>(cases.map(({ name }) => [name, []]))
    const run = (each: (typeof cases)[number], durationMs: number) =>
      countUnits(cluster, database, processes.slice(0, each.processes), { ...each.count, durationMs })
    say('Metering alone: warming up')
    for (const each of cases) await run(each, effort.warmUpMs / 2)
    // Shorter rounds, and more of them: a commit waits for the disk, and the disk is moody.
    const [rounds, roundMs] = [2 * effort.rounds, effort.roundMs / 2]
    for (let round = 1; round <= rounds; round += 1) {
      const rates: string[] = []
      for (const each of cases) {
        const counted = await run(each, roundMs)
        results.get(each.name)?.push(counted)
        rates.push(`${each.name}: ${shown(counted.unitsPerSecond)}`)
      }
      say(`  round ${round} of ${rounds}: ${rates.join('; ')}`)
    }
    return { tables: [meteringTable(results)], figures: rateFigures(results), aims: meteringAims(results) }
  } finally {
    for (const each of processes) await each.stop()
    await database.close()
  }
}

async function countUnits(
  cluster: Cluster,
  { db }: Database,
  processes: readonly MeterProcess[],
  job: MeterJob,
): Promise<Counted> {
  const countedSoFar = () => (job.how === 'meter' ? countedUnits(db) : countedByPeers(db))
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
    unitsPerSecond: units / seconds,
    p50Ms: results[0]?.p50Ms ?? NaN,
    postgresCores: micros.postgres / seconds / 1_000_000,
    meterCores: micros.meter / seconds / 1_000_000,
  }
}

function meteringTable(results: ReadonlyMap<string, readonly Counted[]>): Table {
  return {
    title: `Metering alone: one hot key, or 1,000; 64 in flight in each process (${availableParallelism()} cores)`,
    head: ['', 'units/s', 'min to max', 'p50 ms', 'cores busy: PostgreSQL', 'meter'],
    rows: [...results].map(([name, counted]) => {
      const rate = spreadOf(counted.map(({ unitsPerSecond }) => unitsPerSecond))
      const p50Ms = median(counted.map((each) => each.p50Ms))
      return [
        name,
        shown(rate.median),
        rangeText(rate),
        Number.isNaN(p50Ms) ? '' : shown(p50Ms),
        shown(median(counted.map(({ postgresCores }) => postgresCores))),
        shown(median(counted.map(({ meterCores }) => meterCores))),
      ]
    }),
  }
}

function rateFigures(results: ReadonlyMap<string, readonly Counted[]>): Figure[] {
  return [...results].map(([name, counted]) => {
    const { median: value, min, max } = spreadOf(counted.map(({ unitsPerSecond }) => unitsPerSecond))
    return { name: `metering: ${name}`, value, unit: 'units/s', range: { min, max } }
  })
}

function meteringAims(results: ReadonlyMap<string, readonly Counted[]>): Figure[] {
  const ratio = (
    name: string,
    [subject, base]: [subject: string, base: string],
    pick: (counted: Counted) => number,
    aim?: Figure['aim'],
  ): Figure => {
    const bases = results.get(base) ?? []
    const ratios = (results.get(subject) ?? []).map((counted, round) => {
      const other = bases[round]
      return other ? pick(counted) / pick(other) : NaN
    })
    const { median: value, min, max } = spreadOf(ratios)
    return { name: `metering, ${name}`, value, unit: 'times', range: { min, max }, ...(aim && { aim }) }
  }
  const rate = ({ unitsPerSecond }: Counted) => unitsPerSecond
  const time = ({ p50Ms }: Counted) => p50Ms
  const one = 'Ratecard, 1,000 keys'
  return [
    ratio(
      'hot key, 64 in flight: units/s against UPDATE',
      ['Ratecard, 64 in flight', 'UPDATE, 64 in flight'],
      rate,
      { least: 20 },
    ),
    ratio('1 in flight: time against UPDATE', ['Ratecard, 1 in flight', 'UPDATE, 1 in flight'], time, {
      most: 1.3,
    }),
    ratio('1,000 keys, 64 in flight: against UPDATE', [one, 'UPDATE, 1,000 keys'], rate),
    ratio('1,000 keys: 2 processes against 1', [`${one}, 2 processes`, one], rate),
    ratio('1,000 keys: 4 processes against 1', [`${one}, 4 processes`, one], rate),
  ]
}
