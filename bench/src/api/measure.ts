import type { Cluster } from '../frame/database.ts'
import type { Figure, Table } from '../frame/figures.ts'
import type { Serving } from '../frame/processes.ts'
import { perSecond, type Columns, type Effort } from '../frame/rounds.ts'
import { cpuMicrosOf, treeCpuMicrosOf } from '../frame/machine.ts'
import type { Load, LoadJob, Sample } from './load.ts'

/** What the parts of a run share. */
export interface Setup {
  cluster: Cluster
  load: Load
  effort: Effort & { connections: number }
}

/** What a part of a run found out. */
export interface Part {
  tables?: Table[]
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

export type Measurement = Awaited<ReturnType<typeof measure>>

export const columns: Columns<Measurement> = [
  ['requests/s', perSecond],
  ['p50 ms', ({ p50Ms }) => p50Ms],
  ['p99 ms', ({ p99Ms }) => p99Ms],
  ['CPU µs/request: server', ({ serverMicros }) => serverMicros],
  ['PostgreSQL', ({ postgresMicros }) => postgresMicros],
  ['load', ({ loadMicros }) => loadMicros],
]

/**
 * One subject under load for a while: rate, times, and CPU microseconds per request. Throws when an answer is wrong, or not
 * counted exactly.
 */
export async function measure(
  load: Load,
  { serving: { name, pid, port }, countUnits, checkSample }: Subject,
  postgresPid: number,
  job: Omit<LoadJob, 'port'>,
) {
  const unitsBefore = (await countUnits?.()) ?? 0
  const serverBefore = cpuMicrosOf(pid)
  const postgresBefore = treeCpuMicrosOf(postgresPid)
  const { answers, otherStatuses, samples, ...result } = await load.run({ ...job, port })
  const serverMicros = (cpuMicrosOf(pid) - serverBefore) / answers
  const postgresMicros = (treeCpuMicrosOf(postgresPid) - postgresBefore) / answers
  if (answers === 0 || Object.keys(otherStatuses).length > 0)
    throw new Error(`${name}: of ${answers} answers were not 200: ${JSON.stringify(otherStatuses)}.`)
  samples.forEach(checkSample)
  const counted = countUnits ? (await countUnits()) - unitsBefore : answers
  if (counted !== answers)
    throw new Error(`${name}: ${answers} requests were answered and ${counted} counted.`)
  const { seconds, p50Ms, p99Ms, cpuMicros } = result
  const loadMicros = cpuMicros / answers
  return { perSecond: answers / seconds, p50Ms, p99Ms, serverMicros, postgresMicros, loadMicros }
}
