import { sql } from 'kysely'
import type { Db } from '../database/connect.ts'
import { utcText, utcTextOrNull } from '../database/keyset.ts'
import type { CatalogueRow } from './catalogue.ts'
import type { StatedFacts } from './model-facts.ts'
import type { GivenDay } from './price-history.ts'
import { amountColumns, type AmountColumn } from './price-record.ts'
import { selectRecords } from './price-records.ts'

/** More is no list that people read: 13,000 records are six lists, in some 10 MB. */
const rowsMax = 50_000

/** The amounts of a state, with their currency. */
const amounts = sql`jsonb_build_array(record -> 'currency', ${sql.join(amountColumns.map((column) => sql`record -> ${column}::text`))})`

/** By resource: whether its amounts have moved since it was first seen, and since when they are as now. */
const history = sql<{ resource_id: string; has_moved: boolean; since: string }>`(
  select resource_id, bool_or(moved_at is not null) as has_moved,
    min(observed_at) filter (where updated_at > coalesce(moved_at, '-infinity')) as since
  from (
    select *, max(updated_at) filter (where stated <> now_stated) over (partition by resource_id) as moved_at
    from (
      select *, first_value(stated) over (partition by resource_id order by updated_at desc) as now_stated
      from (select resource_id, updated_at, observed_at, ${amounts} as stated from price_versions) as version
    ) as state
  ) as dated
  group by resource_id
)`

/**
 * Every served price with what stands behind it, in the order of ids.
 * @param given days that published changes give
 */
export async function readCatalogueRows(db: Db, given: readonly GivenDay[]): Promise<CatalogueRow[]> {
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
    .leftJoin(history.as<'history'>('history'), 'history.resource_id', 'price.resource_id')
    .selectAll('price')
    .select(sql<boolean>`coalesce(history.has_moved, false)`.as('has_moved'))
    .select(utcTextOrNull('history.since').as('seen_since'))
    .select(['standing.is_confirmed', 'card.rates', 'ahead.starts_on'])
    .select(utcTextOrNull('standing.gone_since').as('gone_since'))
    .select(sql<string | null>`standing.retires_on::text`.as('retires_on'))
    .orderBy('price.resource_id')
    .limit(rowsMax)
    .execute()
  const days = Map.groupBy(given, ({ resource_id }) => resource_id)
  return rows.map(({ has_moved, seen_since, ...price }) => {
    const row = { ...price, rates: price.rates ?? 0 } as Omit<CatalogueRow, 'since' | 'since_by'>
    const seen = { since: seen_since ?? row.updated_at, has_moved }
    return { ...row, ...datePrice(row, seen, days.get(row.resource_id) ?? []) }
  })
}

/** What the sources state of the models of all served prices, by the product or the resource. */
export async function readModelFacts(db: Db): Promise<StatedFacts[]> {
  const { rows } = await sql<StatedFacts>`
    select standing.resource_id, claim.source, claim.stated -> 'facts' as facts
    from price_standings standing join feed_claims claim using (resource_key)
    where claim.removed_at is null and claim.stated ? 'facts'
    limit ${rowsMax}`.execute(db)
  return rows
}

/** Since when a price is so: by the day of a source or of a change that states its amounts, else by what was seen. */
function datePrice(
  row: Pick<CatalogueRow, 'effective_at' | AmountColumn>,
  seen: { since: string; has_moved: boolean },
  given: readonly GivenDay[],
): Pick<CatalogueRow, 'since' | 'since_by'> {
  const told = given
    .filter(({ amounts: stated }) =>
      Object.entries(stated).every(([column, amount]) => row[column as AmountColumn] === amount),
    )
    .map(({ day }) => day)
  const stated =
    row.effective_at !== null && /^\d{4}-\d{2}-\d{2}/.test(row.effective_at) ? [row.effective_at] : []
  const since = [...told, ...stated].sort().find((day) => day <= seen.since)
  if (since !== undefined) return { since, since_by: 'stated' }
  return { since: seen.since, since_by: seen.has_moved ? 'moved' : 'first_seen' }
}

/** The versions of both lists: what was made of the one is current as long as its version is the same. */
export async function readListVersions(db: Db): Promise<{ prices: string; changes: string }> {
  const { rows } = await sql<{ prices: string | null; changes: string | null }>`
    select max(version) filter (where list = 'prices')::text as prices,
      max(version) filter (where list = 'changes')::text as changes
    from list_versions`.execute(db)
  return { prices: rows[0]?.prices ?? '0', changes: rows[0]?.changes ?? '0' }
}
