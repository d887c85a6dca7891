import { describeMachine, installedVersions } from './frame/machine.ts'
import { readOptions, roundsOption } from './frame/options.ts'
import { Comparison, timeRatio, type Effort } from './packages/timing.ts'
import { createGroups } from './packages/webhook-subjects.ts'

// How fast @ratecard/webhooks verifies, beside the least that it takes and beside what others have for their webhooks.

const options = readOptions('Measures the time of @ratecard/webhooks: a minute.', {
  rounds: [...roundsOption],
})
const { quick, rounds } = options
const effort: Effort = { rounds, slicesPerRound: quick ? 15 : 51, sliceMs: 3, warmUpMs: quick ? 200 : 600 }
const sizes = { '1 KB': 1_024, '20 KB': 20_480, '1 MB': 1_048_576 }
/** How near to the least that it takes: always for the signature, and where parsing is the larger part for the event. */
const aimOf = (group: string, size: number) =>
  group === 'signature' ? { least: 0.95 } : size >= 20_480 ? { least: 0.9 } : undefined
/** The noise of a run is less than this. */
const clearly = 1.03

const comparison = new Comparison()
for (const [label, size] of Object.entries(sizes)) {
  for (const { name: group, subjects, bare, ours, peers } of await createGroups(size))
    await comparison.add(`${label}, ${group}`, subjects, effort, (costs) => {
      const fastest = peers.toSorted((one, other) => timeRatio('', costs, [one, other]).value - 1)[0]!
      return ours.flatMap((name) => {
        const speed = `${name}, ${label}: speed in that of`
        return [
          timeRatio(`${speed} ${bare}`, costs, [bare, name], aimOf(group, size)),
          timeRatio(`${speed} ${fastest}`, costs, [fastest, name], { least: clearly }),
        ]
      })
    })
}
const peers = ['@octokit/webhooks-methods', 'standardwebhooks', 'stripe', 'svix']
await comparison.report(options, 'webhooks', { machine: describeMachine(installedVersions(peers)), effort })
