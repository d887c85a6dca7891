import { Decimal } from 'decimal.js'
import type { DecimalText, RejectedRow } from '../../../catalog/price-record.ts'
import type { Rate } from '../../../catalog/rate-card.ts'
import { lookUp } from '../../match/identify.ts'
import {
  cellReader,
  findOptionalTables,
  isTimes,
  readAmounts,
  tokenRates,
  whereIs,
  type KnownTable,
  type Row,
  type Table,
} from './page.ts'

/** A row of the table of prices, for as long as it says. */
export interface Model {
  name: string
  /** Its last and its first day. */
  until: string | null
  from: string | null
  /** By column: input, 5m and 1h cache writes, cache hits, output. */
  amounts: readonly (DecimalText | null)[]
}

/** Rates that a further table states for some models. */
export interface Extra {
  names: readonly string[]
  rates: Rate[]
  row: Row
}

interface Extras {
  read: Extra[]
  rejected: RejectedRow[]
}

/** The tables of long requests and of fast mode, as far as they name their models. */
export function readExtras(tables: readonly Table[], models: readonly Model[]): Extras {
  const long = findOptionalTables(tables, longTable)
  const fast = findOptionalTables(tables, fastTable)
  const extras = [
    ...long.tables.flatMap((table) => readLongContext(table, models)),
    ...fast.tables.flatMap((table) => readFastMode(table, models)),
  ]
  return {
    read: extras.filter((extra) => 'rates' in extra),
    rejected: [...long.rejected, ...fast.rejected, ...extras.filter((extra) => 'reason' in extra)],
  }
}

const longTable: KnownTable = {
  heading: 'Long context pricing',
  headers: [['Model', '≤ 200K input tokens', '> 200K input tokens']],
}
const longThreshold = 200_000
/** What every state of the page has had; the page does not say so, and another multiple waits for an eye. */
const longMultiples = { input: '2', output: '1.5' }

/** Two lines for each model, the second without its name: `Input: $5 / MTok`, `Output: $25 / MTok`. */
function readLongContext(table: Table, models: readonly Model[]): (Extra | RejectedRow)[] {
  return table.rows.flatMap((row, index): (Extra | RejectedRow)[] => {
    const [cell = ''] = row.cells
    const second = table.rows[index + 1]
    if (cell === '') return []
    const refuse = (reason: string) => [
      { id: `${cell}, long context`, reason: `${reason} (${whereIs(table, row)})` },
    ]
    if (second?.cells[0] !== '') return refuse('has no second line, for its output')
    const named = findModels(cell, models)
    const input = readAmounts(table, row, cellReader('Input: $', ' / MTok'))
    const output = readAmounts(table, second, cellReader('Output: $', ' / MTok'))
    for (const part of [named, input, output]) if ('reason' in part) return refuse(part.reason)
    if (!('models' in named && 'amounts' in input && 'amounts' in output)) return []

    const agrees = named.models.every(
      (model) =>
        isTimes(input.amounts[0], model.amounts[0], '1') &&
        isTimes(output.amounts[0], model.amounts[4], '1') &&
        isTimes(input.amounts[1], model.amounts[0], longMultiples.input) &&
        isTimes(output.amounts[1], model.amounts[4], longMultiples.output),
    )
    if (!agrees) return refuse('is not the price of its models, and 2 and 1.5 times of it')
    const only = { threshold: longThreshold }
    const names = named.models.map(({ name }) => name)
    return [
      { names, row, rates: tokenRates({ input_tokens: input.amounts[1] }, only) },
      { names, row: second, rates: tokenRates({ output_tokens: output.amounts[1] }, only) },
    ]
  })
}

const fastTable: KnownTable = { heading: 'Fast mode pricing', headers: [['Model', 'Input', 'Output']] }

/**
 * Input and output are one multiple of the model's own. Of two multiples, or beside a row that cannot be read, nothing says
 * which is whose.
 */
function readFastMode(table: Table, models: readonly Model[]): (Extra | RejectedRow)[] {
  const multiples = new Set<string>()
  const rows = table.rows.map((row): Extra | RejectedRow => {
    const [cell = ''] = row.cells
    const refuse = (reason: string) => ({
      id: `${cell}, fast mode`,
      reason: `${reason} (${whereIs(table, row)})`,
    })
    const named = findModels(cell, models)
    if ('reason' in named) return refuse(named.reason)
    const read = readAmounts(table, row, cellReader('$', ' / MTok'))
    if ('reason' in read) return refuse(read.reason)
    const [input, output] = read.amounts
    const own = named.models.flatMap(({ amounts }) => [
      new Decimal(input ?? 0).div(amounts[0] ?? 1).toFixed(6),
      new Decimal(output ?? 0).div(amounts[4] ?? 1).toFixed(6),
    ])
    for (const multiple of own) multiples.add(multiple)
    const rates = tokenRates({ input_tokens: input, output_tokens: output }, { service_tier: 'fast' })
    return { names: named.models.map(({ name }) => name), row, rates }
  })
  const refused = rows.filter((row) => 'reason' in row)
  if (refused.length > 0) return refused
  if (multiples.size <= 1) return rows
  const reason = `has more than one multiple of its models' prices: ${[...multiples].map(Number).join(', ')}`
  return [{ id: fastTable.heading, reason: `${reason} (${whereIs(table, table.rows[0]!)})` }]
}

/** Rows of several models, as the page has written them. */
const joinedNames: Readonly<Record<string, readonly string[]>> = {
  'Claude Sonnet 4.5 / 4': ['Claude Sonnet 4.5', 'Claude Sonnet 4'],
  'Claude Opus 5 / Claude Opus 4.8': ['Claude Opus 5', 'Claude Opus 4.8'],
}

function findModels(cell: string, models: readonly Model[]): { models: Model[] } | { reason: string } {
  const names = lookUp(joinedNames, cell) ?? [cell]
  const found = names.flatMap((name) => models.filter((model) => model.name === name))
  const isClear =
    found.length === names.length && found.every(({ from, until }) => from === null && until === null)
  return isClear ? { models: found } : { reason: 'names no models that are read from the table of prices' }
}
