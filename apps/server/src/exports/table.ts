import { amountColumns } from '../catalog/price-record.ts'
import type { ExportResource } from './resource.ts'

// The columns of the files for analysts, a row for each price. What is unknown is null.

export interface Column {
  name: string
  type: 'text' | 'number' | 'flag' | 'day' | 'instant'
  of: (resource: ExportResource) => string | number | boolean | Date | null
}

const names = ['resource_id', 'product_id', 'vendor', 'platform', 'region', 'modality'] as const
const facts = ['unit', 'currency', 'source', 'source_url'] as const

export const columns: readonly Column[] = [
  ...[...names, ...facts].map((name): Column => ({ name, type: 'text', of: (row) => row[name] })),
  ...amountColumns.map((name): Column => ({ name, type: 'number', of: (row) => toNumber(row[name]) })),
  // Exact: a sum of doubles is not.
  ...amountColumns.map((name): Column => ({ name: `${name}_text`, type: 'text', of: (row) => row[name] })),
  { name: 'is_confirmed', type: 'flag', of: (row) => row.is_confirmed },
  { name: 'effective_on', type: 'day', of: (row) => toDate(row.effective_at) },
  { name: 'checked_on', type: 'day', of: (row) => toDate(row.checked_on) },
  { name: 'retires_on', type: 'day', of: (row) => toDate(row.retires_on) },
  { name: 'gone_since', type: 'instant', of: (row) => toDate(row.gone_since) },
  { name: 'updated_at', type: 'instant', of: (row) => toDate(row.updated_at) },
  { name: 'rates', type: 'text', of: (row) => toJson(row.rates) },
  { name: 'announced', type: 'text', of: (row) => toJson(row.announced) },
]

function toNumber(amount: string | null): number | null {
  return amount === null ? null : Number(amount)
}

function toDate(text: string | null): Date | null {
  return text === null ? null : new Date(text)
}

/** A list, empty where there is nothing; null: it is not kept. */
function toJson(list: readonly object[] | null): string | null {
  return list === null ? null : JSON.stringify(list)
}
