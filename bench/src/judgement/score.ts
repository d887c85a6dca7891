import type { AmountDifference } from './statements.ts'
import { isSameAmount } from './statements.ts'
import type { Played, Served } from './timeline.ts'

// What a judgement made of a fault: counted from what was served each day and from what was told.

/** Alerts are sent from the next severity on. */
const quietSeverityMax = 2

export interface Planted {
  fault: string
  key: string
  amounts: readonly PlantedAmount[]
  /** Wrong amounts of the rate card. */
  rates: readonly number[]
}

interface PlantedAmount extends AmountDifference {
  /** Independent sources that state the true amount, apart from the one with the fault. */
  deniers: number
}

export interface FaultScore {
  /** Rows planted. */
  rows: number
  /** Rows times days on which the false value was served. */
  falseDays: number
  /** Of them those whose value two or more independent sources denied. */
  falseDeniedDays: number
  /** Changes above severity 2 about rows of which nothing was true. */
  alerts: number
  /** Rows times days on which nothing was served although another source states the true amount. */
  lostDays: number
  /** Some rows, to look at. */
  examples: string[]
}

const examplesMax = 5

export function scoreFaults(planted: readonly Planted[], { days, told }: Played): FaultScore {
  const score: FaultScore = {
    rows: planted.length,
    falseDays: 0,
    falseDeniedDays: 0,
    alerts: 0,
    lostDays: 0,
    examples: [],
  }
  const note = (text: string) => {
    if (score.examples.length < examplesMax) score.examples.push(text)
  }
  for (const day of days) {
    for (const row of planted) {
      const wrong = row.amounts.filter((amount) => servesWrong(day, row.key, amount))
      const isWrongCard = row.rates.some((rate) => day.rates.get(row.key)?.includes(rate))
      if (wrong.length > 0 || isWrongCard) score.falseDays += 1
      const denied = wrong.find(({ deniers }) => deniers > 1)
      if (denied) {
        score.falseDeniedDays += 1
        note(`${day.at.slice(0, 10)} ${row.key} ${denied.column}: ${denied.wrong} for ${denied.truth}`)
      }
      const lost = row.amounts.find((amount) => isLost(day, row.key, amount))
      if (lost) {
        score.lostDays += 1
        note(`${day.at.slice(0, 10)} ${row.key} ${lost.column}: nothing for ${lost.truth}`)
      }
    }
  }
  const keys = new Set(planted.map(({ key }) => key))
  for (const { severity, category, title, before, after } of told) {
    if (severity <= quietSeverityMax || ![...before.keys(), ...after.keys()].some((key) => keys.has(key)))
      continue
    score.alerts += 1
    note(`${category} ${severity}: ${title}`)
  }
  return score
}

function servesWrong({ amounts }: Served, key: string, { column, wrong, truth }: PlantedAmount): boolean {
  const served = amounts.get(key)?.[column]
  return served != null && wrong !== null && isSameAmount(served, wrong) && !isSameAmount(served, truth)
}

function isLost({ amounts }: Served, key: string, { column, truth, deniers }: PlantedAmount): boolean {
  return truth !== null && deniers > 0 && amounts.get(key)?.[column] == null
}
