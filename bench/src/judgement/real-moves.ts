import type { SourceName } from '../../../apps/server/src/feed/sources/index.ts'
import { isSameAmount, type Statements } from './statements.ts'
import type { Witnessed } from './told-moves.ts'

// The moves that really happened: every source's states are compared with its states before.

const columns = ['input_per_mtok', 'output_per_mtok'] as const

interface Reading {
  source: SourceName
  statements: Statements
}

interface Move {
  source: SourceName
  run: number
  key: string
  column: (typeof columns)[number]
  before: string
  after: string
}

/**
 * Moves of input and output, in order of the readings. A move is witnessed when a second source has left the same amount
 * for the same other one.
 */
export function realMoves(readings: readonly Reading[]): Witnessed[] {
  const states = new Map<SourceName, Statements>()
  const moves: Move[] = []
  for (const [run, { source, statements }] of readings.entries()) {
    const before = states.get(source)
    if (before) moves.push(...movesBetween(before, statements, source, run))
    states.set(source, statements)
  }
  return [...Map.groupBy(moves, ({ key, column }) => `${key} ${column}`).values()].flatMap((ofAmount) => {
    const seen: Move[] = []
    return ofAmount.flatMap((move): Witnessed[] => {
      const isSame = (other: Move) =>
        isSameAmount(other.after, move.after) && isSameAmount(other.before, move.before)
      if (seen.some(isSame)) return []
      seen.push(move)
      const second = ofAmount.find((other) => other.source !== move.source && isSame(other))
      const { key, column, after, run } = move
      return [{ key, column, after, first: run, second: second?.run ?? null }]
    })
  })
}

function movesBetween(before: Statements, after: Statements, source: SourceName, run: number): Move[] {
  return [...after].flatMap(([key, record]) => {
    // Lists copy OpenRouter's own: two of them are one witness.
    if (record.platform === 'openrouter') return []
    return columns.flatMap((column): Move[] => {
      const [was, is] = [before.get(key)?.[column], record[column]]
      if (was == null || is === null || isSameAmount(was, is)) return []
      return [{ source, run, key, column, before: was, after: is }]
    })
  })
}
