// What a benchmark finds out: figures, each beside the aim it is held against.

export interface Figure {
  name: string
  value: number
  unit: string
  /** Lowest and highest of the rounds; the value is their median. */
  range?: Range
  aim?: Aim
}

export interface Range {
  min: number
  max: number
}

export interface Aim {
  least?: number
  most?: number
}

export interface Table {
  title: string
  /** The first column is text, the others are numbers. */
  head: readonly string[]
  rows: readonly (readonly string[])[]
}

export function isMissed({ value, aim }: Figure): boolean {
  if (!aim) return false
  return !(value >= (aim.least ?? -Infinity) && value <= (aim.most ?? Infinity))
}

export function figureTable(title: string, figures: readonly Figure[]): Table {
  return {
    title,
    head: ['', 'median', 'min to max', 'unit', 'aim', ''],
    rows: figures.map((figure) => [
      figure.name,
      shown(figure.value),
      figure.range ? rangeText(figure.range) : '',
      figure.unit,
      aimText(figure.aim),
      figure.aim ? (isMissed(figure) ? 'MISSED' : 'holds') : '',
    ]),
  }
}

/** For a terminal. */
export function formatText({ title, head, rows }: Table): string {
  const lines = aligned([head, ...rows], (cells) => cells.join('  ').trimEnd())
  const [first = ''] = lines
  return [
    title,
    '',
    first,
    '-'.repeat(Math.max(...lines.map((line) => line.length))),
    ...lines.slice(1),
  ].join('\n')
}

/** For a document, as Prettier would write it. */
export function formatMarkdown({ title, head, rows }: Table): string {
  const lines = aligned([head, ...rows], (cells) => `| ${cells.join(' | ')} |`, 3)
  const widths = widthsOf([head, ...rows], 3)
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  return [`### ${title}`, '', lines[0], `| ${rule.join(' | ')} |`, ...lines.slice(1)].join('\n')
}

function aligned(
  rows: readonly (readonly string[])[],
  join: (cells: string[]) => string,
  widthMin = 0,
): string[] {
  const widths = widthsOf(rows, widthMin)
  return rows.map((row) =>
    join(
      row.map((cell, column) => {
        const width = widths[column] ?? 0
        return column === 0 ? cell.padEnd(width) : cell.padStart(width)
      }),
    ),
  )
}

function widthsOf(rows: readonly (readonly string[])[], widthMin: number): number[] {
  const columns = Math.max(...rows.map((row) => row.length))
  return Array.from({ length: columns }, (_, column) =>
    Math.max(widthMin, ...rows.map((row) => row[column]?.length ?? 0)),
  )
}

/** Three digits that say something, whatever the size. */
export function shown(value: number): string {
  if (!Number.isFinite(value)) return 'none'
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US')
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2)
}

export function rangeText({ min, max }: Range): string {
  return `${shown(min)} to ${shown(max)}`
}

function aimText(aim: Aim | undefined): string {
  if (aim?.least !== undefined) return `at least ${shown(aim.least)}`
  if (aim?.most !== undefined) return `at most ${shown(aim.most)}`
  return ''
}

/** Progress goes to stderr: stdout is for the result. */
export function say(text: string): void {
  console.error(text)
}
