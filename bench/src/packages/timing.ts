import { figureTable, median, say, type Aim, type Figure, type Table } from '../frame/figures.ts'
import { describeMachine, installedVersions } from '../frame/machine.ts'
import { readOptions, roundsOption } from '../frame/options.ts'
import { shuffled } from '../frame/random.ts'
import { report } from '../frame/report.ts'
import { ratioFigure, roundsTable, type Rounds } from '../frame/rounds.ts'

// Subjects do the same work in short slices, in a new order each time, because a slow moment of the
// machine, or the garbage of one of them, must meet all of them. A round is many slices; ratios are taken within a round.

/** Ways to the same result. */
export type Subjects = Record<string, () => unknown>

/** Of a whole run; `--quick` takes a third of it. */
interface Effort {
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

/** Compares several groups of subjects, one after the other, and reports what was found of all. */
export function openComparison(name: string, about: string, effort: Effort) {
  const options = readOptions(about, { rounds: roundsOption })
  const tables: Table[] = []
  const figures: Figure[] = []
  return {
    add: async (
      title: string,
      subjects: Subjects,
      figuresOf: (costs: Rounds<Cost>) => Figure[],
      own: Partial<Effort> = {},
    ) => {
      const { slicesPerRound, sliceMs, warmUpMs } = { ...effort, ...own }
      const share = options.quick ? 3 : 1
      const costs = await alternate(subjects, options.rounds, {
        slicesPerRound: Math.ceil(slicesPerRound / share),
        sliceMs,
        warmUpMs: warmUpMs / share,
      })
      tables.push(
        roundsTable(title, costs, [
          ['µs a call', ({ elapsed }) => elapsed],
          ['CPU µs a call', ({ cpu }) => cpu],
          ['calls/s', ({ elapsed }) => 1_000_000 / elapsed],
        ]),
      )
      const found = figuresOf(costs)
      for (const { name, value, unit } of found) say(`  ${name}: ${value.toFixed(3)} ${unit}`)
      figures.push(...found)
    },
    /** @param peers packages whose versions are reported */
    report: (peers: readonly string[]) =>
      report(options, {
        ...{ name, figures },
        tables: [...tables, figureTable('Figures and aims', figures)],
        data: { machine: describeMachine(installedVersions(peers)), effort },
      }),
  }
}

/** What one call of each subject costs: of each round the median of its slices. */
async function alternate(
  subjects: Subjects,
  rounds: number,
  { slicesPerRound, sliceMs, warmUpMs }: Effort,
): Promise<Rounds<Cost>> {
  const names = Object.keys(subjects)
  const calls = new Map<string, number>()
  for (const [name, work] of Object.entries(subjects)) {
    // Twice: the first calls are slow, so the first count of them is too small.
    await runFor(work, warmUpMs / 2)
    calls.set(name, Math.ceil(((await runFor(work, warmUpMs / 2)) * sliceMs) / (warmUpMs / 2)))
  }
  const costs: Rounds<Cost> = new Map(names.map((name) => [name, []]))
  for (let round = 0; round < rounds; round += 1) {
    const slices = new Map<string, Cost[]>(names.map((name) => [name, []]))
    for (let slice = 0; slice < slicesPerRound; slice += 1) {
      for (const name of shuffled(names))
        slices.get(name)!.push(await runTimes(subjects[name]!, calls.get(name)!))
    }
    for (const [name, values] of slices) {
      const of = (pick: keyof Cost) => median(values.map((cost) => cost[pick]))
      costs.get(name)!.push({ elapsed: of('elapsed'), cpu: of('cpu') })
    }
  }
  return costs
}

async function runFor(work: () => unknown, ms: number): Promise<number> {
  const until = performance.now() + ms
  let calls = 0
  for (; performance.now() < until; calls += 1) await runTimes(work, 1)
  return calls
}

async function runTimes(work: () => unknown, calls: number): Promise<Cost> {
  const cpuBefore = process.cpuUsage()
  const startMs = performance.now()
  // Only a promise is awaited: an await alone costs as much as a small HMAC.
  const first = work()
  if (first instanceof Promise) {
    await first
    for (let call = 1; call < calls; call += 1) await work()
  } else for (let call = 1; call < calls; call += 1) work()
  const elapsedMs = performance.now() - startMs
  const { user, system } = process.cpuUsage(cpuBefore)
  return { elapsed: (1_000 * elapsedMs) / calls, cpu: (user + system) / calls }
}

/** What a call of one takes in shares of a call of the other. */
export function timeRatio(name: string, costs: Rounds<Cost>, pair: [string, string], aim?: Aim): Figure {
  return ratioFigure(name, costs, pair, ({ elapsed }) => elapsed, aim)
}
