import { parquetWriteBuffer } from 'hyparquet-writer'
import { amountColumns } from '../../features/prices/price-record.ts'
import { readVersion } from '../../platform/version.ts'
import type { FormInput, Written } from './form.ts'
import type { ExportResource } from './resource.ts'

/** Parquet's types of the columns, and what is written of a value. */
const types = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  number: { type: 'DOUBLE' },
  flag: { type: 'BOOLEAN' },
  day: { type: 'INT32', converted_type: 'DATE' },
  instant: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
} as const

interface Column {
  name: string
  type: keyof typeof types
  of: (resource: ExportResource) => string | number | boolean | Date | null
}

const names = ['resource_id', 'product_id', 'vendor', 'platform', 'region', 'modality'] as const
const facts = ['unit', 'currency', 'source', 'source_url'] as const

const columns: readonly Column[] = [
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

/** For analysts: a row for each price, with typed columns; what is unknown is null. */
export function writeParquet({ resources }: FormInput): Written {
  const file = parquetWriteBuffer({
    schema: [
      { name: 'prices', num_children: columns.length },
      ...columns.map(({ name, type }) => ({ name, ...types[type], repetition_type: 'OPTIONAL' as const })),
    ],
    columnData: columns.map(({ name, of }) => ({ name, data: resources.map(of) })),
    rowGroupSize: 100_000,
    createdBy: `ratecard version ${readVersion()}`,
  })
  return { content: Buffer.from(file), rows: resources.length, held: new Set(resources) }
}

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
