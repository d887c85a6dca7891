import { parseArgs } from 'node:util'
import { figureTable, formatText, isMissed, say, type Figure, type Table } from './figures.ts'
import { describeMachine, machineText } from './machine.ts'
import { alternate, costsTable, timeRatio, type Costs, type Effort } from './packages/timing.ts'
import { installedVersions } from './packages/versions.ts'
import { createGroups, type Group } from './packages/webhook-subjects.ts'
import { publish } from './publish.ts'

// How fast @ratecard/webhooks verifies, beside the least that it takes and beside what others have for their webhooks.

const { values: options } = parseArgs({
  options: {
    /** Fewer and shorter rounds: enough to see whether something is very wrong. */
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    json: { type: 'boolean', default: false },
    publish: { type: 'boolean', default: false },
  },
})
const { quick } = options
const effort: Effort = {
  rounds: Number(options.rounds ?? (quick ? 3 : 9)),
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
tables.push(figureTable('Figures and aims', figures))
const data = { machine, effort, figures }
if (options.json) console.log(JSON.stringify(data))
else console.log(['', machineText(machine), ...tables.map(formatText)].join('\n\n'))
if (options.publish) {
  const files = await publish('webhooks', { data, machine: machineText(machine), tables })
  say(`\nWritten: ${files.join(', ')}`)
}
if (figures.some(isMissed)) process.exitCode = 1

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
