import { sql } from 'kysely'
import type { Price } from '@ratecard/contract'
import type { Db } from '../database/connect.ts'
import type { DB } from '../database/generated/tables.ts'
import { afterCursor } from '../database/keyset.ts'
import { parseListText, readListText, type ListRows, type ListText } from '../database/list-text.ts'
import type { Cursor } from '../platform/cursor.ts'
import {
  canPrepare,
  filterConditions,
  type FilterOf,
  type FilterRules,
  type ListPosition,
} from './list-filter.ts'

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
  const rows = priceListQuery(db, filter, cursor, limit)
  return readListText(db, 'prices', rows, limit, { canPrepare: canPreparePriceList(filter, cursor) })
}

export function canPreparePriceList(filter: PriceFilter, cursor: Cursor | null): boolean {
  return canPrepare(filterRules, filter, cursor)
}

/** Asks for one row more than the list shows: whether it comes decides whether there are more. */
export function priceListQuery(db: Db, filter: PriceFilter, cursor: Cursor | null, limit: number) {
  let query = db
    .selectFrom('prices')
    .select(['prices.served as json', 'prices.resource_id as id', 'prices.updated_at'])
  for (const condition of filterConditions(filterRules, filter, cursor)) query = query.where(condition)
  if (cursor) query = afterCursor(query, 'resource_id', cursor)
  return query
    .orderBy('prices.updated_at', 'desc')
    .orderBy('prices.resource_id', 'desc')
    .limit(sql.lit(limit + 1))
}

export async function countPrices(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from prices`.execute(db)
  return rows[0]?.count ?? 0
}

/** Grows with every change of a record. */
export async function readPriceVersion(db: Db): Promise<string> {
  const { rows } = await sql<{ version: string }>`
    select version::text from list_versions where list = 'prices'`.execute(db)
  const [row] = rows
  if (!row) throw new Error('The list of prices has no version.')
  return row.version
}
