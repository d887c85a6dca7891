import { rangeText, shown, type Figure, type Table } from '../figures.ts'
import { median, spreadOf } from '../statistics.ts'

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

/** What one call of each subject costs, in the order of the rounds: of each the median of its slices. */
export type Costs = Map<string, Cost[]>

export async function alternate(
  subjects: readonly Subject[],
  { rounds, slicesPerRound, sliceMs, warmUpMs }: Effort,
): Promise<Costs> {
  const calls = new Map<Subject, number>()
  for (const subject of subjects) {
    // Twice: the first calls are slow, so the first count of them is too small.
    await runFor(subject, warmUpMs / 2)
    calls.set(subject, Math.ceil(((await runFor(subject, warmUpMs / 2)) * sliceMs) / (warmUpMs / 2)))
  }
  const costs: Costs = new Map(subjects.map(({ name }) => [name, []]))
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

/** What a call of one takes in shares of a call of the other, round by round. */
export function timeRatio(
  costs: Costs,
  one: string,
  other: string,
): Pick<Figure, 'value' | 'range' | 'unit'> {
  const others = costs.get(other) ?? []
  const {
    median: value,
    min,
    max,
  } = spreadOf((costs.get(one) ?? []).map(({ elapsed }, round) => elapsed / (others[round]?.elapsed ?? NaN)))
  return { value, range: { min, max }, unit: 'times' }
}

export function costsTable(title: string, costs: Costs): Table {
  return {
    title,
    head: ['', 'µs a call', 'min to max', 'CPU µs a call', 'calls/s'],
    rows: [...costs].map(([name, rounds]) => {
      const elapsed = spreadOf(rounds.map((cost) => cost.elapsed))
      return [
        name,
        shown(elapsed.median),
        rangeText(elapsed),
        shown(median(rounds.map(({ cpu }) => cpu))),
        shown(1_000_000 / elapsed.median),
      ]
    }),
  }
}
