import { spreadOf } from './statistics.ts'

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
  head: readonly string[]
  /** So many of the first columns are text; the others are numbers. Default 1. */
  textColumns?: number
  rows: readonly (readonly string[])[]
}

/** What was found in several rounds. */
export function figureOf(name: string, unit: string, values: readonly number[], aim?: Aim): Figure {
  const { median: value, ...range } = spreadOf(values)
  return { name, value, unit, range, ...(aim && { aim }) }
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
export function formatText(table: Table): string {
  const [head = '', ...lines] = alignedRows(table).map((cells) => cells.join('  ').trimEnd())
  const rule = '-'.repeat(Math.max(...[head, ...lines].map((line) => line.length)))
  return [table.title, '', head, rule, ...lines].join('\n')
}

/** For a document, as Prettier would write it. */
export function formatMarkdown(table: Table): string {
  const [head = [], ...rows] = alignedRows(table, 3)
  const rule = head.map(({ length }, column) =>
    column < (table.textColumns ?? 1) ? '-'.repeat(length) : `${'-'.repeat(length - 1)}:`,
  )
  const lines = [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  return [`### ${table.title}`, '', ...lines].join('\n')
}

function alignedRows({ head, rows, textColumns = 1 }: Table, widthMin = 0): string[][] {
  const all = [head, ...rows]
  const widths = head.map((_, column) => Math.max(widthMin, ...all.map((row) => row[column]?.length ?? 0)))
  return all.map((row) =>
    row.map((cell, column) => cell[column < textColumns ? 'padEnd' : 'padStart'](widths[column] ?? 0)),
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
