/** A column of a table: its heading and the field it shows. */
export type Column<Row> = readonly [heading: string, value: keyof Row | ((row: Row) => unknown)]

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
  print(rows, options, () => (rows.length === 0 ? empty : tableOf(rows, columns)))
}

/** Plain spaces, no borders: the table can be read, copied and cut with standard tools. */
export function tableOf<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  const lines = rows.map((row) =>
    columns.map(([, value]) => cell(typeof value === 'function' ? value(row) : row[value])),
  )
  const widths = columns.map(([heading], index) =>
    lines.reduce((width, line) => Math.max(width, line[index]!.length), heading.length),
  )
  return [columns.map(([heading]) => heading), ...lines]
    .map((line) => line.map((text, index) => text.padEnd(widths[index]!)).join('  '))
    .join('\n')
}

/** One line, so that a row is one. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return '–'
  return typeof value === 'string' ? value.replaceAll(/\s*\n\s*/g, ' ') : JSON.stringify(value)
}

/** An instant for people: to the second, in UTC. */
export function shortTime(instant: string | null): string {
  return instant === null ? '–' : `${instant.slice(0, 10)} ${instant.slice(11, 19)}`
}
