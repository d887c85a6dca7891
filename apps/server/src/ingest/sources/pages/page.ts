import { Decimal } from 'decimal.js'
import type { DecimalText, RejectedRow } from '../../../catalog/price-record.ts'
import { readDecimal } from '../../../catalog/decimal.ts'
import type { Rate } from '../../../catalog/rate-card.ts'
import { UserError } from '../../../platform/user-error.ts'
import { noAmounts, quoteLengthMax, type Quote } from '../../source-record.ts'
import { toRate, type Candidate } from '../reading/reading.ts'

/** A row of a table, and where the document holds it. */
export interface Row {
  /** Blanks within are one, those around are none. */
  cells: readonly string[]
  /** Verbatim. */
  text: string
  /** Its bytes, UTF-8: the first, and the one after the last. */
  from: number
  to: number
}

export interface Table {
  /** The heading above it; '' above the first. */
  heading: string
  header: readonly string[]
  rows: readonly Row[]
}

/** How a page has written a table so far. A table with any other words is not read: its columns may be others. */
export interface KnownTable {
  heading: string
  headers: readonly (readonly string[])[]
}

/**
 * The one table under its heading.
 * @throws UserError where there is none or are several, or where its header is unknown; it shows both headers
 */
export function findTable(page: string, tables: readonly Table[], known: KnownTable): Table {
  const found = tables.filter(({ heading }) => heading === known.heading)
  const problem =
    found.length === 1 ? checkHeader(known, found[0]) : `there are ${found.length} tables under it`
  if (problem === undefined && found[0]) return found[0]
  throw new UserError(`${page}: "${known.heading}" cannot be read: ${problem}.`)
}

/** The tables under a heading that some states of a page do not have, and why others there cannot be read. */
export function findOptionalTables(
  tables: readonly Table[],
  known: KnownTable,
): { tables: Table[]; rejected: RejectedRow[] } {
  const found = tables.filter(({ heading }) => heading === known.heading)
  const isRead = (table: Table) => checkHeader(known, table) === undefined
  return {
    tables: found.filter(isRead),
    rejected: found.flatMap((table) => {
      const reason = checkHeader(known, table)
      return reason === undefined ? [] : [{ id: known.heading, reason: `cannot be read: ${reason}` }]
    }),
  }
}

function checkHeader({ headers }: KnownTable, table: Table | undefined): string | undefined {
  const found = line(table?.header ?? [])
  if (headers.some((header) => line(header) === found)) return undefined
  return (
    `its header is none that was read before. Stored: ${headers.map(line).join('  or  ')}. Found: ${found}. ` +
    'Compare the columns by eye, and add the header to the reader'
  )
}

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`

/** Where a refused row stands. */
export function whereIs({ heading }: Table, { from, to }: Row): string {
  return `"${heading}", bytes ${from} to ${to}`
}

/** Whether a name stands in several rows: what it costs is then not clear. */
export function isTwice({ cells: [name] }: Row, tables: readonly Table[]): boolean {
  return tables.flatMap(({ rows }) => rows).filter(({ cells }) => cells[0] === name).length > 1
}

/** Reads one amount, or says why the cell is none. */
export type ReadCell = (cell: string) => { amount: DecimalText | null } | { problem: string }

/** Reads `$5 / MTok` by its words before and after the number. Anything else, a footnote's digit too, is no amount. */
export function cellReader(before: string, after: string): ReadCell {
  return (cell) => {
    const number =
      cell.startsWith(before) && cell.endsWith(after)
        ? cell.slice(before.length, cell.length - after.length)
        : ''
    if (!/^(?:0|[1-9]\d{0,4})(?:\.\d{1,6})?$/.test(number))
      return { problem: `is not "${before}1.23${after}": ${cell}` }
    return readDecimal(number)
  }
}

/** The amounts of the cells after the first `skipped`, or why the row states none. */
export function readAmounts(
  table: Table,
  row: Row,
  readCell: ReadCell,
  skipped = 1,
): { amounts: (DecimalText | null)[] } | { reason: string } {
  const { header } = table
  if (row.cells.length !== header.length)
    return {
      reason: `has ${row.cells.length} cells under ${header.length} headings (${whereIs(table, row)})`,
    }
  const readings = row.cells.slice(skipped).map(readCell)
  const problems = readings.flatMap((reading, index) =>
    'problem' in reading ? [`${header[index + skipped]} ${reading.problem}`] : [],
  )
  if (problems.length > 0) return { reason: `${problems.join('; ')} (${whereIs(table, row)})` }
  return { amounts: readings.map((reading) => ('amount' in reading ? reading.amount : null)) }
}

/** A price in USD of a language model by its tokens, unless `stated` says otherwise. */
export function pagePrice(source_url: string, stated: Partial<Candidate['price']>): Candidate['price'] {
  return {
    modality: 'llm',
    unit: '1m_tokens',
    ...noAmounts,
    currency: 'USD',
    source_url,
    effective_at: null,
    ...stated,
  }
}

/** The rates of tokens that are stated. */
export function tokenRates(
  stated: Readonly<Record<string, DecimalText | null | undefined>>,
  only: Parameters<typeof toRate>[3] = {},
): Rate[] {
  return Object.entries(stated).flatMap(([meter, amount]) =>
    amount == null ? [] : [toRate(meter, '1m_tokens', amount, only)],
  )
}

/** Whether an amount is exactly so many times another. */
export function isTimes(
  amount: DecimalText | null | undefined,
  of: DecimalText | null | undefined,
  times: string,
): boolean {
  return amount != null && of != null && new Decimal(of).times(times).eq(amount)
}

/** A row as the evidence of what it states; of a longer row its beginning. */
export function quoteRow({ text, from }: Pick<Row, 'text' | 'from'>, of: readonly string[]): Quote {
  const quoted = text.slice(0, quoteLengthMax).replace(/[\ud800-\udbff]$/, '')
  return { of, text: quoted, from, to: from + Buffer.byteLength(quoted) }
}

/** More rows than this that contradict another part of their page are a table that has shifted. */
const contradictionsMax = 2

/** @throws UserError when so many rows contradict each other that none of them is to be believed */
export function checkContradictions(page: string, contradictions: readonly RejectedRow[]): void {
  const [first] = contradictions
  if (!first || contradictions.length <= contradictionsMax) return
  throw new UserError(
    `${page}: ${contradictions.length} rows contradict the page itself, so a column or the names have shifted. ` +
      `The first: ${first.id} ${first.reason}. Compare the page by eye.`,
  )
}

const months = [
  'January', 'February', 'March', 'April', 'May', 'June',
  'July', 'August', 'September', 'October', 'November', 'December',
] // prettier-ignore

/** The day of `August 31, 2026`; null: it is none. */
export function parseEnglishDay(text: string): string | null {
  const [, word = '', day = '', year = ''] = /^([A-Z][a-z]+) (\d{1,2}), (\d{4})$/.exec(text) ?? []
  const month = months.indexOf(word) + 1
  return asDay(`${year}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`)
}

/** The day of `Aug 31, 2026`; null: it is none. */
export function parseShortDay(text: string): string | null {
  const name = months.find((month) => text.startsWith(`${month.slice(0, 3)} `))
  return name === undefined ? null : parseEnglishDay(name + text.slice(3))
}

/** The day that a text is, `YYYY-MM-DD`; null: there is none such. */
export function asDay(stated: string): string | null {
  const time = Date.parse(`${stated}T00:00:00Z`)
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== stated ? null : stated
}
