import type { SourceName } from '../../../apps/server/src/feed/sources/index.ts'
import { isSameAmount, type Statements } from './statements.ts'
import type { Witnessed } from './told-moves.ts'

// The moves that really happened: every state of a source is compared with its state before.

const columns = ['input_per_mtok', 'output_per_mtok'] as const

export interface Reading {
  source: SourceName
  statements: Statements
}

/** What every source states after a run. */
type States = ReadonlyMap<SourceName, Statements>

/**
 * Moves of input and output, in order of the readings. The second witness is the first other source that states the new
 * amount while the one that moved still does. What it stated before is not asked: most lists are there once.
 */
export function realMoves(readings: readonly Reading[]): Witnessed[] {
  const states: States[] = []
  const moves = readings.flatMap(({ source, statements }, run) => {
    const earlier: States = states[run - 1] ?? new Map<SourceName, Statements>()
    states.push(new Map([...earlier, [source, statements]]))
    const before = earlier.get(source)
    return before ? movesBetween(before, statements).map((move) => ({ ...move, source, run })) : []
  })
  return moves.map(({ source, run, key, column, after }) => {
    const second = states.slice(run).findIndex((then) => {
      const says = [...then].flatMap(([name, all]) =>
        isSameAmount(all.get(key)?.[column], after) ? [name] : [],
      )
      return says.includes(source) && says.length > 1
    })
    return { key, column, after, first: run, second: second === -1 ? null : run + second }
  })
}

function movesBetween(before: Statements, after: Statements) {
  return [...after].flatMap(([key, record]) => {
    // Lists copy OpenRouter's own: two of them are one witness.
    if (record.platform === 'openrouter') return []
    return columns.flatMap((column) => {
      const [was, is] = [before.get(key)?.[column], record[column]]
      return was == null || is === null || isSameAmount(was, is) ? [] : [{ key, column, after: is }]
    })
  })
}
