import type { Figure, Table } from '../figures.ts'
import { perSecond } from '../rounds.ts'
import type { Cluster } from '../database.ts'
import type { LoadJob, Sample } from './load.ts'
import type { Load, Serving } from './processes.ts'
import { cpuMicrosOf, treeCpuMicrosOf } from './usage.ts'

/** What the parts of a run share. */
export interface Setup {
  cluster: Cluster
  load: Load
  effort: Effort
}

interface Effort {
  rounds: number
  roundMs: number
  warmUpMs: number
  connections: number
}

/** What a part of a run found out. */
export interface Part {
  tables?: Table[]
  /** For comparison between runs. */
  figures?: Figure[]
  /** What is held against an aim, or beside those that are. */
  aims: Figure[]
}

export interface Subject {
  serving: Serving
  /** Units counted so far by what this subject counts with; null: it counts none. */
  countUnits: (() => Promise<number>) | null
  /** @throws Error when an answer is not the page that was asked for */
  checkSample: (sample: Sample) => void
}

export interface Measurement {
  perSecond: number
  p50Ms: number
  p99Ms: number
  /** CPU microseconds per request. */
  serverMicros: number
  postgresMicros: number
  loadMicros: number
}

/** Columns of a table of rounds. */
export const columns: [head: string, pick: (measurement: Measurement) => number][] = [
  ['requests/s', perSecond],
  ['p50 ms', ({ p50Ms }) => p50Ms],
  ['p99 ms', ({ p99Ms }) => p99Ms],
  ['CPU µs/request: server', ({ serverMicros }) => serverMicros],
  ['PostgreSQL', ({ postgresMicros }) => postgresMicros],
  ['load', ({ loadMicros }) => loadMicros],
]

/** One subject under load for a while. Throws when an answer is wrong, or not counted exactly. */
export async function measure(
  load: Load,
  { serving: { name, pid, port }, countUnits, checkSample }: Subject,
  postgresPid: number,
  job: Omit<LoadJob, 'port'>,
): Promise<Measurement> {
  const unitsBefore = (await countUnits?.()) ?? 0
  const serverBefore = cpuMicrosOf(pid)
  const postgresBefore = treeCpuMicrosOf(postgresPid)
  const result = await load.run({ ...job, port })
  const serverMicros = cpuMicrosOf(pid) - serverBefore
  const postgresMicros = treeCpuMicrosOf(postgresPid) - postgresBefore
  const { answers, seconds, p50Ms, p99Ms, cpuMicros } = result
  const statuses = Object.entries(result.otherStatuses).map(([status, count]) => `${count} with ${status}`)
  if (statuses.length > 0) throw new Error(`${name}: of ${answers} answers ${statuses.join(', ')}.`)
  if (answers === 0) throw new Error(`${name} answered nothing.`)
  result.samples.forEach(checkSample)
  const counted = countUnits ? (await countUnits()) - unitsBefore : answers
  if (counted !== answers)
    throw new Error(`${name}: ${answers} requests were answered and ${counted} counted.`)
  return {
    perSecond: answers / seconds,
    ...{ p50Ms, p99Ms },
    serverMicros: serverMicros / answers,
    postgresMicros: postgresMicros / answers,
    loadMicros: cpuMicros / answers,
  }
}
