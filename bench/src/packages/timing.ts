import { figureTable, median, say, type Aim, type Figure, type Table } from '../frame/figures.ts'
import { report, type Report } from '../frame/report.ts'
import { shuffled } from '../frame/random.ts'
import { ratioFigure, roundsTable, type Rounds } from '../frame/rounds.ts'
import type { Output } from '../frame/options.ts'

// Subjects do the same work in short slices, in a new order each time, because a slow moment of the
// machine, or the garbage of one of them, must meet all of them. A round is many slices; ratios are taken within a round.

export interface Subject {
  name: string
  work: () => unknown
  /** Whether `work` answers with a promise. Only then it is awaited: an await alone costs as much as a small HMAC. */
  waits?: boolean
}

export interface Effort {
  rounds: number
  slicesPerRound: number
  sliceMs: number
  warmUpMs: number
}

/** Microseconds. */
interface Cost {
  /** By the clock. */
  elapsed: number
  /** Of this process, all its threads. */
  cpu: number
}

/** Several groups of subjects, one after the other, and what was found of all. */
export class Comparison {
  readonly #tables: Table[] = []
  readonly #figures: Figure[] = []

  async add(
    title: string,
    subjects: readonly Subject[],
    effort: Effort,
    figuresOf: (costs: Rounds<Cost>) => Figure[],
  ): Promise<void> {
    const costs = await alternate(subjects, effort)
    this.#tables.push(
      roundsTable(title, costs, [
        ['µs a call', ({ elapsed }) => elapsed],
        ['CPU µs a call', ({ cpu }) => cpu],
        ['calls/s', ({ elapsed }) => 1_000_000 / elapsed],
      ]),
    )
    const figures = figuresOf(costs)
    for (const { name, value, unit } of figures) say(`  ${name}: ${value.toFixed(3)} ${unit}`)
    this.#figures.push(...figures)
  }

  async report(options: Output, name: string, data: Report['data']): Promise<void> {
    const figures = this.#figures
    const tables = [...this.#tables, figureTable('Figures and aims', figures)]
    await report(options, { name, figures, tables, data })
  }
}

/** What one call of each subject costs: of each round the median of its slices. */
async function alternate(
  subjects: readonly Subject[],
  { rounds, slicesPerRound, sliceMs, warmUpMs }: Effort,
): Promise<Rounds<Cost>> {
  const calls = new Map<Subject, number>()
  for (const subject of subjects) {
    // Twice: the first calls are slow, so the first count of them is too small.
    await runFor(subject, warmUpMs / 2)
    calls.set(subject, Math.ceil(((await runFor(subject, warmUpMs / 2)) * sliceMs) / (warmUpMs / 2)))
  }
  const costs: Rounds<Cost> = new Map(subjects.map(({ name }) => [name, []]))
  for (let round = 0; round < rounds; round += 1) {
    const slices = new Map<string, Cost[]>(subjects.map(({ name }) => [name, []]))
    for (let slice = 0; slice < slicesPerRound; slice += 1) {
      for (const subject of shuffled(subjects))
        slices.get(subject.name)!.push(await runTimes(subject, calls.get(subject)!))
    }
    for (const [name, values] of slices) {
      const of = (pick: keyof Cost) => median(values.map((cost) => cost[pick]))
      costs.get(name)!.push({ elapsed: of('elapsed'), cpu: of('cpu') })
    }
  }
  return costs
}

async function runFor(subject: Subject, ms: number): Promise<number> {
  const until = performance.now() + ms
  let calls = 0
  for (; performance.now() < until; calls += 1) await runTimes(subject, 1)
  return calls
}

async function runTimes({ work, waits }: Subject, calls: number): Promise<Cost> {
  const cpuBefore = process.cpuUsage()
  const startMs = performance.now()
  if (waits) for (let call = 0; call < calls; call += 1) await work()
  else for (let call = 0; call < calls; call += 1) work()
  const elapsedMs = performance.now() - startMs
  const { user, system } = process.cpuUsage(cpuBefore)
  return { elapsed: (1_000 * elapsedMs) / calls, cpu: (user + system) / calls }
}

/** What a call of one takes in shares of a call of the other. */
export function timeRatio(name: string, costs: Rounds<Cost>, pair: [string, string], aim?: Aim): Figure {
  return ratioFigure(name, costs, pair, ({ elapsed }) => elapsed, aim)
}
