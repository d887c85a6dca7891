import { shuffled } from '../frame/random.ts'
import { cellsOf, editedSources, scaleCells, type EditedSource } from './cells.ts'
import type { Sources } from './evidence.ts'
import { both, candidatesOf, modelOf, type Files } from './faults.ts'

// Moves that a vendor made, planted: the sources follow one after the other, each on a day of its own.

type Mover = EditedSource | 'openrouter'

type TrueMove = ReturnType<typeof chooseMoves>[number]

const factors = [0.7, 0.2, 2]
/** `stay`: so many sources never move. */
const plans = [
  { kind: 'sources on days 1, 3 and 5', days: [1, 3, 5], stay: 0 },
  { kind: 'sources on days 1 and 3, two others never', days: [1, 3], stay: 2 },
  { kind: 'sources on days 1 and 3, one other never', days: [1, 3], stay: 1 },
  { kind: 'one source on day 1, nobody else states it', days: [1], stay: 0 },
]
const movesEach = 4

export function chooseMoves(all: Sources, files: Files, random: () => number) {
  const used = new Set<string>()
  const plain = new Map(
    editedSources.map((source) => {
      const rows = candidatesOf(source, all, files.get(source)).map((row) => [row.key, row] as const)
      return [source, new Map(rows)]
    }),
  )
  const keys = shuffled([...new Set([...plain.values()].flatMap((rows) => [...rows.keys()]))], random)
  const moves = []
  for (const { kind, days, stay } of plans) {
    for (const factor of factors) {
      let taken = 0
      for (const key of keys) {
        if (taken === movesEach) break
        const stating = editedSources.filter((source) => plain.get(source)!.has(key))
        const rows = shuffled(stating, random).map((source) => ({ source, ...plain.get(source)!.get(key)! }))
        const { record, others } = rows[0]!
        if (used.has(modelOf(record)) || rows.length < days.length || others + 1 - days.length !== stay)
          continue
        used.add(modelOf(record))
        /** Who moves on which day. */
        const movers = days.map((day, index) => ({ day, ...rows[index]! }))
        moves.push({ kind, factor, key, movers })
        taken += 1
      }
    }
  }
  const own = [...all.get('openrouter')!].filter(
    ([, record]) => cellsOf('openrouter', files.get('openrouter'), record.source_key) !== null,
  )
  const ownMoves = shuffled(own, random)
    .slice(0, factors.length * movesEach)
    .map(([key, record], index) => {
      const movers = [{ source: 'openrouter', day: 1, record } as const]
      const factor = factors[index % factors.length]!
      return { kind: "the platform's own list on day 1", factor, key, movers }
    })
  return [...moves, ...ownMoves]
}

/** The file of a source on a day, with every move that it has made by then. */
export function moveFile(source: Mover, file: unknown, moves: readonly TrueMove[], day: number): unknown {
  const later = structuredClone(file)
  for (const { factor, movers } of moves) {
    const mover = movers.find((one) => one.source === source && one.day <= day)
    const cells = mover && cellsOf(source, later, mover.record.source_key)
    if (cells) scaleCells(cells, both, factor)
  }
  return later
}
