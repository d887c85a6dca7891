import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../database/connect.ts'
import { utcText } from '../database/keyset.ts'
import type { AmountColumn, DecimalText, PriceRecord } from './price-record.ts'

/** A state in which a price was served. */
export interface PriceVersion extends PriceRecord {
  /** Its source and its run; null: from before runs were recorded. */
  source: string
  run_id: string | null
  /** Since when it was so, UTC: the day of its source or of a published change, else `known_from`. */
  valid_from: string
  /** Whose day `valid_from` is. */
  valid_from_by: 'source' | 'change' | 'first_seen'
  /** The change that gave the day; null: none did. */
  valid_from_change: string | null
  /** Since when it is known: the clock of its run, and never before the state that it replaced. UTC. */
  known_from: string
}

/** A day that a published change gives for amounts of a price. */
export interface GivenDay {
  change_id: string
  resource_id: string
  /** Those that the change states. */
  amounts: Partial<Record<AmountColumn, DecimalText>>
  /** Its beginning, and since when it is published, UTC. */
  day: string
  known_at: string
  /** What was served since that day was never true. */
  is_correction: boolean
}

export interface AsOfFilter {
  /** The requested moment, as PostgreSQL reads it. */
  at: string
  /** The moment of knowledge; null: now. */
  knownAt: string | null
  /** Days of published changes. None are needed where a moment is asked for by its own knowledge. */
  given?: readonly GivenDay[]
  /** Only resources whose ids come after this one. */
  after?: string | undefined
  vendor?: string | undefined
  product?: string | undefined
  platform?: string | undefined
}

/** A state with its times, as PostgreSQL has them. */
interface State extends Pick<
  PriceVersion,
  'resource_id' | 'source' | 'run_id' | 'valid_from' | 'valid_from_by' | 'valid_from_change' | 'known_from'
> {
  record: PriceRecord
  updated_at: string
}

/**
 * Every state, with the moment since which it is known, and since which it was so.
 *
 * A state is known by the clock of its run, which is in the past in a replay. No state is known before the one that it
 * replaced, whatever the clocks of their runs.
 *
 * It was so since the day of its source. A change moves that back to its own day, for the first state with its amounts
 * that was served then or later, and not before the first state of the price; a correction does for each that it knew.
 * Of two changes the one published last counts. No day moves a state forward: what is served has begun.
 */
function states(db: Db, given: readonly GivenDay[] = [], knownAt: string | null = null) {
  const history = sql`(partition by resource_id order by updated_at)`
  const known = sql`
    select resource_id, record, source, run_id, updated_at, max(observed_at) over ${history} as known_from,
      case when record ->> 'effective_at' ~ '^\\d{4}-\\d{2}-\\d{2}' then (record ->> 'effective_at')::timestamptz end
        as stated_from
    from price_versions`
  const dated = sql`
    select *, least(stated_from, known_from) as own_from, (stated_from <= known_from) is true as is_dated,
      lead(known_from) over ${history} as known_until
    from (${known}) as known`
  const told = sql`
    select dated.*, given.change_id, given.known_at as told_at,
      greatest(given.day, first_value(own_from) over ${history}) as given_from,
      given.change_id is not null and (
        given.is_correction and known_from <= given.known_at
        or row_number() over (partition by resource_id, given.change_id order by updated_at) = 1
      ) as is_given
    from (${dated}) as dated
    left join jsonb_to_recordset(${JSON.stringify(given.map(({ resource_id, ...day }) => ({ of: resource_id, ...day })))}::jsonb) as given (
      change_id text, of text, amounts jsonb, day timestamptz, known_at timestamptz, is_correction boolean
    ) on given.of = resource_id and (known_until > given.day) is not false
      and given.known_at <= coalesce(${knownAt}::timestamptz, 'infinity')
      and (select bool_and(record ->> field = amount) from jsonb_each_text(given.amounts) as stated (field, amount))`
  const moved = sql`
    select distinct on (resource_id, updated_at) *, is_given and given_from < own_from as is_moved
    from (${told}) as told
    order by resource_id, updated_at, is_given desc, told_at desc, change_id desc`
  const found = sql<State>`(
    select resource_id, record, source, run_id, updated_at, known_from,
      case when is_moved then given_from else own_from end as valid_from,
      case when is_moved then 'change' when is_dated then 'source' else 'first_seen' end as valid_from_by,
      case when is_moved then change_id end as valid_from_change
    from (${moved}) as moved
  )`.as<'state'>('state')
  const all = db.selectFrom(found)
  return knownAt === null ? all : all.where('known_from', '<=', knownAt)
}

/** All states of one price, the latest first. Empty for an unknown price. */
export async function listVersions(
  db: Db,
  resourceId: string,
  given: readonly GivenDay[] = [],
): Promise<PriceVersion[]> {
  const versions = states(db, given).selectAll().where('resource_id', '=', resourceId)
  return readVersions(db, sql`${versions}`, sql`version.updated_at desc`)
}

/**
 * All states of several prices, by resource, the latest first.
 * @param limit most states
 */
export async function listVersionsOf(
  db: Db,
  resourceIds: readonly string[],
  { given, limit }: { given: readonly GivenDay[]; limit: number },
): Promise<PriceVersion[]> {
  if (resourceIds.length === 0) return []
  const versions = states(db, given).selectAll().where('resource_id', 'in', resourceIds)
  const newest = sql`select * from (${versions}) as state order by updated_at desc limit ${limit}`
  return readVersions(db, newest, sql`version.record ->> 'resource_id', version.updated_at desc`)
}

/**
 * The price of each resource at a moment, in the order of ids: of the states that were so by then, the one learned
 * last; for a future moment, with the amounts that its source says will have begun. Resources without a state at that
 * moment are left out.
 * @param limit most rows
 */
export async function listPricesAsOf(db: Db, filter: AsOfFilter, limit: number): Promise<PriceVersion[]> {
  const { at, knownAt, vendor, product, platform } = filter
  const begun = statesBegun(db, filter)
    .selectAll()
    .distinctOn('resource_id')
    .orderBy('resource_id')
    .orderBy('updated_at', 'desc')
  let learned = db
    .selectFrom('scheduled_prices')
    .select(['starts_on', 'amounts', 'learned_at'])
    .where('resource_id', '=', sql<string>`begun.resource_id`)
    .where('source', '=', sql<string>`begun.source`)
    .where(sql`starts_on::timestamptz`, '<=', at)
    .orderBy('starts_on', 'desc')
    .limit(1)
  if (knownAt !== null) learned = learned.where('learned_at', '<=', knownAt)
  let found = db
    .selectFrom(begun.as('begun'))
    .leftJoinLateral(learned.as('ahead'), (join) => join.onTrue())
    .select([
      'begun.resource_id',
      'begun.source',
      'begun.run_id',
      sql<PriceRecord>`case when ahead.amounts is null then record
        else record || ahead.amounts || jsonb_build_object('effective_at', ahead.starts_on) end`.as('record'),
      sql<string>`coalesce(ahead.starts_on::timestamptz, begun.valid_from)`.as('valid_from'),
      sql<string>`case when ahead.starts_on is null then valid_from_by else 'source' end`.as('valid_from_by'),
      sql<string | null>`case when ahead.starts_on is null then valid_from_change end`.as(
        'valid_from_change',
      ),
      // What was learned ahead of its day is known since then.
      sql<string>`coalesce(ahead.learned_at, begun.known_from)`.as('known_from'),
    ])
  if (vendor !== undefined) found = found.where(sql`record ->> 'vendor'`, '=', vendor)
  if (product !== undefined) found = found.where(sql`record ->> 'product_id'`, '=', product)
  if (platform !== undefined) found = found.where(sql`record ->> 'platform'`, '=', platform)
  return readVersions(db, sql`${found.orderBy('begun.resource_id').limit(limit)}`, sql`version.resource_id`)
}

/** The number of resources that have a state at a moment. */
export async function countPricesAsOf(db: Db, filter: Pick<AsOfFilter, 'at' | 'knownAt'>): Promise<number> {
  const { count } = await statesBegun(db, filter)
    .select(sql<number>`count(distinct resource_id)`.as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** The states that were known and had begun at a moment. */
function statesBegun(
  db: Db,
  { at, knownAt, given, after }: Pick<AsOfFilter, 'at' | 'knownAt' | 'given' | 'after'>,
) {
  const begun = states(db, given, knownAt).where('valid_from', '<=', at)
  return after === undefined ? begun : begun.where('resource_id', '>', after)
}

async function readVersions(
  db: Db,
  versions: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
): Promise<PriceVersion[]> {
  const { rows } = await sql<Omit<PriceVersion, keyof PriceRecord> & { record: PriceRecord }>`
    select version.record, version.source, version.run_id,
      ${utcText('version.valid_from')} as valid_from, version.valid_from_by, version.valid_from_change,
      ${utcText('version.known_from')} as known_from
    from (${versions}) as version
    order by ${order}`.execute(db)
  return rows.map(({ record, ...row }) => ({ ...record, ...row }))
}
