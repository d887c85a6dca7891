import { sql, type SelectQueryBuilder } from 'kysely'
import type { Price } from '@ratecard/contract'
import type { Db } from '../../database/connect.ts'
import type { DB } from '../../database/generated/tables.ts'
import { afterCursor, utcText } from '../../database/keyset.ts'
import type { Cursor } from '../../platform/cursor.ts'

/** Exact-match filters of `GET /v1/prices`; `since` is an instant as `YYYY-MM-DDTHH:MM:SS.ffffffZ`. */
export interface PriceFilter {
  vendor?: string | undefined
  product?: string | undefined
  platform?: string | undefined
  modality?: string | undefined
  since?: string | undefined
}

export interface Page<T> {
  rows: T[]
  /** Place of the last row when there are more. */
  next: Cursor | null
}

/** One page in the order `updated_at`, then `resource_id`, both descending. */
export async function listPricePage(
  db: Db,
  filter: PriceFilter,
  { cursor, limit }: { cursor: Cursor | null; limit: number },
): Promise<Page<Price>> {
  const rows = await pricePageQuery(db, filter, cursor, limit).execute()
  const page = rows.slice(0, limit).map(({ updated_at_text: updated_at, ...row }) => ({
    ...row,
    ...amountsOf(row),
    effective_at: row.effective_at ?? updated_at,
    updated_at,
  }))
  const last = page.at(-1)
  return {
    rows: page,
    next: rows.length > limit && last ? { updatedAt: last.updated_at, id: last.resource_id } : null,
  }
}

/** Asks for one row more than the page holds: whether it comes decides whether there is a next page. */
export function pricePageQuery(db: Db, filter: PriceFilter, cursor: Cursor | null, limit: number) {
  const { vendor, product, platform, modality, since } = filter
  let query = db.selectFrom('prices').select([...servedColumns, utcText('updated_at').as('updated_at_text')])
  if (vendor !== undefined) query = query.where('vendor', '=', vendor)
  if (product !== undefined) query = query.where('product_id', '=', product)
  if (platform !== undefined) query = query.where('platform', '=', platform)
  if (modality !== undefined) query = query.where('modality', '=', modality)
  if (since !== undefined) query = query.where('updated_at', '>=', since)
  // Says nothing new, but tells the planner how little may lie between the two.
  if (cursor && since !== undefined) query = query.where('updated_at', '<=', cursor.updatedAt)
  if (cursor) query = afterCursor(query, 'resource_id', cursor)
  return inPageOrder(query).limit(limit + 1)
}

function inPageOrder<O>(query: SelectQueryBuilder<DB, 'prices', O>): SelectQueryBuilder<DB, 'prices', O> {
  return query.orderBy('prices.updated_at', 'desc').orderBy('prices.resource_id', 'desc')
}

export const amountColumns = [
  'input_per_mtok',
  'output_per_mtok',
  'cached_input_per_mtok',
  'image_per_unit',
  'audio_per_min',
  'video_per_sec',
] as const

/** The columns of a record that are served, `updated_at` aside. A record moves when one of them moves. */
export const servedColumns = [
  'resource_id',
  'product_id',
  'vendor',
  'platform',
  'modality',
  'region',
  'unit',
  ...amountColumns,
  'currency',
  'source_url',
  'effective_at',
] as const

type Amounts<T> = Record<(typeof amountColumns)[number], T>

/**
 * Stored decimals as JSON numbers. They have at most 12 significant digits, and a double tells 15 apart, so
 * the number prints as the decimal it came from.
 */
function amountsOf(row: Amounts<string | null>): Amounts<number | null> {
  const entries = amountColumns.map((column) => [column, row[column] === null ? null : Number(row[column])])
  return Object.fromEntries(entries) as Amounts<number | null>
}

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
