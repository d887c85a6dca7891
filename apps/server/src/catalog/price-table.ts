import { sql, type RawBuilder } from 'kysely'
import type { Price } from '@ratecard/contract'
import type { Db } from '../database/connect.ts'
import { utcText } from '../database/keyset.ts'
import { amountColumns, servedColumns } from '../features/prices/price-record.ts'

/** A list per field. The same index in each list is one record. */
type PriceColumns = { [Field in keyof Price]-?: Price[Field][] } & {
  /** The number of states in `listVersions`. */
  versions: number[]
  /** How many rates fit no column. */
  rates: number[]
  /** That some requests pay more by the rate card: `off_peak`, at other hours; `from`, for another reason. */
  input_mark: (PriceMark | null)[]
  output_mark: (PriceMark | null)[]
  /** The first day of the next price that is announced, `YYYY-MM-DD`. */
  starts_on: (string | null)[]
  standing: (PriceStandingWord | null)[]
}

type PriceMark = 'from' | 'off_peak'
/**
 * What stands behind a price, the most doubtful first: no source has it any more, a move of it is not believed yet, a
 * source states another amount, one origin alone states it, or two do. Null: nothing is recorded.
 */
type PriceStandingWord = 'gone' | 'held' | 'disputed' | 'one_source' | 'confirmed'

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
  return readVersion(rows[0])
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
      left join (${cards}) as card using (resource_id)
      left join (
        select resource_id, min(starts_on)::text as starts_on from scheduled_prices
        where starts_on > (ratecard_now() at time zone 'UTC')::date group by resource_id
      ) as ahead using (resource_id)
      left join price_standings as standing using (resource_id)
      left join (select distinct resource_id, true as is_held from feed_holds where state = 'open') as held
        using (resource_id)
    ) as record`.execute(db)
  const table = rows[0]
  return { ...table!, version: readVersion(table) }
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

/** The number of rates of each price, and whether a standard request may pay more by them. */
const cards = sql`
  select resource_id, count(*)::integer as rates,
    ${dearerBy('input_tokens', 'input_per_mtok')} as input_mark,
    ${dearerBy('output_tokens', 'output_per_mtok')} as output_mark
  from rate_cards as rate join prices as price using (resource_id)
  group by resource_id`

function dearerBy(meter: string, column: (typeof amountColumns)[number]): RawBuilder<string | null> {
  const isDearer = sql`rate.meter = ${sql.lit(meter)} and rate.unit = '1m_tokens' and rate.service_tier is null
    and rate.amount > price.${sql.ref(column)}`
  return sql`case when bool_or(${isDearer} and rate.hours is not null) then 'off_peak'
    when bool_or(${isDearer}) then 'from' end`
}

const isDisputed = sql`exists (
  select from jsonb_each(standing.evidence) as field (name, said) where said -> 'denied_by' <> '{}'
)`

const columns = {
  ...priceFields,
  versions: sql`coalesce(history.states, 0)`,
  rates: sql`coalesce(card.rates, 0)`,
  input_mark: sql`card.input_mark`,
  output_mark: sql`card.output_mark`,
  starts_on: sql`ahead.starts_on`,
  standing: sql`case
    when standing.gone_since is not null then 'gone'
    when held.is_held then 'held'
    when ${isDisputed} then 'disputed'
    when standing.is_confirmed then 'confirmed'
    when not standing.is_confirmed then 'one_source' end`,
}

function readVersion(row: { version: string | null } | undefined): string {
  if (!row?.version) throw new Error('The list of prices has no version.')
  return row.version
}
