import { exactOf, textOf } from '@ratecard/contract/decimal'
import { csvText } from '@ratecard/contract/csv'
import { recordAt, type Columns, type PriceRecord, type RowIndexes } from './price-index.ts'

// The records of the present filter as a file, in the order of the table. It is made here: the page has them all.

/** Of this page alone: how often a record moved, and what its table marks. The files of all prices have it whole. */
const ofPage = new Set<string>([
  'versions',
  'rates',
  'input_mark',
  'output_mark',
  'starts_on',
  'standing',
] satisfies (keyof PriceRecord)[])

/** What a record says, in the order of the API. */
function listFields(columns: Columns): (keyof PriceRecord)[] {
  return (Object.keys(columns) as (keyof PriceRecord)[]).filter((field) => !ofPage.has(field))
}

/** RFC 4180. An empty field is unknown. */
export function filterCsv(columns: Columns, rowIndexes: RowIndexes): string {
  const fields = listFields(columns)
  const lines = Array.from(rowIndexes, (rowIndex) =>
    fields.map((field) => valueText(columns[field][rowIndex] ?? null)).join(','),
  )
  return [fields.join(','), ...lines, ''].join('\r\n')
}

/** The records as a list, as `data` of the API has them. */
export function filterJson(columns: Columns, rowIndexes: RowIndexes): string {
  const fields = listFields(columns)
  const records = Array.from(rowIndexes, (rowIndex) => {
    const record = recordAt(columns, rowIndex)
    return JSON.stringify(Object.fromEntries(fields.map((field) => [field, record[field]])))
  })
  return `[\n${records.join(',\n')}\n]\n`
}

/** All digits, and no exponent, which spreadsheets round. */
function valueText(value: string | number | null): string {
  if (value === null) return ''
  return typeof value === 'number' ? textOf(exactOf(String(value))) : csvText(value)
}
