import type { Cursor } from '../../src/platform/cursor.ts'
import { updatedAtOf, type Column, type Filter, type GeneratedTable } from './table.ts'

/** One page of one filter. */
export interface PageCase {
  table: GeneratedTable
  filter: Filter
  /** Why these values were chosen. */
  match: Match
  position: Position
  cursor: Cursor | null
  /** Rows from the cursor to the end: the page must have as many, or its limit. */
  left: number
}

/** `little`: common values with few rows in common. `none`: common values with nothing in common. */
type Match = 'all' | 'much' | 'little' | 'rare' | 'none'
type Position = 'first' | 'middle' | 'last'

const lastPageRows = 50
const recentRows = 200
const commonValues = 8
const unknownValue = 'nobody'

/** Every subset of the filters, with values of every kind, `since` of every kind, at the start, middle and end. */
export function* listCases(table: GeneratedTable): Generator<PageCase> {
  for (const mode of table.modes) {
    for (const columns of subsetsOf(table.columns)) {
      for (const [match, values] of chooseFilters(table, columns, mode)) {
        const filter = { ...values, ...mode.filter }
        const rows = matchingRows(table, columns, filter, mode)
        for (const since of sinceRows(table)) {
          const shown = since === null ? rows : rows.subarray(firstFrom(rows, since))
          const whole = since === null ? filter : { ...filter, since: updatedAtOf(since) }
          yield* listPages(table, whole, match, shown)
        }
      }
    }
  }
}

function* listPages(
  table: GeneratedTable,
  filter: Filter,
  match: Match,
  rows: Int32Array,
): Generator<PageCase> {
  const shared = { table, filter, match }
  yield { ...shared, position: 'first', cursor: null, left: rows.length }
  // A cursor is a position in the whole list: it may come with a filter that matches nothing.
  const [middle, last] =
    rows.length > 0
      ? [Math.floor(rows.length / 2), Math.min(lastPageRows, rows.length - 1)].map((left) => ({
          left,
          row: rows[left] ?? 0,
        }))
      : [Math.floor(table.size / 2), lastPageRows].map((row) => ({ left: 0, row }))
  if (!middle || !last) return
  yield { ...shared, position: 'middle', cursor: table.positionOf(middle.row), left: middle.left }
  yield { ...shared, position: 'last', cursor: table.positionOf(last.row), left: last.left }
}

/** No `since`, nearly everything, the newest few, nothing any more. */
function sinceRows({ size }: GeneratedTable): (number | null)[] {
  return [null, Math.floor(size / 10), size - recentRows, size]
}

function subsetsOf<T>(items: readonly T[]): T[][] {
  return Array.from({ length: 2 ** items.length }, (_, bits) =>
    items.filter((_, index) => bits & (1 << index)),
  )
}

type Mode = GeneratedTable['modes'][number]

interface Candidate {
  code: number
  count: number
}

interface Combination {
  codes: number[]
  /** Rows that all the values have in common. */
  count: number
  /** How common the values are, each for itself. */
  weight: number
}

function chooseFilters(
  table: GeneratedTable,
  columns: readonly Column[],
  mode: Mode,
): [match: Match, filter: Filter][] {
  if (columns.length === 0) return [['all', {}]]
  const candidates = columns.map((column) => commonest(column))
  const combinations = combine(table, columns, candidates, mode)
  const common = combinations.filter((combination) => combination.count > 0)
  const named = (codes: readonly number[]): Filter =>
    Object.fromEntries(columns.map((column, index) => [column.filter, column.nameOf(codes[index] ?? -1)]))

  const much = maxBy(common, ({ count }) => count)
  const little = maxBy(common, ({ count, weight }) => weight / 1_000 - count)
  const none = maxBy(
    combinations.filter(({ count }) => count === 0),
    ({ weight }) => weight,
  )
  const filters: [Match, Filter][] = [['rare', named(columns.map(rarest))]]
  if (much) filters.push(['much', named(much.codes)])
  if (little) filters.push(['little', named(little.codes)])
  if (none) filters.push(['none', named(none.codes)])
  else if (much) {
    const [column] = columns.filter(({ atLeast }) => !atLeast)
    if (column) filters.push(['none', { ...named(much.codes), [column.filter]: unknownValue }])
  }
  return filters
}

function combine(
  { size }: GeneratedTable,
  columns: readonly Column[],
  candidates: readonly Candidate[][],
  mode: Mode,
): Combination[] {
  const probe = Object.fromEntries(columns.map(({ filter }) => [filter, '']))
  const combinations = candidates.reduce<Combination[]>(
    (all, values) =>
      values.flatMap(({ code, count }) =>
        all.map(({ codes, weight }) => ({
          codes: [...codes, code],
          count: 0,
          weight: weight + Math.log(count),
        })),
      ),
    [{ codes: [], count: 0, weight: 0 }],
  )
  const byKey = new Map(combinations.map((combination) => [keyOf(combination.codes), combination]))
  const exact = new Map<number, number>()
  for (let row = 0; row < size; row += 1) {
    if (!mode.shows(row, probe)) continue
    let key = 0
    for (const { codes } of columns) key = key * keyBase + (codes[row] ?? -1) + 1
    exact.set(key, (exact.get(key) ?? 0) + 1)
  }
  // Only the last column may be one of "at least": its higher values count for the lower ones.
  const higher = columns.at(-1)?.atLeast ? severityMax : 0
  for (const [key, combination] of byKey) {
    const last = combination.codes.at(-1) ?? 0
    for (let step = 0; step <= Math.max(0, higher - last); step += 1) {
      combination.count += exact.get(key + step) ?? 0
    }
  }
  return combinations
}

const severityMax = 5
const keyBase = 32_768

// Codes of at most three columns of 15 bits: a number holds them exactly, and four with small leading codes.
function keyOf(codes: readonly number[]): number {
  return codes.reduce((key, code) => key * keyBase + code + 1, 0)
}

function countsOf({ codes, atLeast }: Column): Candidate[] {
  const counts = new Map<number, number>()
  for (const code of codes) if (code >= 0) counts.set(code, (counts.get(code) ?? 0) + 1)
  // A filter for severity 1 or more matches everything.
  const values = [...counts]
    .map(([code, count]) => ({ code, count }))
    .filter(({ code }) => !atLeast || code > 1)
  return values.sort((one, other) => other.count - one.count || one.code - other.code)
}

function commonest(column: Column): Candidate[] {
  return countsOf(column).slice(0, commonValues)
}

function rarest(column: Column): number {
  return countsOf(column).at(-1)?.code ?? -1
}

function maxBy<T>(items: readonly T[], score: (item: T) => number): T | undefined {
  return items.reduce<T | undefined>(
    (best, item) => (best === undefined || score(item) > score(best) ? item : best),
    undefined,
  )
}

/** The rows that a filter matches, oldest first. */
function matchingRows(
  { size }: GeneratedTable,
  columns: readonly Column[],
  filter: Filter,
  mode: Mode,
): Int32Array {
  const wanted = columns.map((column) => {
    const code = countsOf(column).find((value) => column.nameOf(value.code) === filter[column.filter])?.code
    return { codes: column.codes, code: code ?? Infinity, atLeast: column.atLeast === true }
  })
  const rows = new Int32Array(size)
  let length = 0
  for (let row = 0; row < size; row += 1) {
    const matches = wanted.every(({ codes, code, atLeast }) => {
      const value = codes[row] ?? -1
      return atLeast ? value >= code : value === code
    })
    if (matches && mode.shows(row, filter)) rows[length++] = row
  }
  return rows.slice(0, length)
}

/** Index of the first of the ascending rows that is not below `row`. */
function firstFrom(rows: Int32Array, row: number): number {
  const index = rows.findIndex((value) => value >= row)
  return index === -1 ? rows.length : index
}
