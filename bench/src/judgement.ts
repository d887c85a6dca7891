import { checkoutOptions } from './frame/checkout.ts'
import { say } from './frame/figures.ts'
import { describeMachine } from './frame/machine.ts'
import { choose, onlyOption, readOptions, stop } from './frame/options.ts'
import { besideStored, report } from './frame/report.ts'
import { fileFaults } from './judgement/faults.ts'
import { figuresOf, missesOf, tablesOf, type JudgedRun } from './judgement/report.ts'
import { openRooms, openSubject, requireFiles } from './judgement/rooms.ts'
import * as scenarios from './judgement/scenarios.ts'
import type { FaultRow, MoveRow, World } from './judgement/scenarios.ts'

// What the feed makes of faults and of true moves: planted into the real files of six sources, read day after day.

const about = `Plants faults and true moves into the real price files of PRICE_DATA_DIR, reads them day after day, and counts what false
was served and told, and what true was told late: ten minutes. Without PRICE_DATA_DIR it says so and measures nothing.`

const options = readOptions(about, {
  only: [...onlyOption, 'rows'],
  seed: ['another choice of rows', 15],
  ...checkoutOptions,
  misses: ['also list rows that miss an aim', false],
})
const folder = requireFiles(options.json)
if (options.publish && options.only !== '') stop('--publish is for the whole measurement: leave --only out.')

interface Part {
  name: string
  run: (world: World) => Promise<{ faults?: FaultRow[]; moves?: MoveRow[] }>
}
const parts: readonly Part[] = [
  { name: 'rows', run: async (world) => ({ faults: await scenarios.runRowFaults(world) }) },
  ...fileFaults.map((fault): Part => {
    return {
      name: `files: ${fault.name}`,
      run: async (world) => ({ faults: await scenarios.runFileFault(world, fault) }),
    }
  }),
  { name: 'dated', run: async (world) => ({ faults: await scenarios.runDatedRises(world) }) },
  { name: 'moves', run: async (world) => ({ moves: await scenarios.runTrueMoves(world) }) },
  { name: 'real', run: async (world) => ({ moves: await scenarios.runRealMoves(world) }) },
]
const { label, seed } = options
const run: JudgedRun = { label, machine: describeMachine(), seed, faults: [], moves: [] }
const chosen = choose(parts, options.only)
const subject = await openSubject(options.server)
await using rooms = await openRooms(subject)
say('Loading the files …')
const world = await scenarios.openWorld(subject, rooms, { folder, seed })
if (chosen.some(({ name }) => name !== 'real')) await scenarios.loadFiles(world)
for (const part of chosen) {
  const start = performance.now()
  const { faults = [], moves = [] } = await part.run(world)
  run.faults.push(...faults)
  run.moves.push(...moves)
  say(`${part.name}: ${Math.round((performance.now() - start) / 1000)} s`)
}
if (options.misses) say(`\n${missesOf(run).join('\n')}`)
const runs = await besideStored('judgement', run)
await report(options, {
  ...{ name: 'judgement', document: 'judgement.md' },
  figures: figuresOf(run),
  tables: tablesOf(runs),
  data: { runs },
})
