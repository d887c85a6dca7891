import type { Cursor } from '@ratecard/contract/cursor'
import { instantText, type FakeClock } from './clock.ts'
import type { ListQuery } from './query.ts'

export interface PageOfRows<Row> {
  rows: Row[]
  next: Cursor | null
}

/**
 * Rows in the order in which they moved last. Each move has its own microsecond, later than all before:
 * pollers miss nothing.
 */
export class RowsInOrder<Row extends { updated_at: string }> {
  readonly #pickId: (row: Row) => string
  /** Oldest first. */
  readonly #rows: Row[] = []
  #lastMicros = 0

  constructor(pickId: (row: Row) => string) {
    this.#pickId = pickId
  }

  newestFirst(): Row[] {
    return this.#rows.toReversed()
  }

  /** When the next row moves: now, or a microsecond after the last one when that is later. */
  nextMicros(clock: FakeClock): number {
    return Math.max(clock.nowMs() * 1000, this.#lastMicros + 1)
  }

  find(id: string): Row | undefined {
    return this.#rows.find((row) => this.#pickId(row) === id)
  }

  /**
   * Puts a row in front of all others, in the place of the one with its id; unless that one is the same, which stays
   * where it is.
   * @returns the row that is stored
   */
  put(row: Omit<Row, 'updated_at'>, micros: number): Row {
    const moved = { ...row, updated_at: instantText(micros) } as Row
    const id = this.#pickId(moved)
    const before = this.find(id)
    if (before && JSON.stringify({ ...before, ...row }) === JSON.stringify(before)) return before
    this.remove(id)
    this.#rows.push(moved)
    this.#lastMicros = micros
    return moved
  }

  remove(id: string): boolean {
    const index = this.#rows.findIndex((row) => this.#pickId(row) === id)
    if (index !== -1) this.#rows.splice(index, 1)
    return index !== -1
  }

  page(matches: (row: Row) => boolean, { since, cursor, limit }: ListQuery): PageOfRows<Row> {
    const found = this.newestFirst()
      .filter((row) => since === null || row.updated_at >= since)
      .filter((row) => cursor === null || this.#isAfter(row, cursor))
      .filter(matches)
    const rows = found.slice(0, limit)
    const last = rows.at(-1)
    const next = found.length > limit && last ? { updatedAt: last.updated_at, id: this.#pickId(last) } : null
    return { rows, next }
  }

  #isAfter(row: Row, cursor: Cursor): boolean {
    if (row.updated_at !== cursor.updatedAt) return row.updated_at < cursor.updatedAt
    return isBytewiseLess(this.#pickId(row), cursor.id)
  }
}

/** By code points, which is the order of the UTF-8 bytes; `<` would compare UTF-16 units. */
function isBytewiseLess(left: string, right: string): boolean {
  const [a, b] = [Array.from(left), Array.from(right)]
  const at = a.findIndex((character, index) => character !== b[index])
  if (at === -1) return a.length < b.length
  return at < b.length && a[at]!.codePointAt(0)! < b[at]!.codePointAt(0)!
}
