import type { SourceRecord } from '../../../apps/server/src/feed/source-record.ts'
import type { SourceName } from '../../../apps/server/src/feed/sources/index.ts'
import {
  cellsOf,
  editedSources,
  isObject,
  scaleCells,
  scaled,
  type Cells,
  type Column,
  type EditedSource,
} from './cells.ts'
import { shuffled } from './random.ts'
import type { Planted } from './score.ts'
import { differencesBetween, witnessesOf, type Statements } from './statements.ts'

// Faults of single rows, planted where the other sources agree on the truth.

interface RowFault {
  name: string
  /** Writes the fault into the file. False: the row has nothing that it could befall. */
  spoil: (cells: Cells) => boolean
  only?: EditedSource
}

const both: readonly Column[] = ['input_per_mtok', 'output_per_mtok']

function slip(name: string, factor: number, columns: readonly Column[] = both): RowFault {
  return { name, spoil: (cells) => (scaleCells(cells, columns, factor), true) }
}

const rowFaults: readonly RowFault[] = [
  slip('a row times 1,000', 1_000),
  slip('a row by 1,000', 1 / 1_000),
  slip('a row times 10', 10),
  slip('an input times 2', 2, ['input_per_mtok']),
  slip('an input by 2', 1 / 2, ['input_per_mtok']),
  { name: 'input and output change places', spoil: swap },
  {
    name: 'an input vanishes',
    spoil: ({ holder, fields }) => delete holder[fields.input_per_mtok],
  },
  { name: 'a tier times 1,000', spoil: slipTier, only: 'litellm' },
]

function swap({ holder, fields }: Cells): boolean {
  const [input, output] = [holder[fields.input_per_mtok], holder[fields.output_per_mtok]]
  holder[fields.input_per_mtok] = output
  holder[fields.output_per_mtok] = input
  return true
}

const tierField = /^(input|output)_cost_per_token_(above_\d+k_tokens|batches|priority|flex)$/

function slipTier({ holder }: Cells): boolean {
  const field = Object.keys(holder).find((name) => tierField.test(name) && Number(holder[name]) > 0)
  if (field === undefined) return false
  holder[field] = scaled(holder[field], 1_000)
  return true
}

/** How many independent sources state the same as the one that errs; nobody states otherwise. */
const strata = [
  { name: '4 others deny', min: 4, max: 5 },
  { name: '2 or 3 others deny', min: 2, max: 3 },
  { name: '1 other denies', min: 1, max: 1 },
  { name: 'nobody else states it', min: 0, max: 0 },
] as const

/** How many days a fault stays in the file. */
export const faultDays = [1, 10] as const
const rowsEach = 2
/** Fewer than a guard takes for a mistake of the whole file. */
const rowsPerPlatformMax = 6

export interface Spot {
  fault: RowFault
  stratum: (typeof strata)[number]['name']
  days: number
  source: EditedSource
  key: string
  record: SourceRecord
}

/** One row of each model at most: what is told of a model is told of this row. */
export function chooseSpots(
  all: ReadonlyMap<SourceName, Statements>,
  files: ReadonlyMap<SourceName, unknown>,
  random: () => number,
): Spot[] {
  const spots: Spot[] = []
  const used = new Set<string>()
  const perPlatform = new Map<string, number>()
  const candidates = new Map(
    editedSources.map((source) => [source, shuffled(candidatesOf(source, all, files.get(source)), random)]),
  )
  for (const stratum of strata) {
    for (const fault of rowFaults) {
      for (const days of faultDays) {
        for (const source of editedSources) {
          if (fault.only && fault.only !== source) continue
          let taken = 0
          for (const { key, record, others } of candidates.get(source)!) {
            const place = `${source} ${fault.name} ${record.platform}`
            const name = record.model_name.replaceAll(/[^a-z0-9]+/g, '')
            if (taken === rowsEach) break
            if (others < stratum.min || others > stratum.max || used.has(name)) continue
            if ((perPlatform.get(place) ?? 0) >= rowsPerPlatformMax) continue
            if (fault.only && !couldBefall(fault, cellsOf(source, files.get(source), record.source_key)))
              continue
            used.add(name)
            perPlatform.set(place, (perPlatform.get(place) ?? 0) + 1)
            spots.push({ fault, stratum: stratum.name, days, source, key, record })
            taken += 1
          }
        }
      }
    }
  }
  return spots
}

function couldBefall(fault: RowFault, cells: Cells | null): boolean {
  return cells !== null && fault.spoil({ ...cells, holder: { ...cells.holder } })
}

/** Rows whose plain input and output nobody denies, with the number of sources that state both. */
export function candidatesOf(
  source: EditedSource,
  all: ReadonlyMap<SourceName, Statements>,
  file: unknown,
): { key: string; record: SourceRecord; others: number }[] {
  return [...(all.get(source) ?? [])].flatMap(([key, record]) => {
    const { platform, input_per_mtok: input, output_per_mtok: output } = record
    // Lists copy OpenRouter's own: what is said of it has one origin.
    if (platform === 'openrouter' || Number(input ?? 0) === 0 || Number(output ?? 0) === 0) return []
    if (Number(input) === Number(output) || !isObject(cellsOf(source, file, record.source_key))) return []
    const witnesses = both.map((column) => witnessesOf(all, source, key, column, record[column]))
    if (witnesses.some(({ dissenting }) => dissenting.length > 0)) return []
    const others = Math.min(...witnesses.map(({ agreeing }) => agreeing.length))
    // What is told of an announced price is true.
    if ([...all.values()].some((statements) => (statements.get(key)?.scheduled.length ?? 0) > 0)) return []
    const isKnown = [...all].some(([other, statements]) => other !== source && statements.has(key))
    return others === 0 && isKnown ? [] : [{ key, record, others }]
  })
}

/** Writes the faults that are still in the file on a day, from 1. */
export function spoilFile(source: EditedSource, file: unknown, spots: readonly Spot[], day: number): unknown {
  const spoiled = structuredClone(file)
  for (const spot of spots) {
    if (spot.source !== source || day > spot.days) continue
    const cells = cellsOf(source, spoiled, spot.record.source_key)
    if (cells) spot.fault.spoil(cells)
  }
  return spoiled
}

/** What a spot says wrongly, as the spoiled file is read; null: the fault changed nothing that is read. */
export function plantedAt(
  { fault, stratum, days, source, key, record }: Spot,
  spoiled: Statements,
  all: ReadonlyMap<SourceName, Statements>,
): (Planted & { stratum: string; days: number }) | null {
  const wrong = spoiled.get(key)
  if (!wrong) return null
  const known = new Set(record.rates.map(({ amount }) => Number(amount)))
  const rates = wrong.rates.map(({ amount }) => Number(amount)).filter((amount) => !known.has(amount))
  const amounts = differencesBetween(record, wrong).map((difference) => {
    const { agreeing } = witnessesOf(all, source, key, difference.column, difference.truth)
    return { ...difference, deniers: agreeing.length }
  })
  if (amounts.length === 0 && rates.length === 0) return null
  return { fault: fault.name, stratum, days, key, amounts, rates }
}
