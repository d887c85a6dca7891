import { isSameAmount, type PlantedAmount } from './evidence.ts'
import type { Played, Run, Served, Told } from './timeline.ts'

// What a judgement made of a fault, counted from what was served each day and from what was told; and whether a true move
// was told, and how long after its witnesses.

/** Alerts are sent from the next severity on. */
const quietSeverityMax = 2
/** Some rows, to look at. */
const examplesMax = 5

export interface Planted {
  key: string
  amounts: readonly PlantedAmount[]
  /** Wrong amounts of the rate card. */
  rates: readonly number[]
}

export type FaultScore = ReturnType<typeof scoreFaults>

/**
 * Counts rows times days on which the false value was served, and of them those whose value two or more independent sources
 * denied; changes above severity 2 about rows of which nothing was true; and rows times days on which nothing was served
 * although another source states the true amount.
 */
export function scoreFaults(planted: readonly Planted[], { days, told }: Played) {
  const score = { rows: planted.length, falseDays: 0, falseDeniedDays: 0, alerts: 0, lostDays: 0 }
  const examples: string[] = []
  for (const day of days) {
    for (const { key, amounts, rates } of planted) {
      const note = ({ column, truth }: PlantedAmount, served: string | null) =>
        examples.push(`${day.at.slice(0, 10)} ${key} ${column}: ${served} for ${truth}`)
      const wrong = amounts.filter((amount) => servesWrong(day, key, amount))
      const isWrongCard = rates.some((rate) => day.rates.get(key)?.includes(rate))
      if (wrong.length > 0 || isWrongCard) score.falseDays += 1
      const denied = wrong.find(({ deniers }) => deniers > 1)
      if (denied) {
        score.falseDeniedDays += 1
        note(denied, denied.wrong)
      }
      const lost = amounts.find(
        ({ column, truth, deniers }) =>
          truth !== null && deniers > 0 && day.amounts.get(key)?.[column] == null,
      )
      if (lost) {
        score.lostDays += 1
        note(lost, 'nothing')
      }
    }
  }
  const keys = new Set(planted.map(({ key }) => key))
  const alerts = told.filter(({ severity, before, after }) => {
    return severity > quietSeverityMax && [...before.keys(), ...after.keys()].some((key) => keys.has(key))
  })
  examples.push(...alerts.map(({ category, severity, title }) => `${category} ${severity}: ${title}`))
  return { ...score, alerts: alerts.length, examples: examples.slice(0, examplesMax) }
}

function servesWrong({ amounts }: Served, key: string, { column, wrong, truth }: PlantedAmount): boolean {
  const served = amounts.get(key)?.[column]
  return served != null && wrong !== null && isSameAmount(served, wrong) && !isSameAmount(served, truth)
}

export interface Witnessed {
  key: string
  /** Its input afterwards. */
  after: string
  /** The places of the runs that read it first and second; null: nobody else moved. */
  first: number
  second: number | null
}

export type MoveScore = ReturnType<typeof scoreMoves>

/** Within how many runs of its second witness a move is told. */
const runsMax = 1

export function scoreMoves(moves: readonly Witnessed[], { told, runs }: Played) {
  const results = moves.map((move) => {
    const change = told.find((one) => tells(one, move))
    const delay = change && move.second !== null ? Math.max(0, change.run - move.second) : null
    return { move, change, delay }
  })
  const witnessed = results.filter(({ move }) => move.second !== null)
  const missed = witnessed.filter(({ delay }) => delay === null || delay > runsMax)
  const late = missed.filter(({ delay }) => delay !== null)
  const days = results.flatMap(({ move, change }) =>
    change ? [daysFrom(runs[move.first]!, runs[change.run]!)] : [],
  )
  const examples = missed.map(
    ({ move: { key, after }, delay }) => `${key} input to ${after}: ${delay ?? 'never told'}`,
  )
  return {
    ...{ moves: moves.length, told: days.length },
    /** Told, but in another run than that of the second witness or the one after it, and not earlier. */
    late: late.length,
    /** Witnessed by two sources, and not told at all. */
    untold: missed.length - late.length,
    /** Days from the first witness, and runs from the second one, of the moves that were told; 0: not later. */
    daysAfterFirst: days,
    runsAfterSecond: results.flatMap(({ delay }) => delay ?? []),
    examples: examples.slice(0, examplesMax),
  }
}

function tells({ category, after, run }: Told, { key, after: amount, first }: Witnessed): boolean {
  const value = after.get(key)?.input_per_mtok
  const isMove = category === 'price_cut' || category === 'price_rise'
  return isMove && run >= first && typeof value === 'number' && isSameAmount(String(value), amount)
}

function daysFrom(earlier: Run, later: Run): number {
  return (Date.parse(later.at) - Date.parse(earlier.at)) / 86_400_000
}
