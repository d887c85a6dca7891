import { setTimeout } from 'node:timers/promises'
import { crawls } from './abuse/attacks/requests.ts'
import { openPhases, openScene, p99, startSubject } from './abuse/scene.ts'
import { figureTable, say } from './frame/figures.ts'
import { describeMachine } from './frame/machine.ts'
import { readOptions } from './frame/options.ts'
import { report } from './frame/report.ts'
import { alternate, perSecond, ratioFigure, roundsTable } from './frame/rounds.ts'

// What a paying customer is served while crawlers walk the public pages. The phase without a crawl comes first, and
// ratios are taken within a round.

const options = readOptions('Measures a customer beside crawlers: seven rounds, four minutes.', {
  rounds: ['how often each crawl is made', 7, 3],
  seconds: ['how long each phase lasts', 8, 4],
})
const { rounds, seconds } = options
const effort = { rounds, roundMs: 1_000 * seconds, warmUpMs: 0 }
/** A crawl's p99 in shares of that without. */
const slowerMost = 2
const alone = 'the customer alone'

await using scene = await openScene('crawl')
const { attacker, cast } = scene
await using server = await startSubject(scene.subject)
const { port } = server
// The catalogue is read, and the painter started, once for each version of the prices and not once for each crawl.
for (const path of ['/models', '/pictures/home.png'])
  await (await fetch(`http://127.0.0.1:${port}${path}`)).arrayBuffer()
await using phases = await openPhases(scene, port)
const crawl = async (attack: string, durationMs: number) => {
  const { tally } = await attacker.run({ attack, port, cast, durationMs })
  return tally.statuses['200'] ?? 0
}
const names = crawls.map(({ name }) => name)
const run = (name: string, durationMs: number) =>
  phases.run(() => (name === alone ? setTimeout(durationMs, NaN) : crawl(name, durationMs)))
const found = await alternate([alone, ...names], effort, run, p99)

const failures = [...found.values()].flat().flatMap(({ service }) => Object.keys(service.failures))
if (failures.length > 0) say(`The customer was refused: ${[...new Set(failures)].join(', ')}`)
const figures = names.map((name) =>
  ratioFigure(`${name}: p99 to that without`, found, [name, alone], p99, { most: slowerMost }),
)
const table = roundsTable('What the customer is served, medians of the rounds', found, [
  ['p99 ms', p99],
  ['p50 ms', ({ service }) => service.pages.p50Ms],
  ['others, p99 ms', ({ service }) => service.others.p99Ms],
  ['left out, %', ({ leftOut }) => 100 * leftOut],
  ['pages a second', perSecond],
])
await report(options, {
  name: 'crawl',
  figures,
  tables: [table, figureTable('A crawl beside a paying customer', figures)],
  data: { machine: describeMachine({ PostgreSQL: scene.version }) },
})
