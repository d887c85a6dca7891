import { describeMachine, installedVersions } from './frame/machine.ts'
import { readOptions, roundsOption } from './frame/options.ts'
import { figureOf } from './frame/figures.ts'
import {
  bareParse,
  costSubjects,
  genaiPrices,
  llmPricing,
  loadSubjects,
  ours,
  resolveSubjects,
} from './packages/cost-subjects.ts'
import { Comparison, timeRatio, type Effort, type Subject } from './packages/timing.ts'

// How fast @ratecard/cost prices a call, finds a model and loads a list of prices, beside others that price calls.

const options = readOptions('Measures the time of @ratecard/cost: a minute.', { rounds: [...roundsOption] })
const { quick, rounds } = options
const effort: Effort = { rounds, slicesPerRound: quick ? 15 : 51, sliceMs: 3, warmUpMs: quick ? 300 : 1_000 }
const records = 10_000
const comparison = new Comparison()

await compare('costOf', costSubjects(), effort, 2, [genaiPrices, llmPricing])
await compare('resolve', resolveSubjects(), effort, 1, [llmPricing])
// A load leaves much garbage: fewer and longer slices.
const loading = { ...effort, slicesPerRound: quick ? 5 : 15, sliceMs: 60 }
await compare('loading', loadSubjects(records), loading, 30_000, [bareParse])

const machine = describeMachine(installedVersions([genaiPrices, llmPricing]))
await comparison.report(options, 'cost', { machine, effort: { ...effort, records } })

async function compare(
  title: string,
  subjects: readonly Subject[],
  own: Effort,
  microsecondsMax: number,
  peers: readonly string[],
): Promise<void> {
  const name = title === 'loading' ? `loading, ${records} records` : title
  await comparison.add(name, subjects, own, (costs) => {
    const elapsed = costs.get(ours)!.map((cost) => cost.elapsed)
    return [
      figureOf(`${title}: a call of ${ours}`, 'µs', elapsed, { most: microsecondsMax }),
      ...peers.map((peer) => timeRatio(`${title}: time in that of ${peer}`, costs, [ours, peer])),
    ]
  })
}
