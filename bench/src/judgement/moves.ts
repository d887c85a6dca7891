import type { SourceName } from '../../../apps/server/src/ingest/sources/index.ts'
import { shuffled } from '../frame/random.ts'
import { cellsOf, editedSources, scaleCells, type EditedSource } from './cells.ts'
import { isSameAmount, type Sources, type Statements } from './evidence.ts'
import { both, candidatesOf, modelOf, type Files } from './faults.ts'
import type { Witnessed } from './score.ts'

// Moves that a vendor made, planted: the sources follow one after the other, each on a day of its own. And those that
// really happened.

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

export interface Reading {
  source: SourceName
  statements: Statements
}

/**
 * Moves of input and output from each state of a source to its next, in order of the readings. The second witness is the
 * first other source that states the new amount while the one that moved still does. What it stated before is not asked:
 * most lists are there once.
 */
export function realMoves(readings: readonly Reading[]): Witnessed[] {
  const states: Sources[] = []
  const moves = readings.flatMap(({ source, statements }, run) => {
    const earlier: Sources = states[run - 1] ?? new Map<SourceName, Statements>()
    states.push(new Map([...earlier, [source, statements]]))
    const before = earlier.get(source)
    return before ? movesBetween(before, statements).map((move) => ({ ...move, source, run })) : []
  })
  return moves.map(({ source, run, key, column, after }) => {
    const second = states.slice(run).findIndex((then) => {
      const says = [...then].filter(([, all]) => isSameAmount(all.get(key)?.[column], after))
      return says.length > 1 && says.some(([name]) => name === source)
    })
    return { key, column, after, first: run, second: second === -1 ? null : run + second }
  })
}

function movesBetween(before: Statements, after: Statements) {
  return [...after].flatMap(([key, record]) => {
    // Lists copy OpenRouter's own: two of them are one witness.
    if (record.platform === 'openrouter') return []
    return both.flatMap((column) => {
      const [was, is] = [before.get(key)?.[column], record[column]]
      return was == null || is === null || isSameAmount(was, is) ? [] : [{ key, column, after: is }]
    })
  })
}
