import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import { utcText, utcTextOrNull } from '../../database/keyset.ts'
import type { CatalogueRow } from './catalogue.ts'
import { selectRecords } from './price-records.ts'

/** More is no list that people read: 13,000 records are six lists, in some 10 MB. */
const rowsMax = 50_000

/** Every served price with what stands behind it, in the order of ids. */
export async function readCatalogueRows(db: Db): Promise<CatalogueRow[]> {
  const prices = selectRecords(db).select(utcText('updated_at').as('updated_at'))
  const rows = await db
    .selectFrom(prices.as('price'))
    .leftJoin('price_standings as standing', 'standing.resource_id', 'price.resource_id')
    .leftJoin(
      db
        .selectFrom('rate_cards')
        .select(['resource_id', sql<number>`count(*)::int`.as('rates')])
        .groupBy('resource_id')
        .as('card'),
      'card.resource_id',
      'price.resource_id',
    )
    .leftJoin(
      db
        .selectFrom('scheduled_prices')
        .select(['resource_id', sql<string>`min(starts_on)::text`.as('starts_on')])
        .where(sql`starts_on`, '>', sql`(ratecard_now() at time zone 'UTC')::date`)
        .groupBy('resource_id')
        .as('ahead'),
      'ahead.resource_id',
      'price.resource_id',
    )
    .selectAll('price')
    .select(['standing.is_confirmed', 'card.rates', 'ahead.starts_on'])
    .select(utcTextOrNull('standing.gone_since').as('gone_since'))
    .select(sql<string | null>`standing.retires_on::text`.as('retires_on'))
    .orderBy('price.resource_id')
    .limit(rowsMax)
    .execute()
  return rows.map((row) => ({ ...row, rates: row.rates ?? 0 }) as CatalogueRow)
}

/** The versions of both lists: what was made of the one is current as long as its version is the same. */
export async function readListVersions(db: Db): Promise<{ prices: string; changes: string }> {
  const { rows } = await sql<{ prices: string | null; changes: string | null }>`
    select max(version) filter (where list = 'prices')::text as prices,
      max(version) filter (where list = 'changes')::text as changes
    from list_versions`.execute(db)
  return { prices: rows[0]?.prices ?? '0', changes: rows[0]?.changes ?? '0' }
}
