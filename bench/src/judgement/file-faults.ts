import type { SourceName } from '../../../apps/server/src/feed/sources/index.ts'
import { isObject, scaled } from './cells.ts'
import type { Planted } from './score.ts'
import { differencesBetween, isSameAmount, witnessesOf, type Statements } from './statements.ts'

// Faults of a whole file, in LiteLLM's format: it has the most rows that are served.

type File = Record<string, unknown>

export interface FileFault {
  name: string
  /** Null: the file of July is read again. */
  spoil: ((file: File) => void) | null
}

export const fileFaults: readonly FileFault[] = [
  { name: 'a whole file times 1.5', spoil: (file) => scaleAll(file, 1.5) },
  { name: 'a whole file times 9', spoil: (file) => scaleAll(file, 9) },
  { name: 'a field is renamed', spoil: (file) => rename(file, 'input_cost_per_token', 'input_price') },
  { name: '85 % of the rows cannot be read', spoil: nestPrices },
  { name: 'an old file under a new date', spoil: null },
]

const priceField = /cost_per|_cost$/

function rowsOf(file: File): File[] {
  return Object.entries(file).flatMap(([key, row]) => (key !== 'sample_spec' && isObject(row) ? [row] : []))
}

function scaleAll(file: File, factor: number): void {
  for (const row of rowsOf(file)) {
    for (const [field, value] of Object.entries(row))
      if (priceField.test(field) && typeof value === 'number') row[field] = scaled(value, factor)
  }
}

function rename(file: File, field: string, other: string): void {
  for (const row of rowsOf(file)) {
    if (!(field in row)) continue
    row[other] = row[field]
    delete row[field]
  }
}

function nestPrices(file: File): void {
  for (const [index, row] of rowsOf(file).entries())
    if (index % 20 < 17) row.input_cost_per_token = { usd: row.input_cost_per_token ?? 0 }
}

/** The rows that the spoiled file states otherwise, where no other source states the same as it. */
export function plantedIn(
  fault: string,
  source: SourceName,
  spoiled: Statements,
  all: ReadonlyMap<SourceName, Statements>,
): Planted[] {
  return [...(all.get(source) ?? [])].flatMap(([key, record]): Planted[] => {
    // Its own list decides what OpenRouter has; a row that it lacks is not served, and nothing is lost.
    if (record.platform === 'openrouter') return []
    const wrong = spoiled.get(key)
    const missing = { ...record, input_per_mtok: null }
    const amounts = differencesBetween(record, wrong ?? missing).flatMap((difference) => {
      const { column, truth } = difference
      const { agreeing } = witnessesOf(all, source, key, column, truth)
      const isSaidElsewhere = [...all].some(
        ([other, statements]) =>
          other !== source &&
          difference.wrong !== null &&
          isSameAmount(statements.get(key)?.[column], difference.wrong),
      )
      return isSaidElsewhere ? [] : [{ ...difference, deniers: agreeing.length }]
    })
    return amounts.length > 0 ? [{ fault, key, amounts, rates: [] }] : []
  })
}
