import {
  counted,
  figureOf,
  median,
  rangeOf,
  rangeText,
  shown,
  type Figure,
  type Table,
} from '../frame/figures.ts'
import type { Bundle } from './bundle.ts'
import type { Use } from './peers.ts'
import type { ProcessTime, Room } from './rooms.ts'
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
  /** Of several rounds: all of them. */
  of: (column: Column) => number | readonly number[] | undefined
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
  {
    name: 'import, beyond bare node',
    unit: 'ms',
    of: (one) => one.importTimes.map((time) => time.elapsedMs),
  },
  {
    name: 'CPU of an import, beyond bare node',
    unit: 'ms',
    of: (one) => one.importTimes.map((time) => time.cpuMs),
  },
  { name: 'bundle, gzipped', unit: 'KB', of: ({ bundle }) => bundle.gzippedBytes / 1_024 },
  {
    ...{ name: 'code that leads to its source', unit: '%' },
    of: ({ bundle }) => 100 * bundle.sourceShare,
    moreIsBetter: true,
  },
  {
    ...{ name: `${titles[use].error} prints`, unit: 'bytes' },
    of: ({ uncaught }) => (typeof uncaught === 'string' ? undefined : uncaught.bytes),
  },
  {
    ...{ name: `${titles[use].error} names the line of the call`, unit: '' },
    of: ({ uncaught }) => (typeof uncaught === 'string' ? undefined : Number(uncaught.namesCall)),
    show: (value) => (value === 1 ? 'yes' : 'no'),
    moreIsBetter: true,
  },
]

const valueOf = (found: number | readonly number[] = NaN) =>
  typeof found === 'number' ? found : median(found)

export function sideBySide(use: Use, columns: readonly Column[]): Table {
  return {
    title: titles[use].table,
    head: ['', ...columns.map(({ room }) => `${room.peer.name} ${room.version}`)],
    rows: measuresOf(use).map(({ name, unit, of, show = plain }) => [
      unit === '' ? name : `${name}, ${unit}`,
      ...columns.map((column) => {
        const found = of(column)
        if (found === undefined) return typeof column.uncaught === 'string' ? column.uncaught : ''
        return show(valueOf(found)) + (typeof found === 'number' ? '' : ` (${rangeText(rangeOf(found))})`)
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
      measuresOf(use).map(({ name, unit, of, moreIsBetter }) => {
        const ascending = others
          .map((other) => ({ value: valueOf(of(other)), peer: other.room.peer.name }))
          .filter(({ value }) => !Number.isNaN(value))
          .toSorted((one, other) => one.value - other.value)
        const best = ascending.at(moreIsBetter ? -1 : 0)!
        const aim = moreIsBetter ? { least: best.value } : { most: best.value }
        const title = `${own.room.peer.name}: ${name}; best of the others: ${best.peer}`
        return figureOf(title, unit, of(own)!, aim)
      }),
    )
}

function plain(value: number): string {
  return Number.isInteger(value) ? counted(value) : shown(value)
}
