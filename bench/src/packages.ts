import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { figureTable, say, type Figure, type Table } from './figures.ts'
import { describeMachine } from './machine.ts'
import { bundle } from './packages/bundle.ts'
import { timeImports } from './packages/cold-import.ts'
import { installEach, reachesRegistry, type Room } from './packages/rooms.ts'
import { readOptions } from './options.ts'
import { reportResults } from './results.ts'
import { figuresOf, sideBySide, type Column } from './packages/side-by-side.ts'
import { failUncaught } from './packages/uncaught.ts'
import { spreadOf } from './statistics.ts'

// What a customer gets with each of the two packages, as npm installs them, beside what others publish for the same.

const options = readOptions()
const { rounds } = options
if (!(await reachesRegistry())) {
  say('The others are installed from the npm registry: run this where `npm view openai` answers.')
  process.exit(1)
}
const folder = await realpath(await mkdtemp(join(tmpdir(), 'ratecard-packages-')))
const tables: Table[] = []
const figures: Figure[] = []
let rooms: Room[] = []
try {
  rooms = await installEach(folder)
  const times = await timeImports(rooms, rounds)
  const { median: value, ...range } = spreadOf(times.bare.map(({ elapsedMs }) => elapsedMs))
  figures.push({ name: 'bare node, which all imports are counted beyond', value, range, unit: 'ms' })
  for (const use of ['client', 'webhooks'] as const) {
    const columns: Column[] = []
    for (const room of rooms) {
      const program = room.peer[use]
      if (!program) continue
      columns.push({
        room,
        importTimes: times.added.get(room) ?? [],
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
await reportResults(options, { machine, effort: { rounds }, figures }, tables, { name: 'packages' })
