import { sql, type RawBuilder } from 'kysely'
import type { Price } from '@ratecard/contract'
import type { Db } from '../../database/connect.ts'
import { utcText } from '../../database/keyset.ts'
import { amountColumns, servedColumns } from './price-record.ts'

/** A list per field. The same index in each list is one record. */
type PriceColumns = { [Field in keyof Price]-?: Price[Field][] } & {
  /** The number of states in `listVersions`. */
  versions: number[]
}

export interface PriceTable {
  /** The version of the list of prices that the table shows. */
  version: string
  count: number
  columns: PriceColumns
}

/** Grows with every change of a record. */
export async function readPriceVersion(db: Db): Promise<string> {
  const { rows } = await sql<{ version: string }>`
    select version::text from list_versions where list = 'prices'`.execute(db)
  return versionOf(rows[0])
}

/** Every record, newest `updated_at` first, and the version it belongs to: one statement, so one snapshot. */
export async function readPriceTable(db: Db): Promise<PriceTable> {
  // All lists have the order of the subquery: PostgreSQL sorts once.
  const list = (field: RawBuilder<unknown>) =>
    sql`coalesce(json_agg(${field} order by record.updated_at_text desc, record.resource_id desc), '[]')`
  const lists = Object.keys(columns).flatMap((name) => [sql.lit(name), list(sql.ref(`record.${name}`))])
  const fields = Object.entries(columns).map(([name, value]) => sql`${value} as ${sql.ref(name)}`)
  const { rows } = await sql<PriceTable>`
    select (select version::text from list_versions where list = 'prices') as version,
      count(*)::integer as count, json_build_object(${sql.join(lists)}) as columns
    from (
      select ${sql.join(fields)}, price.updated_at_text
      from (select *, ${utcText('updated_at')} as updated_at_text from prices) as price
      left join (select resource_id, count(*) as states from price_versions group by resource_id) as history
        using (resource_id)
    ) as record`.execute(db)
  const table = rows[0]
  return { ...table!, version: versionOf(table) }
}

/**
 * Each field of a price in the order of the contract. The column `served` has the same values as text, and a test
 * compares the two: to read the fields out of that text takes twice as long.
 */
export const priceFields: Record<keyof Price, RawBuilder<unknown>> = {
  ...(Object.fromEntries(servedColumns.map((column) => [column, sql.ref(column)])) as Record<
    (typeof servedColumns)[number],
    RawBuilder<unknown>
  >),
  // Decimals as they are, without the zeros at the end that fill up the column's scale.
  ...(Object.fromEntries(
    amountColumns.map((column) => [column, sql`trim_scale(${sql.ref(column)})`]),
  ) as Record<(typeof amountColumns)[number], RawBuilder<unknown>>),
  effective_at: sql`coalesce(effective_at, updated_at_text)`,
  updated_at: sql`updated_at_text`,
}
const columns = { ...priceFields, versions: sql`coalesce(history.states, 0)` }

function versionOf(row: { version: string | null } | undefined): string {
  if (!row?.version) throw new Error('The list of prices has no version.')
  return row.version
}
