import type { Row, Table } from './page.ts'

/** The tables of a markdown page, as GitHub writes them: with a `|` at both ends of each line. */
export function readMarkdownTables(text: string): Table[] {
  const tables: Table[] = []
  let block: { heading: string; row: Row }[] = []
  const close = () => {
    const [header, delimiter, ...rows] = block
    block = []
    if (header && delimiter?.row.cells.every((cell) => /^:?-+:?$/.test(cell)))
      tables.push({ heading: header.heading, header: header.row.cells, rows: rows.map(({ row }) => row) })
  }
  for (const { heading, ...line } of readLines(text)) {
    if (line.text.startsWith('|')) block.push({ heading, row: { cells: splitCells(line.text), ...line } })
    else close()
  }
  close()
  return tables
}

export interface Line extends Omit<Row, 'cells'> {
  /** The heading above it; '' above the first. */
  heading: string
}

/** The lines of a markdown page; those of its code are empty. */
export function* readLines(text: string): Generator<Line> {
  let heading = ''
  let fence: string | null = null
  let from = 0
  for (const raw of text.split('\n')) {
    const line = raw.replace(/\r$/, '')
    const mark = /^ {0,3}(```|~~~)/.exec(line)?.[1]
    if (mark !== undefined && (fence === null || fence === mark)) fence = fence === null ? mark : null
    if (fence === null) heading = /^#{1,6} +(.+)$/.exec(line.trimEnd())?.[1] ?? heading
    yield { heading, text: fence === null ? line : '', from, to: from + Buffer.byteLength(line) }
    from += Buffer.byteLength(raw) + 1
  }
}

/** A line without its last `|` was cut. */
function splitCells(line: string): string[] {
  const [, ...cells] = line.trimEnd().split(/(?<!\\)\|/)
  const last = cells.pop()
  return [...cells, ...(last === '' ? [] : ['(the row is cut)'])].map((cell) =>
    cell.trim().replace(/\s+/g, ' '),
  )
}
