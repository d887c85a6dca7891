import { parquetWriteBuffer } from 'hyparquet-writer'
import { readVersion } from '../platform/version.ts'
import type { FormInput, Written } from './form.ts'
import { columns, type Column } from './table.ts'

const types: Readonly<Record<Column['type'], object>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  number: { type: 'DOUBLE' },
  flag: { type: 'BOOLEAN' },
  day: { type: 'INT32', converted_type: 'DATE' },
  instant: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
}

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
