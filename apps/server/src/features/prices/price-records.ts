import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import { amountColumns, servedColumns, type AmountColumn } from './price-record.ts'

/** Served prices as records: amounts as exact text. */
export function selectRecords(db: Db) {
  return db
    .selectFrom('prices')
    .select(servedColumns.filter((column) => !isAmount(column)))
    .select(
      amountColumns.map((column) => sql<string | null>`trim_scale(${sql.ref(column)})::text`.as(column)),
    )
}

export function isAmount(column: string): column is AmountColumn {
  return (amountColumns as readonly string[]).includes(column)
}
