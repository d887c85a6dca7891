import type { AmountColumn } from '../../../apps/server/src/features/prices/price-record.ts'
import { isSameAmount } from './statements.ts'
import type { Played, Run, Told } from './timeline.ts'

// Whether a true move was told, and how long after its witnesses.

export interface Witnessed {
  key: string
  column: AmountColumn
  after: string
  /** The places of the runs that read it first and second; null: nobody else moved. */
  first: number
  second: number | null
}

export interface MoveScore {
  moves: number
  told: number
  /** Told, but in another run than that of the second witness or the one after it, and not earlier. */
  late: number
  /** Witnessed by two sources, and not told at all. */
  untold: number
  /** Days from the first witness, and runs from the second one, of the moves that were told; 0: not later. */
  daysAfterFirst: number[]
  runsAfterSecond: number[]
  examples: string[]
}

/** Within how many runs of its second witness a move is told. */
const runsMax = 1
const examplesMax = 5

export function scoreMoves(
  moves: readonly Witnessed[],
  { told, runs }: Played,
  categories: readonly string[],
): MoveScore {
  const score: MoveScore = {
    moves: moves.length,
    told: 0,
    late: 0,
    untold: 0,
    daysAfterFirst: [],
    runsAfterSecond: [],
    examples: [],
  }
  for (const move of moves) {
    const change = told.find((one) => categories.includes(one.category) && tells(one, move))
    const delay = change && move.second !== null ? Math.max(0, change.run - move.second) : null
    if (change) {
      score.told += 1
      score.daysAfterFirst.push(daysFrom(runs[move.first]!, runs[change.run]!))
      if (delay !== null) score.runsAfterSecond.push(delay)
    } else if (move.second !== null) score.untold += 1
    if (delay !== null && delay > runsMax) score.late += 1
    if (move.second === null || (change && delay! <= runsMax)) continue
    if (score.examples.length < examplesMax)
      score.examples.push(`${move.key} ${move.column} to ${move.after}: ${delay ?? 'never told'}`)
  }
  return score
}

function tells({ after, run }: Told, { key, column, after: amount, first }: Witnessed): boolean {
  const value = after.get(key)?.[column]
  return run >= first && typeof value === 'number' && isSameAmount(String(value), amount)
}

function daysFrom(earlier: Run, later: Run): number {
  return (Date.parse(later.at) - Date.parse(earlier.at)) / 86_400_000
}
