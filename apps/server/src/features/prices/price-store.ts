import { sql, type RawBuilder } from 'kysely'
import type { Price } from '@ratecard/contract'
import type { Db } from '../../database/connect.ts'
import type { DB } from '../../database/generated/tables.ts'
import { afterCursor, utcText } from '../../database/keyset.ts'
import { parseListText, readListText, type ListRows, type ListText } from '../../database/list-text.ts'
import type { Cursor } from '../../platform/cursor.ts'
import {
  canPrepare,
  filterConditions,
  type FilterOf,
  type FilterRules,
  type ListPosition,
} from './list-filter.ts'
import { amountColumns, servedColumns } from './price-record.ts'

/** Filters of `GET /v1/prices`. */
export type PriceFilter = FilterOf<'listPrices'>

const filterRules: FilterRules<PriceFilter, keyof DB['prices']> = {
  vendor: { equals: 'vendor' },
  product: { equals: 'product_id' },
  platform: { equals: 'platform' },
  modality: { equals: 'modality' },
}

/** Prices in the order `updated_at`, then `resource_id`, both descending. */
export async function listPrices(
  db: Db,
  filter: PriceFilter,
  position: ListPosition,
): Promise<ListRows<Price>> {
  return parseListText(await readPriceList(db, filter, position))
}

/** The same as it is served. */
export function readPriceList(
  db: Db,
  filter: PriceFilter,
  { cursor, limit }: ListPosition,
): Promise<ListText> {
  const price = priceListQuery(db, filter, cursor, limit)
  const rows = sql`
    select record as json, record.resource_id as id, record.updated_at
    from (select ${sql.join(served)} from ${price} as price) as record`
  return readListText(db, 'prices', rows, limit, { canPrepare: canPreparePriceList(filter, cursor) })
}

export function canPreparePriceList(filter: PriceFilter, cursor: Cursor | null): boolean {
  return canPrepare(filterRules, filter, cursor)
}

/** Asks for one row more than the list shows: whether it comes decides whether there are more. */
export function priceListQuery(db: Db, filter: PriceFilter, cursor: Cursor | null, limit: number) {
  let query = selectStored(db)
  for (const condition of filterConditions(filterRules, filter, cursor)) query = query.where(condition)
  if (cursor) query = afterCursor(query, 'resource_id', cursor)
  return query
    .orderBy('prices.updated_at', 'desc')
    .orderBy('prices.resource_id', 'desc')
    .limit(sql.lit(limit + 1))
}

/** What the fields of a price are made of. */
export function selectStored(db: Db) {
  return db.selectFrom('prices').select([...servedColumns, utcText('updated_at').as('updated_at_text')])
}

/** Each field of a price in the order of the contract, from the columns of `selectStored`. */
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
const served = Object.entries(priceFields).map(([name, value]) => sql`${value} as ${sql.ref(name)}`)

export async function countPrices(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from prices`.execute(db)
  return rows[0]?.count ?? 0
}

/** Every canonical product that a stored price is linked to. */
export async function listProducts(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('prices')
    .select('product_id')
    .distinct()
    .where('product_id', 'is not', null)
    .execute()
  return rows.flatMap((row) => row.product_id ?? [])
}
