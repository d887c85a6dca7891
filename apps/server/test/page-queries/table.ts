import type { Db } from '../../src/database/connect.ts'
import type { Cursor } from '../../src/platform/cursor.ts'

// A generated table as numbers: row k is the k-th oldest. The matches of a filter are counted here, without the
// database, and compared with the answers of the queries.

type FilterValue = string | number | boolean
export type Filter = Record<string, FilterValue>

export interface Column {
  /** The filter that reads it. */
  filter: string
  /** The value of each row; -1 is null. */
  codes: Int16Array
  /** The value as the filter takes it. */
  nameOf: (code: number) => FilterValue
  /** The filter matches this value and higher ones. */
  atLeast?: true
}

export interface Explainable {
  sql: string
  parameters: readonly unknown[]
}

export interface GeneratedTable {
  name: 'prices' | 'changes'
  size: number
  columns: readonly Column[]
  /** Switches of the list that change which rows are shown; each is tried with every filter. */
  modes: readonly { filter: Filter; shows: (row: number, filter: Filter) => boolean }[]
  positionOf: (row: number) => Cursor
  /** Whether such pages are planned once, for any values. */
  canPrepare: (filter: Filter, cursor: Cursor | null) => boolean
  compile: (db: Db, filter: Filter, cursor: Cursor | null, limit: number) => Explainable
}

const firstInstant = Date.UTC(2025, 0, 1)
const secondsApart = 30
const microsecondsPerSecond = 1_000_000

/** `updated_at` of the k-th oldest row, equal to the SQL in `updatedAtSql`. */
export function updatedAtOf(row: number): string {
  const second = new Date(firstInstant + row * secondsApart * 1_000).toISOString().slice(0, 19)
  return `${second}.${String(row % microsecondsPerSecond).padStart(6, '0')}Z`
}

export const updatedAtSql = `timestamptz '2025-01-01Z' + k * interval '${secondsApart} seconds'
  + (k % ${microsecondsPerSecond}) * interval '1 microsecond'`

// Knuth's multiplier: ids in no order that time knows, and each only once.
const idMultiplier = 2_654_435_761

export function idOf(prefix: string, row: number): string {
  return `${prefix}_${(Math.imul(row, idMultiplier) >>> 0).toString(16)}`
}

export function idSql(prefix: string): string {
  return `'${prefix}_' || to_hex((k::bigint * ${idMultiplier}) % 4294967296)`
}

/** The same numbers in every run: uniform in [0, 1), from a row (or anything counted) and a purpose. */
export function chance(index: number, purpose: number): number {
  let hash = Math.imul(index + 1, 0x9e3779b1) ^ Math.imul(purpose + 1, 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 16), 0x21f0aaad)
  hash = Math.imul(hash ^ (hash >>> 15), 0x735a2d97)
  return ((hash ^ (hash >>> 15)) >>> 0) / 4_294_967_296
}

/** Picks from 0 to count - 1 with the weights 1, 1/2, 1/3 … */
export function zipf(count: number): (random: number) => number {
  const sums: number[] = []
  for (let rank = 1; rank <= count; rank += 1) sums.push((sums.at(-1) ?? 0) + 1 / rank)
  const total = sums.at(-1) ?? 1
  return (random) => sums.findIndex((sum) => random * total < sum)
}

/** Rows in the order they are stored: neighbours in time lie far apart, as they do in a table that lives. */
export function* storedOrder(size: number): Generator<number> {
  const stride = size % 7919 === 0 ? 7927 : 7919
  for (let index = 0; index < size; index += 1) yield (index * stride) % size
}
