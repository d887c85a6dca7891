import type { SourceName } from '../../../apps/server/src/feed/sources/index.ts'
import { dayText } from './clock.ts'
import { genaiModel, scaleCells, cellsOf, type Column } from './cells.ts'
import { shuffled } from './random.ts'
import { candidatesOf } from './row-faults.ts'
import type { Planted } from './score.ts'
import type { Statements } from './statements.ts'

// A rise that genai-prices announces for a day, and takes back before it.

const rowCount = 6
export const risesOnDay = 5
const factor = 1.25
const columns: readonly Column[] = ['input_per_mtok', 'output_per_mtok']

export interface DatedRise {
  key: string
  sourceKey: string
  planted: Planted
}

/** Rows that two or more others state as well. */
export function chooseRises(
  fault: string,
  all: ReadonlyMap<SourceName, Statements>,
  file: unknown,
  random: () => number,
): DatedRise[] {
  const rows = candidatesOf('genai-prices', all, file).filter(({ others }) => others > 1)
  const perModel = [
    ...new Map(shuffled(rows, random).map((row) => [row.record.model_name, row] as const)).values(),
  ]
  return perModel.slice(0, rowCount).map(({ key, record, others }) => {
    const amounts = columns.map((column) => {
      const truth = record[column]!
      const wrong = String(Number((Number(truth) * factor).toPrecision(12)))
      return { column, truth, wrong, deniers: others }
    })
    return { key, sourceKey: record.source_key, planted: { fault, key, amounts, rates: [] } }
  })
}

export function announceIn(file: unknown, rises: readonly DatedRise[]): unknown {
  const announced = structuredClone(file)
  for (const { sourceKey } of rises) {
    const model = genaiModel(announced, sourceKey)
    const later = cellsOf('genai-prices', structuredClone(announced), sourceKey)
    if (!model || !later) continue
    scaleCells(later, columns, factor)
    const constraint = { start_date: dayText(risesOnDay) }
    model.prices = [{ prices: model.prices }, { constraint, prices: later.holder }]
  }
  return announced
}
