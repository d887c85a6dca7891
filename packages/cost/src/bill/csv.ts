import { UsageError } from '../errors.ts'

/** The rows of a table with a header (RFC 4180), by the names of their columns. @throws UsageError that names the row */
export function readRows(text: string): Record<string, string>[] {
  const [header = [], ...rows] = cellsIn(`${text.replace(/^\u{feff}/u, '').trimEnd()}\n`)
  return rows
    .filter((row) => row.length > 1 || row[0] !== '')
    .map((row, index) => {
      if (row.length !== header.length)
        throw new UsageError(
          `Row ${index + 2} has ${row.length} fields, and the header has ${header.length}.`,
        )
      return Object.fromEntries(header.map((name, column) => [name.trim(), row[column]!]))
    })
}

function cellsIn(text: string): string[][] {
  const rows: string[][] = [[]]
  // A field, quoted or not, with what ends it.
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n)/y
  while (field.lastIndex < text.length) {
    const match = field.exec(text)
    if (match === null) throw new UsageError(`Row ${rows.length} has a quotation mark that does not end.`)
    const [, quoted, plain = '', end] = match
    rows.at(-1)!.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end !== ',') rows.push([])
  }
  return rows.filter((row) => row.length > 0)
}
