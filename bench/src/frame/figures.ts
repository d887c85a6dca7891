// What a benchmark finds out: figures, each beside the aim it is held against, and tables of them.

export interface Figure {
  name: string
  value: number
  unit: string
  /** Lowest and highest of the rounds; the value is their median. */
  range?: Range
  aim?: Aim
}

interface Range {
  min: number
  max: number
}

export interface Aim {
  least?: number
  most?: number
}

export interface Table {
  title: string
  head: readonly string[]
  /** So many of the first columns are text; the others are numbers. Default 1. */
  textColumns?: number
  rows: readonly (readonly string[])[]
}

/** A figure, or the median of what was found in several rounds. */
export function figureOf(name: string, unit: string, found: number | readonly number[], aim?: Aim): Figure {
  if (typeof found === 'number') return { name, value: found, unit, ...(aim && { aim }) }
  return { name, value: median(found), unit, range: rangeOf(found), ...(aim && { aim }) }
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

/** As Prettier would write it in a document; a terminal shows the same. */
export function formatTable({ title, head, rows, textColumns = 1 }: Table): string {
  const all = [head, ...rows]
  const widths = head.map((_, column) => Math.max(3, ...all.map((row) => row[column]!.length)))
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const [first = '', ...others] = all.map((row) =>
    line(row.map((cell, column) => cell[column < textColumns ? 'padEnd' : 'padStart'](widths[column]!))),
  )
  const rule = line(
    widths.map((width, column) => (column < textColumns ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)),
  )
  return [`### ${title}`, '', first, rule, ...others].join('\n')
}

/** Three digits that say something, whatever the size. */
export function shown(value: number): string {
  if (!Number.isFinite(value)) return 'none'
  if (Math.abs(value) >= 100) return counted(Math.round(value))
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2)
}

export function counted(count: number): string {
  return count.toLocaleString('en-US')
}

export function rangeText({ min, max }: Range): string {
  return `${shown(min)} to ${shown(max)}`
}

function aimText(aim: Aim | undefined): string {
  if (aim?.least !== undefined) return `at least ${shown(aim.least)}`
  if (aim?.most !== undefined) return `at most ${shown(aim.most)}`
  return ''
}

export function rangeOf(values: readonly number[]): Range {
  return { min: Math.min(...values), max: Math.max(...values) }
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5)
}

export function percentile(values: readonly number[], share: number): number {
  const ascending = values.toSorted((one, other) => one - other)
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))] ?? NaN
}

export function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

/** Progress goes to stderr: stdout is for the result. */
export function say(text: string): void {
  console.error(text)
}
