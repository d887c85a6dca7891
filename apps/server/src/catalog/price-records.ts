import { sql } from 'kysely'
import type { Db } from '../database/connect.ts'
import { amountColumns, servedColumns, type AmountColumn, type PriceRecord } from './price-record.ts'

/** Served prices as records: amounts as exact text. */
export function selectRecords(db: Db) {
  return db
    .selectFrom('prices')
    .select(servedColumns.filter((column) => !isAmount(column)))
    .select(
      amountColumns.map((column) => sql<string | null>`trim_scale(${sql.ref(column)})::text`.as(column)),
    )
}

/** The served prices of these ids, by id. */
export async function readRecords(db: Db, ids: readonly string[]): Promise<Map<string, PriceRecord>> {
  if (ids.length === 0) return new Map()
  const rows = await selectRecords(db)
    .where('resource_id', '=', sql<string>`any(${[...ids]}::text[])`)
    .execute()
  return new Map((rows as PriceRecord[]).map((record) => [record.resource_id, record]))
}

export function isAmount(column: string): column is AmountColumn {
  return (amountColumns as readonly string[]).includes(column)
}
