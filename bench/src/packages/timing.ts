import type { Aim, Figure, Table } from '../figures.ts'
import { ratioFigure, roundsTable, type Rounds } from '../rounds.ts'
import { median } from '../statistics.ts'

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
export interface Cost {
  /** By the clock. */
  elapsed: number
  /** Of this process, all its threads. */
  cpu: number
}

/** What one call of each subject costs: of each round the median of its slices. */
export async function alternate(
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
        slices.get(subject.name)?.push(await runTimes(subject, calls.get(subject) ?? 1))
    }
    for (const [name, values] of slices) {
      const of = (pick: (cost: Cost) => number) => median(values.map(pick))
      costs.get(name)?.push({ elapsed: of(({ elapsed }) => elapsed), cpu: of(({ cpu }) => cpu) })
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

export function shuffled<Item>(items: readonly Item[]): Item[] {
  const order = [...items]
  for (let left = order.length; left > 1; left -= 1) {
    const chosen = Math.floor(Math.random() * left)
    const [item] = order.splice(chosen, 1)
    if (item !== undefined) order.push(item)
  }
  return order
}

/** What a call of one takes in shares of a call of the other. */
export function timeRatio(name: string, costs: Rounds<Cost>, pair: [string, string], aim?: Aim): Figure {
  return ratioFigure(name, costs, pair, ({ elapsed }) => elapsed, aim)
}

export function costsTable(title: string, costs: Rounds<Cost>): Table {
  return roundsTable(title, costs, [
    ['µs a call', ({ elapsed }) => elapsed],
    ['CPU µs a call', ({ cpu }) => cpu],
    ['calls/s', ({ elapsed }) => 1_000_000 / elapsed],
  ])
}
