import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  counted,
  figureOf,
  figureTable,
  median,
  rangeOf,
  rangeText,
  shown,
  type Figure,
  type Table,
} from './frame/figures.ts'
import { describeMachine } from './frame/machine.ts'
import { readOptions, roundsOption, stop } from './frame/options.ts'
import { report } from './frame/report.ts'
import {
  bundle,
  installEach,
  reachesRegistry,
  timeImports,
  failUncaught,
  type Room,
} from './packages/rooms.ts'

// What a customer gets with each of the two packages, as npm installs them, beside what others publish for the same.

const about = 'Installs ten packages with npm and measures what a customer gets: two minutes.'
const options = readOptions(about, { rounds: roundsOption })
const { rounds } = options
if (!(await reachesRegistry()))
  stop('The others are installed from the npm registry: run this where `npm view openai` answers.')

/** All that is measured of a package and of one of its programs. */
type Column = Awaited<ReturnType<typeof measureUse>>[number]

interface Measure {
  name: string
  unit: string
  /** Of several rounds: all of them. */
  of: (column: Column) => number | readonly number[] | undefined
  /** In the table, if not as a number. */
  show?: (value: number) => string
  /** Else less is. */
  moreIsBetter?: true
}

const uses = {
  client: { title: 'The client beside others', error: 'an uncaught 401' },
  webhooks: { title: 'The verification of webhooks beside others', error: 'an uncaught forgery' },
}

const measuresOf = (error: string): Measure[] => [
  { name: 'install', unit: 'KB', of: ({ room }) => room.bytes / 1_024 },
  { name: 'files', unit: '', of: ({ room }) => room.files },
  { name: 'packages added', unit: '', of: ({ room }) => room.packagesAdded },
  {
    ...{ name: 'import, beyond bare node', unit: 'ms' },
    of: ({ importTimes }) => importTimes.map(({ elapsedMs }) => elapsedMs),
  },
  {
    ...{ name: 'CPU of an import, beyond bare node', unit: 'ms' },
    of: ({ importTimes }) => importTimes.map(({ cpuMs }) => cpuMs),
  },
  { name: 'bundle, gzipped', unit: 'KB', of: ({ bundle }) => bundle.gzippedBytes / 1_024 },
  {
    ...{ name: 'code that leads to its source', unit: '%', moreIsBetter: true },
    of: ({ bundle }) => 100 * bundle.sourceShare,
  },
  {
    ...{ name: `${error} prints`, unit: 'bytes' },
    of: ({ uncaught }) => (typeof uncaught === 'string' ? undefined : uncaught.bytes),
  },
  {
    ...{ name: `${error} names the line of the call`, unit: '', moreIsBetter: true },
    of: ({ uncaught }) => (typeof uncaught === 'string' ? undefined : Number(uncaught.namesCall)),
    show: (value) => (value === 1 ? 'yes' : 'no'),
  },
]

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
    const columns = await measureUse(use, times.added)
    const measures = measuresOf(uses[use].error)
    tables.push(sideBySide(uses[use].title, measures, columns))
    for (const own of columns.filter(({ room }) => room.peer.ours))
      figures.push(...measures.map((measure) => figureBesideBest(measure, own, columns)))
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}

const machine = describeMachine(Object.fromEntries(rooms.map(({ peer, version }) => [peer.name, version])))
tables.push(figureTable('Figures and aims', figures))
await report(options, { name: 'packages', figures, tables, data: { machine, effort: { rounds } } })

/** @param added what the import of each adds to a bare process, round by round */
async function measureUse(use: keyof typeof uses, added: Awaited<ReturnType<typeof timeImports>>['added']) {
  const columns = []
  for (const [room, importTimes] of added) {
    const program = room.peer[use]
    if (!program) continue
    const uncaught = await failUncaught(program, room.folder, use)
    columns.push({ room, importTimes, bundle: await bundle(program, room.folder), uncaught })
  }
  return columns
}

function sideBySide(title: string, measures: readonly Measure[], columns: readonly Column[]): Table {
  const plain = (value: number) => (Number.isInteger(value) ? counted(value) : shown(value))
  return {
    title,
    head: ['', ...columns.map(({ room }) => `${room.peer.name} ${room.version}`)],
    rows: measures.map(({ name, unit, of, show = plain }) => [
      unit === '' ? name : `${name}, ${unit}`,
      ...columns.map((column) => {
        const found = of(column)
        if (found === undefined) return typeof column.uncaught === 'string' ? column.uncaught : ''
        return show(valueOf(found)) + (typeof found === 'number' ? '' : ` (${rangeText(rangeOf(found))})`)
      }),
    ]),
  }
}

/** Ours in a measure, held against the best of the others in it. */
function figureBesideBest(measure: Measure, own: Column, columns: readonly Column[]): Figure {
  const { name, unit, of, moreIsBetter } = measure
  const ascending = columns
    .filter(({ room }) => !room.peer.ours)
    .map((other) => ({ value: valueOf(of(other)), peer: other.room.peer.name }))
    .filter(({ value }) => !Number.isNaN(value))
    .toSorted((one, other) => one.value - other.value)
  const best = ascending.at(moreIsBetter ? -1 : 0)!
  const aim = moreIsBetter ? { least: best.value } : { most: best.value }
  const title = `${own.room.peer.name}: ${name}; best of the others: ${best.peer}`
  return figureOf(title, unit, of(own)!, aim)
}

function valueOf(found: number | readonly number[] = NaN): number {
  return typeof found === 'number' ? found : median(found)
}
