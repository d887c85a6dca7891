import { figureTable, say, type Figure, type Table } from './figures.ts'
import { describeMachine, installedVersions } from './machine.ts'
import type { Rounds } from './rounds.ts'
import { alternate, costsTable, timeRatio, type Cost, type Effort } from './packages/timing.ts'
import { readOptions } from './options.ts'
import { reportResults } from './results.ts'
import { createGroups, type Group } from './packages/webhook-subjects.ts'

// How fast @ratecard/webhooks verifies, beside the least that it takes and beside what others have for their webhooks.

const options = readOptions()
const { quick, rounds } = options
const effort: Effort = {
  rounds,
  slicesPerRound: quick ? 15 : 51,
  sliceMs: 3,
  warmUpMs: quick ? 200 : 600,
}
const sizes = { '1 KB': 1_024, '20 KB': 20_480, '1 MB': 1_048_576 }
/** How near to the least that it takes: always for the signature, and where parsing is the larger part for the event. */
const aimOf = (group: string, size: number) =>
  group === 'signature' ? { least: 0.95 } : size >= 20_480 ? { least: 0.9 } : undefined
/** The noise of a run is less than this. */
const clearly = 1.03

const tables: Table[] = []
const figures: Figure[] = []
for (const [label, size] of Object.entries(sizes)) {
  for (const group of await createGroups(size)) {
    const costs = await alternate(group.subjects, effort)
    const own = figuresOf(group, costs, label, size)
    for (const { name, value } of own) say(`  ${name}: ${value.toFixed(3)}`)
    tables.push(costsTable(`${label}, ${group.name}`, costs))
    figures.push(...own)
  }
}

const machine = describeMachine(
  installedVersions(['@octokit/webhooks-methods', 'standardwebhooks', 'stripe', 'svix']),
)
tables.push(figureTable('Figures and aims', figures))
await reportResults(options, { machine, effort, figures }, tables, { name: 'webhooks' })

function figuresOf(
  { name: group, bare, ours, peers }: Group,
  costs: Rounds<Cost>,
  label: string,
  size: number,
): Figure[] {
  const aim = aimOf(group, size)
  const fastest = peers.toSorted((one, other) => timeRatio('', costs, [one, other]).value - 1)[0] ?? ''
  return ours.flatMap((name) => {
    const speed = `${name}, ${label}: speed in that of`
    return [
      timeRatio(`${speed} ${bare}`, costs, [bare, name], aim),
      timeRatio(`${speed} ${fastest}`, costs, [fastest, name], { least: clearly }),
    ]
  })
}
