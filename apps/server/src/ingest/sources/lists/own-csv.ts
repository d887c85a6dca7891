import { pipeline } from 'node:stream/promises'
import { CsvError, parse, type Info } from 'csv-parse'
import type { RejectedRow } from '../../../catalog/price-record.ts'
import { UserError } from '../../../platform/user-error.ts'
import type { SourceReading } from '../../source-record.ts'
import { ownColumns, ownReading, readOwnRow, type OwnRow } from './own-prices.ts'

const known: ReadonlySet<string> = new Set(ownColumns)

/** Longer than any reasonable row. */
const rowBytesMax = 64 * 1_024
/** A quote was probably never closed. The limit finds it here and not at the end of the file. */
const quoteBytesMax = 2 * 1_024 * 1_024

/**
 * An operator's own prices as CSV: RFC 4180, separated by commas, in UTF-8, the first row naming the columns. Rows are
 * read as a stream. Only the results are kept.
 * @param ignored further columns that the file may have
 * @throws UserError that names the line, when it is not such a file
 */
export async function readOwnCsv(
  chunks: Iterable<string> | AsyncIterable<string | Uint8Array>,
  now: Date,
  ignored: readonly string[] = [],
): Promise<SourceReading> {
  const rows: (OwnRow | RejectedRow)[] = []
  let columns: string[] | null = null
  const parser = parse({
    bom: true,
    info: true,
    trim: true,
    relax_column_count: true, // reported below, by row
    skip_empty_lines: true,
    max_record_size: quoteBytesMax,
  })
  await pipeline(chunks, parser, async (parsed: AsyncIterable<{ record: string[]; info: Info }>) => {
    for await (const { record, info } of parsed) {
      if (columns === null) columns = checkedHeader(record, ignored)
      else rows.push(readRow(columns, record, `line ${info.lines}`))
    }
  }).catch((error: unknown) => {
    throw error instanceof CsvError ? csvFailure(error) : error
  })
  if (columns === null) throw new UserError('The CSV is empty: its first row names the columns.')
  return ownReading(rows, now)
}

/** The text in pieces that end with a line: the parser need not take all of it at once. */
export function* pieces(text: string, length = 64 * 1024): Generator<string> {
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start + length)
    const end = newline === -1 ? text.length : newline + 1
    yield text.slice(start, end)
    start = end
  }
}

function checkedHeader(columns: string[], ignored: readonly string[]): string[] {
  const unknown = columns.filter((column) => !known.has(column) && !ignored.includes(column))
  if (unknown.length > 0) {
    const separator = /[;\t]/.test(unknown.join('')) ? ' Columns are separated by commas.' : ''
    const names = unknown.map((column) => `"${column}"`).join(', ')
    throw new UserError(
      `Unknown columns in the CSV: ${names}.${separator} Known are ${ownColumns.join(', ')}.`,
    )
  }
  const twice = columns.find((column, index) => columns.indexOf(column) !== index)
  if (twice !== undefined) throw new UserError(`The CSV names the column "${twice}" twice.`)
  if (!columns.includes('resource_id') && !(columns.includes('platform') && columns.includes('id')))
    throw new UserError('The CSV needs the column resource_id, or the columns platform and id.')
  return columns
}

function readRow(
  columns: readonly string[],
  record: readonly string[],
  location: string,
): OwnRow | RejectedRow {
  if (record.length !== columns.length) {
    const reason = `${location}: has ${record.length} fields, where the first row names ${columns.length} columns`
    return { id: location, reason }
  }
  if (record.reduce((length, field) => length + field.length, 0) > rowBytesMax)
    return { id: location, reason: `${location}: has more than ${rowBytesMax} characters` }
  // An empty field is not stated.
  const values = columns.flatMap((column, index) =>
    known.has(column) ? [[column, record[index] === '' ? null : record[index]]] : [],
  )
  return readOwnRow(location, Object.fromEntries(values))
}

const csvFailures: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is never closed',
  CSV_INVALID_CLOSING_QUOTE: 'something follows a closing quote; a quote within a field is doubled',
  INVALID_OPENING_QUOTE: 'a quote stands within a field that is not quoted; quote the field and double it',
  CSV_MAX_RECORD_SIZE: `a row has more than ${quoteBytesMax} bytes: is a quote never closed?`,
}

function csvFailure(error: CsvError): UserError {
  const reason = csvFailures[error.code] ?? error.message
  const line = typeof error.lines === 'number' ? ` at line ${error.lines}` : ''
  return new UserError(`The CSV cannot be read${line}: ${reason}.`, { cause: error })
}
