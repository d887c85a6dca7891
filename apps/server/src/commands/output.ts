import { pipeline } from 'node:stream/promises'

/** A column of a table: its heading and what it shows, or a field that is its own heading. */
export type Column<Row> =
  (keyof Row & string) | readonly [heading: string, value: keyof Row | ((row: Row) => unknown)]

export interface OutputOptions {
  json?: boolean
}

/** Prints a result: with `--json` as one JSON document, else as lines of text. */
export function print(result: unknown, { json }: OutputOptions, lines: () => string): void {
  process.stdout.write(`${json ? JSON.stringify(result, null, 2) : lines()}\n`)
}

/** Prints a list: as a JSON array with `--json`, else as a table, or `empty` when there is nothing. */
export function printList<Row>(
  rows: readonly Row[],
  options: OutputOptions,
  empty: string,
  columns: readonly Column<Row>[],
): void {
  print(rows, options, () => (rows.length === 0 ? empty : formatTable(rows, columns)))
}

/** A list that may end before its end. */
interface CutList<Row> {
  rows: readonly Row[]
  /** Null: these are all. `all` is the option that shows all of them; null: no limit is so large. */
  cut: { shown: number; all: string | null } | null
}

/**
 * Ends a list at its limit.
 * @param rows one more than the limit, when there are more
 * @param max the largest limit
 */
export function cutAt<Row>(rows: readonly Row[], limit: number, max: number): CutList<Row> {
  if (rows.length <= limit) return { rows, cut: null }
  return { rows: rows.slice(0, limit), cut: { shown: limit, all: limit < max ? `--limit ${max}` : null } }
}

/** Prints a list that may be cut: with `--json` as `{"rows", "cut"}`, else as a table, and on stderr that it is cut. */
export function printCut<Row>(
  list: CutList<Row>,
  options: OutputOptions,
  empty: string,
  columns: readonly Column<Row>[],
): void {
  print(list, options, () => (list.rows.length === 0 ? empty : formatTable(list.rows, columns)))
  if (list.cut && !options.json)
    process.stderr.write(
      `There are more${list.cut.all === null ? ', than any limit shows.' : `: ${list.cut.all}`}\n`,
    )
}

/** Plain spaces, no borders: the table can be read, copied and cut with standard tools. */
export function formatTable<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  const shown = columns.map((column) => (typeof column === 'string' ? ([column, column] as const) : column))
  const lines = rows.map((row) =>
    shown.map(([, value]) => cell(typeof value === 'function' ? value(row) : row[value])),
  )
  const widths = shown.map(([heading], index) =>
    lines.reduce((width, line) => Math.max(width, line[index]!.length), heading.length),
  )
  return [shown.map(([heading]) => heading), ...lines]
    .map((line) => line.map((text, index) => text.padEnd(widths[index]!)).join('  '))
    .join('\n')
}

/** A table of one row: its fields by their names. */
export function formatRow<Row extends object>(row: Row): string {
  return formatTable([row], Object.keys(row) as (keyof Row & string)[])
}

/** One line, so that a row is one. Names come from files: what moves a cursor or turns a text round is shown as �. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return '–'
  if (typeof value !== 'string') return JSON.stringify(value)
  return value
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '\ufffd')
}

/** Writes to stdout as fast as the reader reads. The reader may close the pipe early. */
export async function writeOut(parts: AsyncIterable<string | Buffer>): Promise<void> {
  await pipeline(parts, process.stdout, { end: false }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}

/** An instant for people: to the second, in UTC. */
export function shortTime(instant: string | null): string {
  return instant === null ? '–' : `${instant.slice(0, 10)} ${instant.slice(11, 19)}`
}
