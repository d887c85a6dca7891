import { z } from 'zod'
import { complaints } from '../reading/reading.ts'
import { readElements } from './html-tables.ts'
import { countBytes } from '../reading/count-bytes.ts'

/** A row of the component that shows a tier: `["gpt-5.4", 2.5, 0.25, 15]`. */
export interface PricedRow {
  name: string
  /** As they are written; null: the model has no such price. */
  values: readonly (string | null)[]
  text: string
  from: number
  to: number
}

export interface TierTable {
  tier: string
  rows: PricedRow[]
  /** Lines among its rows that are none. */
  unreadable: Omit<PricedRow, 'name' | 'values'>[]
}

const tablesMax = 50

/** What the page's tables are made with. Everything else on it is of another form. */
const component = 'TextTokenPricingTables'

/**
 * The tables of a page whose source is shown as it is: components with their rows.
 * @returns why they cannot be read, where a table is cut, in the pane of another tier, or of another unit
 */
export function readComponents(text: string): TierTable[] | { reason: string } {
  const tables: TierTable[] = []
  const begun = text.split(`<${component}\n`).length - 1
  if (begun > tablesMax) return { reason: `it has ${begun} tables, and no page has had more than 4` }
  for (const { index, 0: element } of text.matchAll(
    new RegExp(`<${component}\\n[^]*?\\n *\\]\\}\\n *\\/>`, 'g'),
  )) {
    const above = text.slice(0, index)
    const tier = /^ *tier="(\w+)"$/m.exec(element)?.[1]
    const pane = findLastMatch(above, /<div data-content-switcher-pane data-value="(\w+)"/g)
    const unit = findLastMatch(above, /<small className="pricing-switcher-meta">(.*)<\/small>/g)
    const [props = '', rows, rest] = element.split(/^ *rows=\{\[\n/m)
    if (tier === undefined || tier !== pane)
      return { reason: `a table "${tier}" stands in the pane "${pane}"` }
    if (unit !== 'Prices per 1M tokens.')
      return { reason: `the unit of "${tier}" is "${unit}", not "Prices per 1M tokens."` }
    if (rows === undefined || rest !== undefined)
      return { reason: `the table "${tier}" has not one list of rows` }
    tables.push(readRows(text, tier, index + element.indexOf(rows, props.length), rows))
  }
  return tables.length === begun ? tables : { reason: `of ${begun} tables ${tables.length} have an end` }
}

function findLastMatch(text: string, pattern: RegExp): string | undefined {
  return [...text.matchAll(pattern)].at(-1)?.[1]
}

function readRows(text: string, tier: string, start: number, rows: string): TierTable {
  const table: TierTable = { tier, rows: [], unreadable: [] }
  let from = Buffer.byteLength(text.slice(0, start))
  for (const line of rows.split('\n').slice(0, -2)) {
    const where = { text: line, from, to: from + Buffer.byteLength(line) }
    const row = readRow(line.trim())
    if (row) table.rows.push({ ...where, ...row })
    else table.unreadable.push(where)
    from = where.to + 1
  }
  return table
}

const value = String.raw`(?:\d+(?:\.\d+)?|null|"-"|"")`
const rowPattern = new RegExp(`^\\["([^"\\\\]+)"((?:, ${value})+)\\],$`)

function readRow(words: string): Pick<PricedRow, 'name' | 'values'> | null {
  const [, name, values] = rowPattern.exec(words) ?? []
  if (name === undefined || values === undefined) return null
  return { name, values: values.slice(2).split(', ').map(toValue) }
}

function toValue(written: string): string | null {
  return /^\d/.test(written) ? written : null
}

/**
 * The tables of the page as it is served: each component with its properties in an attribute, as Astro writes them, where
 * `[0, x]` is a value and `[1, […]]` a list: `{"tier":[0,"flex"],"rows":[1,[[1,[[0,"gpt-5.4"],[0,1.25],…]],…]]}`.
 */
export function readIslands(text: string): TierTable[] | { reason: string } {
  const tables: TierTable[] = []
  const toByte = countBytes(text)
  for (const { attributes, from } of readElements(text, 'astro-island')) {
    if (attributes['component-export'] !== component) continue
    const island = Island.safeParse(parseJson(attributes.props ?? ''))
    if (!island.success)
      return {
        reason: `its table at byte ${toByte(from)} has no tier or no rows: ${complaints(island.error)}`,
      }
    const table: TierTable = { tier: island.data.tier[1], rows: [], unreadable: [] }
    for (const row of island.data.rows[1]) {
      const written = JSON.stringify(row)
        .replaceAll('&', '&amp;')
        .replaceAll('"', '&quot;')
        .replaceAll('<', '&lt;')
      const start = text.indexOf(written, from)
      const [name, ...values] = row[1].map(([, cell]) => cell)
      if (start === -1) return { reason: `the row of ${String(name)} is not found in its text` }
      const where = { text: written, from: toByte(start), to: toByte(start + written.length) }
      if (typeof name !== 'string' || values.some((cell) => !isValue(cell))) table.unreadable.push(where)
      else table.rows.push({ name, values: values.map((cell) => toValue(String(cell))), ...where })
    }
    tables.push(table)
  }
  return tables
}

const Cell = z.tuple([z.literal(0), z.union([z.string(), z.number(), z.null()])])
const Island = z.looseObject({
  tier: z.tuple([z.literal(0), z.string()]),
  rows: z.tuple([z.literal(1), z.array(z.tuple([z.literal(1), z.array(Cell)]))]),
})

function isValue(cell: string | number | null): boolean {
  return typeof cell === 'number' || cell === null || cell === '-' || cell === ''
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
