import { median, spreadOf } from '../statistics.ts'
import { rangeText, say, shown, type Figure, type Table } from '../figures.ts'
import type { LoadJob, LoadResult, Sample } from './load.ts'
import type { Load, Serving } from './processes.ts'
import { cpuMicrosOf, treeCpuMicrosOf } from './usage.ts'

// Each round measures every subject in turn: a machine that is slow for a while is slow for all of them, and ratios are
// taken within a round.

export interface Subject {
  serving: Serving
  /** Units counted so far by what this subject counts with; null: it counts none. */
  countUnits: (() => Promise<number>) | null
  /** @throws Error when an answer is not the page that was asked for */
  checkSample: (sample: Sample) => void
}

export interface Measurement {
  requestsPerSecond: number
  p50Ms: number
  p99Ms: number
  bytesPerAnswer: number
  /** CPU microseconds per request. */
  serverMicros: number
  postgresMicros: number
  loadMicros: number
}

/** One subject under load for a while. Throws when an answer is wrong, or not counted exactly. */
export async function measure(
  load: Load,
  { serving, countUnits, checkSample }: Subject,
  postgresPid: number,
  job: Omit<LoadJob, 'port'>,
): Promise<Measurement> {
  const unitsBefore = await countUnits?.()
  const serverBefore = cpuMicrosOf(serving.pid)
  const postgresBefore = treeCpuMicrosOf(postgresPid)
  const result = await load.run({ ...job, port: serving.port })
  const serverMicros = cpuMicrosOf(serving.pid) - serverBefore
  const postgresMicros = treeCpuMicrosOf(postgresPid) - postgresBefore
  const { answers } = result
  checkAnswers(serving.name, result, checkSample)
  if (countUnits && unitsBefore !== undefined) {
    const counted = (await countUnits()) - unitsBefore
    if (counted !== answers)
      throw new Error(`${serving.name}: ${answers} requests were answered and ${counted} counted.`)
  }
  return {
    requestsPerSecond: answers / result.seconds,
    p50Ms: result.p50Ms,
    p99Ms: result.p99Ms,
    bytesPerAnswer: result.bodyBytes / answers,
    serverMicros: serverMicros / answers,
    postgresMicros: postgresMicros / answers,
    loadMicros: result.cpuMicros / answers,
  }
}

function checkAnswers(
  name: string,
  { answers, otherStatuses, samples }: LoadResult,
  check: Subject['checkSample'],
): void {
  const statuses = Object.entries(otherStatuses).map(([status, count]) => `${count} with ${status}`)
  if (statuses.length > 0) throw new Error(`${name}: of ${answers} answers ${statuses.join(', ')}.`)
  if (answers === 0) throw new Error(`${name} answered nothing.`)
  samples.forEach(check)
}

/** The measurements of each subject, in the order of the rounds. */
export type Rounds = Map<string, Measurement[]>

export async function alternate(
  subjects: readonly string[],
  rounds: number,
  run: (subject: string) => Promise<Measurement>,
): Promise<Rounds> {
  const results: Rounds = new Map(subjects.map((subject) => [subject, []]))
  for (let round = 1; round <= rounds; round += 1) {
    const rates: string[] = []
    for (const subject of subjects) {
      const measurement = await run(subject)
      results.get(subject)?.push(measurement)
      rates.push(`${subject} ${shown(measurement.requestsPerSecond)}`)
    }
    say(`  round ${round} of ${rounds}: ${rates.join(', ')}`)
  }
  return results
}

export function roundsTable(title: string, rounds: Rounds): Table {
  return {
    title,
    head: [
      ...['', 'requests/s', 'min to max', 'p50 ms', 'p99 ms'],
      ...['CPU µs/request: server', 'PostgreSQL', 'load'],
    ],
    rows: [...rounds].map(([name, measurements]) => {
      const of = (pick: (measurement: Measurement) => number) => median(measurements.map(pick))
      const rate = spreadOf(measurements.map(({ requestsPerSecond }) => requestsPerSecond))
      return [
        name,
        shown(rate.median),
        rangeText(rate),
        shown(of(({ p50Ms }) => p50Ms)),
        shown(of(({ p99Ms }) => p99Ms)),
        shown(of(({ serverMicros }) => serverMicros)),
        shown(of(({ postgresMicros }) => postgresMicros)),
        shown(of(({ loadMicros }) => loadMicros)),
      ]
    }),
  }
}

/** What one subject does in shares of another, round by round. */
export function ratioFigure(
  name: string,
  rounds: Rounds,
  [subject, base]: [subject: string, base: string],
  extra: { pick?: (measurement: Measurement) => number; aim?: Figure['aim'] } = {},
): Figure {
  const pick = extra.pick ?? (({ requestsPerSecond }) => requestsPerSecond)
  const bases = rounds.get(base) ?? []
  const ratios = (rounds.get(subject) ?? []).map((measurement, round) => {
    const other = bases[round]
    return other ? pick(measurement) / pick(other) : NaN
  })
  const { median: value, min, max } = spreadOf(ratios)
  return { name, value, unit: 'times', range: { min, max }, ...(extra.aim && { aim: extra.aim }) }
}

/** A figure for comparison between runs: the rate of a subject. */
export function rateFigure(name: string, rounds: Rounds, subject: string): Figure {
  const rates = (rounds.get(subject) ?? []).map(({ requestsPerSecond }) => requestsPerSecond)
  const { median: value, min, max } = spreadOf(rates)
  return { name, value, unit: 'requests/s', range: { min, max } }
}
