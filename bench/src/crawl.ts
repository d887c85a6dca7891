import { setTimeout } from 'node:timers/promises'
import { crawls } from './abuse/attacks/crawl.ts'
import { openPhases, openScene, startSubject, type Phase } from './abuse/scene.ts'
import { figureOf, figureTable, median, say, shown, type Table } from './frame/figures.ts'
import { describeMachine } from './frame/machine.ts'
import { readOptions } from './frame/options.ts'
import { report } from './frame/report.ts'

// What a paying customer is served while crawlers walk the public pages. The phase without a crawl comes first, and
// ratios are taken within a round.

const options = readOptions('Measures a customer beside crawlers: seven rounds, four minutes.', {
  rounds: ['how often each crawl is made', 7, 3],
  seconds: ['how long each phase lasts', 8, 4],
})
const { rounds, seconds } = options
/** A crawl's p99 in shares of that without. */
const slowerMost = 2

await using scene = await openScene('crawl')
await using server = await startSubject(scene.subject)
const { port } = server
// The catalogue is read, and the painter started, once for each version of the prices and not once for each crawl.
for (const path of ['/models', '/pictures/home.png'])
  await (await fetch(`http://127.0.0.1:${port}${path}`)).arrayBuffer()
await using phases = await openPhases(scene, port)
const durationMs = 1_000 * seconds
const names = ['the customer alone', ...crawls.map(({ name }) => name)]
const found: Phase<number>[][] = []
while (found.length < rounds) {
  const round: Phase<number>[] = []
  for (const attack of names) {
    const crawl = async () => {
      const { tally } = await scene.attacker.run({ attack, port, cast: scene.cast, durationMs })
      return tally.statuses['200'] ?? 0
    }
    round.push(await phases.run(() => (attack === names[0] ? setTimeout(durationMs, 0) : crawl())))
  }
  found.push(round)
  const texts = round.map(({ service }, index) => `${names[index]} ${shown(service.pages.p99Ms)} ms`)
  say(`Round ${found.length} of ${rounds}: ${texts.join(', ')}`)
}

const failures = found.flat().flatMap(({ service }) => Object.keys(service.failures))
if (failures.length > 0) say(`The customer was refused: ${[...new Set(failures)].join(', ')}`)
const figures = crawls.map(({ name }, index) => {
  const p99Of = (round: Phase<number>[], phase: number) => round[phase]!.service.pages.p99Ms
  const ratios = found.map((round) => p99Of(round, index + 1) / p99Of(round, 0))
  return figureOf(`${name}: p99 to that without`, 'times', ratios, { most: slowerMost })
})
const table: Table = {
  title: 'What the customer is served, medians of the rounds',
  head: ['', 'p50 ms', 'p99 ms', 'others, p99 ms', 'left out, %', 'pages a second'],
  rows: names.map((name, index) => {
    const middle = (pick: (phase: Phase<number>) => number) =>
      shown(median(found.map((round) => pick(round[index]!))))
    return [
      name,
      middle(({ service }) => service.pages.p50Ms),
      middle(({ service }) => service.pages.p99Ms),
      middle(({ service }) => service.others.p99Ms),
      middle(({ leftOut }) => 100 * leftOut),
      index === 0 ? '' : middle((phase) => phase.found / phase.seconds),
    ]
  }),
}
await report(options, {
  name: 'crawl',
  figures,
  tables: [table, figureTable('A crawl beside a paying customer', figures)],
  data: { machine: describeMachine({ PostgreSQL: scene.version }) },
})
