import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { figureOf, figureTable, type Figure, type Table } from './frame/figures.ts'
import { describeMachine } from './frame/machine.ts'
import { readOptions, roundsOption, stop } from './frame/options.ts'
import { report } from './frame/report.ts'
import { bundle } from './packages/bundle.ts'
import { installEach, reachesRegistry, timeImports, type Room } from './packages/rooms.ts'
import { figuresOf, sideBySide, type Column } from './packages/side-by-side.ts'
import { failUncaught } from './packages/uncaught.ts'

// What a customer gets with each of the two packages, as npm installs them, beside what others publish for the same.

const options = readOptions(
  'Installs ten packages with npm and measures what a customer gets: two minutes.',
  {
    rounds: [...roundsOption],
  },
)
const { rounds } = options
if (!(await reachesRegistry()))
  stop('The others are installed from the npm registry: run this where `npm view openai` answers.')
const folder = await realpath(await mkdtemp(join(tmpdir(), 'ratecard-packages-')))
const tables: Table[] = []
const figures: Figure[] = []
let rooms: Room[] = []
try {
  rooms = await installEach(folder)
  const times = await timeImports(rooms, rounds)
  const bare = times.bare.map(({ elapsedMs }) => elapsedMs)
  figures.push(figureOf('bare node, which all imports are counted beyond', 'ms', bare))
  for (const use of ['client', 'webhooks'] as const) {
    const columns: Column[] = []
    for (const room of rooms) {
      const program = room.peer[use]
      if (!program) continue
      columns.push({
        room,
        importTimes: times.added.get(room)!,
        bundle: await bundle(program, room.folder),
        uncaught: await failUncaught(program, room.folder, use),
      })
    }
    tables.push(sideBySide(use, columns))
    figures.push(...figuresOf(use, columns))
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}

const machine = describeMachine(Object.fromEntries(rooms.map(({ peer, version }) => [peer.name, version])))
tables.push(figureTable('Figures and aims', figures))
await report(options, { name: 'packages', figures, tables, data: { machine, effort: { rounds } } })
