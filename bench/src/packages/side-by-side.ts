import { rangeText, shown, type Figure, type Table } from '../figures.ts'
import { median, spreadOf } from '../statistics.ts'
import type { Bundle } from './bundle.ts'
import type { ProcessTime } from './cold-import.ts'
import type { Use } from './peers.ts'
import type { Room } from './rooms.ts'
import type { Uncaught } from './uncaught.ts'

/** All that is measured of a package and of one of its programs. */
export interface Column {
  room: Room
  /** What its import adds to a bare process, round by round. */
  importTimes: readonly ProcessTime[]
  bundle: Bundle
  uncaught: Uncaught | string
}

interface Measure {
  name: string
  unit: string
  of: (column: Column) => number | undefined
  range?: (column: Column) => readonly number[]
  /** In the table, if not as a number. */
  show?: (value: number) => string
  /** Else less is. */
  moreIsBetter?: true
}

const titles: Record<Use, { table: string; error: string }> = {
  client: { table: 'The client beside others', error: 'an uncaught 401' },
  webhooks: { table: 'The verification of webhooks beside others', error: 'an uncaught forgery' },
}

const measuresOf = (use: Use): Measure[] => [
  { name: 'install', unit: 'KB', of: ({ room }) => room.bytes / 1_024 },
  { name: 'files', unit: '', of: ({ room }) => room.files },
  { name: 'packages added', unit: '', of: ({ room }) => room.packagesAdded },
  ofImport('import, beyond bare node', ({ elapsedMs }) => elapsedMs),
  ofImport('CPU of an import, beyond bare node', ({ cpuMs }) => cpuMs),
  { name: 'bundle, gzipped', unit: 'KB', of: ({ bundle }) => bundle.gzippedBytes / 1_024 },
  {
    name: 'code that leads to its source',
    unit: '%',
    of: ({ bundle }) => 100 * bundle.sourceShare,
    moreIsBetter: true,
  },
  {
    name: `${titles[use].error} prints`,
    unit: 'bytes',
    of: ({ uncaught }) => (typeof uncaught === 'string' ? undefined : uncaught.bytes),
  },
  {
    name: `${titles[use].error} names the line of the call`,
    unit: '',
    of: ({ uncaught }) => (typeof uncaught === 'string' ? undefined : Number(uncaught.namesCall)),
    show: (value) => (value === 1 ? 'yes' : 'no'),
    moreIsBetter: true,
  },
]

function ofImport(name: string, pick: (time: ProcessTime) => number): Measure {
  const range = ({ importTimes }: Column) => importTimes.map(pick)
  return { name, unit: 'ms', of: (column) => median(range(column)), range }
}

export function sideBySide(use: Use, columns: readonly Column[]): Table {
  return {
    title: titles[use].table,
    head: ['', ...columns.map(({ room }) => `${room.peer.name} ${room.version}`)],
    rows: measuresOf(use).map(({ name, unit, of, range, show = plain }) => [
      unit === '' ? name : `${name}, ${unit}`,
      ...columns.map((column) => {
        const value = of(column)
        if (value === undefined) return typeof column.uncaught === 'string' ? column.uncaught : ''
        const spread = range ? ` (${rangeText(spreadOf(range(column)))})` : ''
        return show(value) + spread
      }),
    ]),
  }
}

/** Ours in each measure, held against the best of the others in it. */
export function figuresOf(use: Use, columns: readonly Column[]): Figure[] {
  const others = columns.filter(({ room }) => !room.peer.ours)
  return columns
    .filter(({ room }) => room.peer.ours)
    .flatMap((own) =>
      measuresOf(use).flatMap(({ name, unit, of, range, moreIsBetter }) => {
        const value = of(own)
        const ascending = others
          .flatMap((other) => ({ of: of(other) ?? [], peer: other.room.peer.name }))
          .filter((other): other is { of: number; peer: string } => typeof other.of === 'number')
          .toSorted((one, other) => one.of - other.of)
        const best = ascending.at(moreIsBetter ? -1 : 0)
        if (value === undefined || best === undefined) return []
        return {
          name: `${own.room.peer.name}: ${name}; best of the others: ${best.peer}`,
          value,
          ...(range && { range: spreadOf(range(own)) }),
          unit,
          aim: moreIsBetter ? { least: best.of } : { most: best.of },
        }
      }),
    )
}

function plain(value: number): string {
  return Number.isInteger(value) ? value.toLocaleString('en-US') : shown(value)
}
