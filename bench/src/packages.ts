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
import { readOptions, roundsOption } from './frame/options.ts'
import { report } from './frame/report.ts'
import { bundledBytes, installEach, timeImports, type Room } from './packages/rooms.ts'

// What a customer gets with each of the two packages, as npm installs them, beside what others publish for the same.

const about = 'Installs ten packages with npm and measures what a customer gets: two minutes.'
const options = readOptions(about, { rounds: roundsOption })

/** A package, and one of its programs. */
interface Column {
  room: Room
  importMs: readonly number[]
  bundleBytes: number
}

interface Measure {
  name: string
  unit: string
  /** Of several rounds: all of them. */
  of: (column: Column) => number | readonly number[]
}

const measures: readonly Measure[] = [
  { name: 'install', unit: 'KB', of: ({ room }) => room.bytes / 1_024 },
  { name: 'files', unit: '', of: ({ room }) => room.files },
  { name: 'packages added', unit: '', of: ({ room }) => room.packagesAdded },
  { name: 'CPU of an import, beyond bare node', unit: 'ms', of: ({ importMs }) => importMs },
  { name: 'bundle, gzipped', unit: 'KB', of: ({ bundleBytes }) => bundleBytes / 1_024 },
]
const titles = { client: 'The client beside others', webhooks: 'The verification of webhooks beside others' }

const folder = await realpath(await mkdtemp(join(tmpdir(), 'ratecard-packages-')))
const tables: Table[] = []
const figures: Figure[] = []
let rooms: Room[] = []
try {
  rooms = await installEach(folder)
  const { bareMs, addedMs } = await timeImports(rooms, options.rounds)
  figures.push(figureOf('CPU of bare node, which all imports are counted beyond', 'ms', bareMs))
  for (const use of ['client', 'webhooks'] as const) {
    const columns: Column[] = []
    for (const room of rooms) {
      const program = room.peer[use]
      if (program === undefined) continue
      const bundleBytes = await bundledBytes(program, room.folder)
      columns.push({ room, importMs: addedMs.get(room)!, bundleBytes })
    }
    tables.push(sideBySide(titles[use], columns))
    for (const own of columns.filter(({ room }) => room.peer.ours))
      figures.push(...measures.map((measure) => figureBesideBest(measure, own, columns)))
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}

const machine = describeMachine(Object.fromEntries(rooms.map(({ peer, version }) => [peer.name, version])))
tables.push(figureTable('Figures and aims', figures))
await report(options, { name: 'packages', figures, tables, data: { machine, rounds: options.rounds } })

function sideBySide(title: string, columns: readonly Column[]): Table {
  const text = (found: number | readonly number[]) => {
    if (typeof found === 'number') return Number.isInteger(found) ? counted(found) : shown(found)
    return `${shown(median(found))} (${rangeText(rangeOf(found))})`
  }
  return {
    title,
    head: ['', ...columns.map(({ room }) => `${room.peer.name} ${room.version}`)],
    rows: measures.map(({ name, unit, of }) => [
      unit === '' ? name : `${name}, ${unit}`,
      ...columns.map((column) => text(of(column))),
    ]),
  }
}

/** Ours in a measure, held against the least of the others in it. */
function figureBesideBest({ name, unit, of }: Measure, own: Column, columns: readonly Column[]): Figure {
  const [best] = columns
    .filter(({ room }) => !room.peer.ours)
    .map((other) => figureOf(other.room.peer.name, unit, of(other)))
    .toSorted((one, other) => one.value - other.value)
  const title = `${own.room.peer.name}: ${name}; best of the others: ${best!.name}`
  return figureOf(title, unit, of(own), { most: best!.value })
}
