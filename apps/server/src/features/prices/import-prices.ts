import { sql } from 'kysely'
import type { Db, Trx } from '../../database/connect.ts'
import { lockFeed } from '../../database/writer-lock.ts'
import { amountColumns, servedColumns, type PriceRecord } from './price-record.ts'

export interface PriceMove {
  id: string
  /** The served fields that move; all of them for a new record. */
  fields: string[]
}

export interface ImportResult {
  added: PriceMove[]
  changed: PriceMove[]
  unchanged: number
}

// Rows per statement: keeps a parameter well under a megabyte and the work visible to `onProgress`.
const chunkRows = 2_000

export interface ImportOptions {
  source: string
  /** Compare only; write nothing. */
  dryRun?: boolean
  onProgress?: (done: number, total: number) => void
}

/**
 * Makes the served records those of this reading, in one transaction. Rows that a source no longer has stay as
 * they are; a record whose served values are the same is not touched, so importing twice changes nothing.
 */
export async function importPrices(
  db: Db,
  records: readonly PriceRecord[],
  options: ImportOptions,
): Promise<ImportResult> {
  return db.transaction().execute(async (trx) => {
    const first = await lockFeed(trx, 'prices')
    const result: ImportResult = { added: [], changed: [], unchanged: 0 }
    let moved = 0
    for (let start = 0; start < records.length; start += chunkRows) {
      const chunk = records.slice(start, start + chunkRows)
      const current = await currentRecords(trx, chunk)
      const movers = chunk.filter((record) => {
        const before = current.get(record.resource_id)
        const fields = servedColumns.filter((column) => before?.[column] !== record[column])
        if (!before) result.added.push({ id: record.resource_id, fields })
        else if (fields.length > 0) result.changed.push({ id: record.resource_id, fields })
        else result.unchanged += 1
        return fields.length > 0
      })
      if (!options.dryRun) await writeRecords(trx, movers, { source: options.source, first, offset: moved })
      moved += movers.length
      options.onProgress?.(start + chunk.length, records.length)
    }
    return result
  })
}

async function currentRecords(trx: Trx, records: readonly PriceRecord[]): Promise<Map<string, PriceRecord>> {
  const rows = await trx
    .selectFrom('prices')
    .select(servedColumns.filter((column) => !isAmount(column)))
    .select(
      amountColumns.map((column) => sql<string | null>`trim_scale(${sql.ref(column)})::text`.as(column)),
    )
    .where('resource_id', '=', sql<string>`any(${records.map((record) => record.resource_id)})`)
    .execute()
  return new Map(rows.map((row) => [row.resource_id, row as PriceRecord]))
}

function isAmount(column: string): column is (typeof amountColumns)[number] {
  return (amountColumns as readonly string[]).includes(column)
}

/** Writes the records, each with its own microsecond, in the order given. */
async function writeRecords(
  trx: Trx,
  records: readonly PriceRecord[],
  { source, first, offset }: { source: string; first: string; offset: number },
): Promise<void> {
  if (records.length === 0) return
  const columns = sql.join(servedColumns.map((column) => sql.ref(column)))
  const recordType = sql.join(
    servedColumns.map((column) => sql`${sql.ref(column)} ${sql.raw(isAmount(column) ? 'numeric' : 'text')}`),
  )
  const assignments = sql.join(
    servedColumns.map((column) => sql`${sql.ref(column)} = excluded.${sql.ref(column)}`),
  )
  await sql`
    insert into prices (${columns}, source, updated_at)
    select ${columns}, ${source}, ${first}::timestamptz + (${offset}::bigint + place - 1) * interval '1 microsecond'
    from rows from (jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as (${recordType}))
      with ordinality as record (${columns}, place)
    on conflict (resource_id) do update
      set ${assignments}, source = excluded.source, updated_at = excluded.updated_at`.execute(trx)
}
