import { figureOf, figureTable, say, type Figure, type Table } from './figures.ts'
import { describeMachine, installedVersions } from './machine.ts'
import { readOptions } from './options.ts'
import {
  bareParse,
  costSubjects,
  genaiPrices,
  llmPricing,
  loadSubjects,
  ours,
  resolveSubjects,
} from './packages/cost-subjects.ts'
import { alternate, costsTable, timeRatio, type Effort, type Subject } from './packages/timing.ts'
import { reportResults } from './results.ts'

// How fast @ratecard/cost prices a call, finds a model and loads a list of prices, beside others that price calls.

const options = readOptions()
const { quick, rounds } = options
const effort: Effort = { rounds, slicesPerRound: quick ? 15 : 51, sliceMs: 3, warmUpMs: quick ? 300 : 1_000 }
const records = 10_000

const tables: Table[] = []
const figures: Figure[] = []

await compare('costOf', costSubjects(), effort, 2, [genaiPrices, llmPricing])
await compare('resolve', resolveSubjects(), effort, 1, [llmPricing])
// A load leaves much garbage: fewer and longer slices.
const loading = { ...effort, slicesPerRound: quick ? 5 : 15, sliceMs: 60 }
await compare('loading', loadSubjects(records), loading, 30_000, [bareParse])

const machine = describeMachine(installedVersions([genaiPrices, llmPricing]))
tables.push(figureTable('Figures and aims', figures))
await reportResults(options, { machine, effort: { ...effort, records }, figures }, tables, { name: 'cost' })

async function compare(
  title: string,
  subjects: readonly Subject[],
  own: Effort,
  microsecondsMax: number,
  peers: readonly string[],
): Promise<void> {
  const costs = await alternate(subjects, own)
  tables.push(costsTable(title === 'loading' ? `loading, ${records} records` : title, costs))
  const elapsed = (costs.get(ours) ?? []).map((cost) => cost.elapsed)
  const found = [
    figureOf(`${title}: a call of ${ours}`, 'µs', elapsed, { most: microsecondsMax }),
    ...peers.map((peer) => timeRatio(`${title}: time in that of ${peer}`, costs, [ours, peer])),
  ]
  for (const { name, value, unit } of found) say(`  ${name}: ${value.toFixed(3)} ${unit}`)
  figures.push(...found)
}
