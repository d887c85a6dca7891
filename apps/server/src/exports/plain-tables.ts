import { csvText } from '@ratecard/contract/csv'
import type { FormInput, Written } from './form.ts'
import { columns, type Column } from './table.ts'

// The table as CSV and as SQLite, where days are text.

type Cell = string | number | null

function toCell({ type, of }: Column, resource: Parameters<Column['of']>[0]): Cell {
  const value = of(resource)
  if (typeof value === 'boolean') return Number(value)
  if (!(value instanceof Date)) return value
  return type === 'day' ? value.toISOString().slice(0, 10) : value.toISOString()
}

/** Amounts stand in it once, exactly. */
const csvColumns = columns.filter(({ type }) => type !== 'number')

export function writeCsv({ resources }: FormInput): Written {
  const rows = [
    csvColumns.map(({ name }) => name.replace(/_text$/, '')),
    ...resources.map((resource) => csvColumns.map((column) => String(toCell(column, resource) ?? ''))),
  ]
  const content = rows.map((row) => `${row.map(csvText).join(',')}\r\n`).join('')
  return { content, rows: resources.length, held: new Set(resources) }
}

const sqliteTypes = { text: 'text', number: 'real', flag: 'integer', day: 'text', instant: 'text' }

export function writeSqliteTable({ resources }: FormInput): Written {
  // Loaded on demand, as one form alone needs it.
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
  const file = new DatabaseSync(':memory:')
  try {
    const names = columns.map(({ name, type }) => `${name} ${sqliteTypes[type]}`).join(', ')
    file.exec(`create table prices (${names}) strict; begin`)
    const insert = file.prepare(`insert into prices values (${columns.map(() => '?').join()})`)
    for (const resource of resources) insert.run(...columns.map((column) => toCell(column, resource)))
    file.exec('create index prices_resource on prices (resource_id); create index prices_product on prices (product_id); commit') // prettier-ignore
    return { content: Buffer.from(file.serialize()), rows: resources.length, held: new Set(resources) }
  } finally {
    file.close()
  }
}
