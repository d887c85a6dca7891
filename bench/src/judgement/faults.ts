import type { SourceRecord } from '../../../apps/server/src/ingest/source-record.ts'
import type { SourceName } from '../../../apps/server/src/ingest/sources/index.ts'
import { shuffled } from '../frame/random.ts'
import {
  cellsOf,
  editedSources,
  isObject,
  scaleCells,
  scaled,
  type Cells,
  type Column,
  type EditedSource,
  type Json,
} from './cells.ts'
import { differencesFrom, isSameAmount, witnessesOf, type Sources, type Statements } from './evidence.ts'
import type { Planted } from './score.ts'

// Faults of single rows, planted where the other sources agree on the truth; and faults of a whole file.

interface RowFault {
  name: string
  /** Writes the fault into the file. False: the row has nothing that it could befall. */
  spoil: (cells: Cells) => boolean
  only?: EditedSource
}

export const both: readonly Column[] = ['input_per_mtok', 'output_per_mtok']

function slip(name: string, factor: number, columns = both): RowFault {
  return { name, spoil: (cells) => (scaleCells(cells, columns, factor), true) }
}

const rowFaults: readonly RowFault[] = [
  slip('a row times 1,000', 1_000),
  slip('a row by 1,000', 1 / 1_000),
  slip('a row times 10', 10),
  slip('an input times 2', 2, ['input_per_mtok']),
  slip('an input by 2', 1 / 2, ['input_per_mtok']),
  {
    name: 'input and output change places',
    spoil: ({ holder, fields: { input_per_mtok: input, output_per_mtok: output } }) =>
      Object.assign(holder, { [input]: holder[output], [output]: holder[input] }) !== null,
  },
  { name: 'an input vanishes', spoil: ({ holder, fields }) => delete holder[fields.input_per_mtok] },
  { name: 'a tier times 1,000', spoil: slipTier, only: 'litellm' },
]

const tierField = /^(input|output)_cost_per_token_(above_\d+k_tokens|batches|priority|flex)$/

function slipTier({ holder }: Cells): boolean {
  const field = Object.keys(holder).find((name) => tierField.test(name) && Number(holder[name]) > 0)
  if (field !== undefined) holder[field] = scaled(holder[field], 1_000)
  return field !== undefined
}

/** How many independent sources state the same as the one that errs; nobody states otherwise. */
const strata = [
  { name: '4 others deny', min: 4, max: 5 },
  { name: '2 or 3 others deny', min: 2, max: 3 },
  { name: '1 other denies', min: 1, max: 1 },
  { name: 'nobody else states it', min: 0, max: 0 },
]

/** How many days a fault stays in the file. */
export const faultDays = [1, 10] as const
const rowsEach = 2
/** Fewer than a guard takes for a mistake of the whole file. */
const rowsPerPlatformMax = 6

type Spot = ReturnType<typeof chooseSpots>[number]

export type Files = ReadonlyMap<SourceName, unknown>

/** What is told of a model is told of one row, so each model has one at most. */
export function modelOf({ model_name }: SourceRecord): string {
  return model_name.replaceAll(/[^a-z0-9]+/g, '')
}

export function chooseSpots(all: Sources, files: Files, random: () => number) {
  const spots = []
  const used = new Set<string>()
  const perPlatform = new Map<string, number>()
  const candidates = new Map(
    editedSources.map((source) => [source, shuffled(candidatesOf(source, all, files.get(source)), random)]),
  )
  const cases = strata.flatMap((stratum) =>
    rowFaults.flatMap((fault) =>
      faultDays.flatMap((days) => editedSources.map((source) => ({ stratum, fault, days, source }))),
    ),
  )
  for (const { stratum, fault, days, source } of cases) {
    if (fault.only && fault.only !== source) continue
    let taken = 0
    for (const { key, record, others } of candidates.get(source)!) {
      const place = `${source} ${fault.name} ${record.platform}`
      const planted = perPlatform.get(place) ?? 0
      if (taken === rowsEach) break
      if (others < stratum.min || others > stratum.max || used.has(modelOf(record))) continue
      if (planted >= rowsPerPlatformMax) continue
      const cells = cellsOf(source, files.get(source), record.source_key)!
      if (!fault.spoil({ ...cells, holder: { ...cells.holder } })) continue
      used.add(modelOf(record))
      perPlatform.set(place, planted + 1)
      spots.push({ fault, stratum: stratum.name, days, source, key, record })
      taken += 1
    }
  }
  return spots
}

/** Rows whose plain input and output nobody denies, with the number of other sources that state both. */
export function candidatesOf(source: EditedSource, all: Sources, file: unknown) {
  return [...all.get(source)!].flatMap(([key, record]) => {
    const { platform, input_per_mtok: input, output_per_mtok: output } = record
    // Lists copy OpenRouter's own: what is said of it has one origin.
    if (platform === 'openrouter' || Number(input ?? 0) === 0 || Number(output ?? 0) === 0) return []
    if (Number(input) === Number(output) || !cellsOf(source, file, record.source_key)) return []
    const witnesses = both.map((column) => witnessesOf(all, source, key, column, record[column]))
    if (witnesses.some(({ dissenting }) => dissenting > 0)) return []
    const others = Math.min(...witnesses.map(({ agreeing }) => agreeing))
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
    if (spot.source === source && day <= spot.days)
      spot.fault.spoil(cellsOf(source, spoiled, spot.record.source_key)!)
  }
  return spoiled
}

/** What a spot says wrongly, as the spoiled file is read; nothing: the fault changed nothing that is read. */
export function plantedAt(
  { fault, stratum, days, source, key, record }: Spot,
  spoiled: Statements,
  all: Sources,
) {
  const wrong = spoiled.get(key)
  if (!wrong) return []
  const known = new Set(record.rates.map(({ amount }) => Number(amount)))
  const rates = wrong.rates.map(({ amount }) => Number(amount)).filter((amount) => !known.has(amount))
  const amounts = differencesFrom(all, source, key, wrong)
  return amounts.length + rates.length === 0
    ? []
    : [{ fault: fault.name, stratum, days, key, amounts, rates }]
}

export interface FileFault {
  name: string
  /** Null: the file of July is read again. */
  spoilRow: ((row: Json, index: number) => void) | null
}

/** In LiteLLM's format: it has the most rows that are served. */
export const fileFaults: readonly FileFault[] = [
  { name: 'a whole file times 1.5', spoilRow: (row) => scaleAll(row, 1.5) },
  { name: 'a whole file times 9', spoilRow: (row) => scaleAll(row, 9) },
  {
    name: 'a field is renamed',
    spoilRow: (row) => {
      if ('input_cost_per_token' in row) row.input_price = row.input_cost_per_token
      delete row.input_cost_per_token
    },
  },
  {
    name: '85 % of the rows cannot be read',
    spoilRow: (row, index) => {
      if (index % 20 < 17) row.input_cost_per_token = { usd: row.input_cost_per_token ?? 0 }
    },
  },
  { name: 'an old file under a new date', spoilRow: null },
]

const priceField = /cost_per|_cost$/

function scaleAll(row: Json, factor: number): void {
  for (const [field, value] of Object.entries(row))
    if (priceField.test(field) && typeof value === 'number') row[field] = scaled(value, factor)
}

export function spoilRows(file: unknown, spoilRow: (row: Json, index: number) => void): unknown {
  const { sample_spec, ...rows } = structuredClone(file) as Json
  Object.values(rows).filter(isObject).forEach(spoilRow)
  return { sample_spec, ...rows }
}

/** The rows that the spoiled file states otherwise, where no other source states the same as it. */
export function plantedIn(source: SourceName, spoiled: Statements, all: Sources): Planted[] {
  return [...all.get(source)!].flatMap(([key, record]): Planted[] => {
    // Its own list decides what OpenRouter has; a row that it lacks is not served, and nothing is lost.
    if (record.platform === 'openrouter') return []
    const wrong = spoiled.get(key) ?? { ...record, input_per_mtok: null }
    const amounts = differencesFrom(all, source, key, wrong).filter(({ column, wrong }) => {
      const saysSo = ([other, statements]: [SourceName, Statements]) =>
        other !== source && wrong !== null && isSameAmount(statements.get(key)?.[column], wrong)
      return ![...all].some(saysSo)
    })
    return amounts.length > 0 ? [{ key, amounts, rates: [] }] : []
  })
}
