import { say, type Figure, type Table } from './figures.ts'
import { describeMachine } from './machine.ts'
import { alternate, costsTable, timeRatio, type Costs, type Effort } from './packages/timing.ts'
import { readOptions, tell } from './packages/run.ts'
import { installedVersions } from './packages/versions.ts'
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
/** Below this, what a call costs beside the HMAC is the larger part. */
const aimsFromBytes = 20_480

const tables: Table[] = []
const figures: Figure[] = []
for (const [label, size] of Object.entries(sizes)) {
  for (const group of await createGroups(size)) {
    const costs = await alternate(group.subjects, effort)
    const own = figuresOf(group, costs, label, size >= aimsFromBytes)
    for (const { name, value } of own) say(`  ${name}: ${value.toFixed(3)}`)
    tables.push(costsTable(`${label}, ${group.name}`, costs))
    figures.push(...own)
  }
}

const machine = describeMachine(
  installedVersions(['@octokit/webhooks-methods', 'standardwebhooks', 'stripe', 'svix']),
)
await tell('webhooks', options, { machine, effort, tables, figures })

function figuresOf({ bare, ours, peers }: Group, costs: Costs, size: string, hasAim: boolean): Figure[] {
  const fastest = peers.toSorted((one, other) => timeRatio(costs, one, other).value - 1)[0] ?? ''
  return ours.flatMap((name) => [
    {
      name: `${name}, ${size}: speed in that of ${bare}`,
      ...timeRatio(costs, bare, name),
      ...(hasAim && { aim: { least: 0.9 } }),
    },
    {
      name: `${name}, ${size}: speed in that of ${fastest}`,
      ...timeRatio(costs, fastest, name),
      aim: { least: 1 },
    },
  ])
}
