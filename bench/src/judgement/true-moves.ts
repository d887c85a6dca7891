import type { SourceRecord } from '../../../apps/server/src/feed/source-record.ts'
import type { SourceName } from '../../../apps/server/src/feed/sources/index.ts'
import { cellsOf, editedSources, scaleCells, type Column, type EditedSource } from './cells.ts'
import { shuffled } from './random.ts'
import { candidatesOf } from './row-faults.ts'
import type { Statements } from './statements.ts'

// Moves that a vendor made: the sources follow one after the other, each on a day of its own.

type Mover = EditedSource | 'openrouter'

export interface TrueMove {
  kind: string
  factor: number
  key: string
  /** Who moves on which day. */
  movers: { source: Mover; day: number; record: SourceRecord }[]
  /** Sources that never move. */
  deniers: number
  /** The platform's own list needs no second witness. */
  isOwn: boolean
}

const factors = [0.7, 0.2, 2] as const
const plans = [
  { name: 'sources on days 1, 3 and 5', days: [1, 3, 5], stay: 0 },
  { name: 'sources on days 1 and 3, two others never', days: [1, 3], stay: 2 },
  { name: 'sources on days 1 and 3, one other never', days: [1, 3], stay: 1 },
  { name: 'one source on day 1, nobody else states it', days: [1], stay: 0 },
] as const
const movesEach = 4

const moved: readonly Column[] = ['input_per_mtok', 'output_per_mtok']

export function chooseMoves(
  all: ReadonlyMap<SourceName, Statements>,
  files: ReadonlyMap<SourceName, unknown>,
  random: () => number,
): TrueMove[] {
  const used = new Set<string>()
  const plain = new Map(
    editedSources.map((source) => {
      const rows = candidatesOf(source, all, files.get(source)).map((row) => [row.key, row] as const)
      return [source, new Map(rows)]
    }),
  )
  const keys = shuffled([...new Set([...plain.values()].flatMap((rows) => [...rows.keys()]))], random)
  const moves: TrueMove[] = []
  for (const plan of plans) {
    for (const factor of factors) {
      let taken = 0
      for (const key of keys) {
        if (taken === movesEach) break
        const editable = shuffled(
          editedSources.filter((source) => plain.get(source)!.has(key)),
          random,
        )
        const first = plain.get(editable[0]!)!.get(key)!
        const name = first.record.model_name.replaceAll(/[^a-z0-9]+/g, '')
        const stay = first.others + 1 - plan.days.length
        if (used.has(name) || editable.length < plan.days.length || stay !== plan.stay) continue
        used.add(name)
        const movers = plan.days.map((day, index) => {
          const source = editable[index]!
          return { source, day, record: plain.get(source)!.get(key)!.record }
        })
        moves.push({ kind: plan.name, factor, key, movers, deniers: stay, isOwn: false })
        taken += 1
      }
    }
  }
  return [...moves, ...ownMoves(all, files.get('openrouter'), random)]
}

function ownMoves(all: ReadonlyMap<SourceName, Statements>, file: unknown, random: () => number): TrueMove[] {
  const rows = [...(all.get('openrouter') ?? [])].filter(
    ([, record]) => cellsOf('openrouter', file, record.source_key) !== null,
  )
  const kind = "the platform's own list on day 1"
  return shuffled(rows, random)
    .slice(0, factors.length * movesEach)
    .map(([key, record], index) => {
      const factor = factors[index % factors.length]!
      return {
        kind,
        factor,
        key,
        movers: [{ source: 'openrouter', day: 1, record }],
        deniers: 0,
        isOwn: true,
      }
    })
}

/** The file of a source on a day, with every move that it has made by then. */
export function moveFile(source: Mover, file: unknown, moves: readonly TrueMove[], day: number): unknown {
  const later = structuredClone(file)
  for (const { factor, movers } of moves) {
    const mover = movers.find((one) => one.source === source && one.day <= day)
    if (!mover) continue
    const cells = cellsOf(source, later, mover.record.source_key)
    if (cells) scaleCells(cells, moved, factor)
  }
  return later
}
