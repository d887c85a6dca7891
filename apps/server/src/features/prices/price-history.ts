import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../database/connect.ts'
import { utcText } from '../../database/keyset.ts'
import type { PriceRecord } from './price-record.ts'

/** A state in which a price was served. */
export interface PriceVersion extends PriceRecord {
  /** Its source and its run; null: from before runs were recorded. */
  source: string
  run_id: string | null
  /** The beginning of the price: the date of its source, else when it was first seen. UTC. */
  valid_from: string
  /** Whose date `valid_from` is: the source's, or that of the run that saw the price first. */
  valid_from_by: 'source' | 'first_seen'
  /** Since when it is known: the clock of its run, and never before the state that it replaced. UTC. */
  known_from: string
}

export interface AsOfFilter {
  /** The requested moment, as PostgreSQL reads it. */
  at: string
  /** The moment of knowledge; null: now. */
  knownAt: string | null
  /** Only resources whose ids come after this one. */
  after?: string | undefined
  vendor?: string | undefined
  product?: string | undefined
  platform?: string | undefined
}

/** A source's own date of a price is its first day. A price without a date begins when it is first seen. */
const isDated = sql<boolean>`(record ->> 'effective_at' ~ '^\\d{4}-\\d{2}-\\d{2}') is true`

/**
 * Every state with the moment since which it is known. A state is known by the clock of its run, which is in the past in
 * a replay. No state is known before the one that it replaced, whatever the clocks of their runs.
 */
function states(db: Db) {
  const known = db
    .selectFrom('price_versions')
    .select(['resource_id', 'record', 'source', 'run_id', 'updated_at'])
    .select(
      sql<string>`max(observed_at) over (partition by resource_id order by updated_at)`.as('known_from'),
    )
  return db
    .selectFrom(known.as('state'))
    .selectAll()
    .select(sql<boolean>`${isDated}`.as('is_dated'))
    .select(
      sql<string>`case when ${isDated} then (record ->> 'effective_at')::timestamptz else known_from end`.as(
        'valid_from',
      ),
    )
}

/** All states of one price, the latest first. Empty for an unknown price. */
export async function listVersions(db: Db, resourceId: string): Promise<PriceVersion[]> {
  const versions = states(db).where('resource_id', '=', resourceId)
  return readVersions(db, sql`${versions}`, sql`version.updated_at desc`)
}

/**
 * All states of several prices, by resource, the latest first.
 * @param limit most states
 */
export async function listVersionsOf(
  db: Db,
  resourceIds: readonly string[],
  limit: number,
): Promise<PriceVersion[]> {
  if (resourceIds.length === 0) return []
  const versions = states(db).where('resource_id', 'in', resourceIds)
  const newest = sql`select * from (${versions}) as state order by updated_at desc limit ${limit}`
  return readVersions(db, newest, sql`version.record ->> 'resource_id', version.updated_at desc`)
}

/**
 * The price of each resource at a moment, in the order of ids: of the states that had begun by then, the one learned
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
      sql<boolean>`ahead.starts_on is not null or is_dated`.as('is_dated'),
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
function statesBegun(db: Db, { at, knownAt, after }: Pick<AsOfFilter, 'at' | 'knownAt' | 'after'>) {
  let known = states(db)
  if (knownAt !== null) known = known.where('known_from', '<=', knownAt)
  if (after !== undefined) known = known.where('resource_id', '>', after)
  return db.selectFrom(known.as('known')).where('valid_from', '<=', at)
}

async function readVersions(
  db: Db,
  versions: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
): Promise<PriceVersion[]> {
  const { rows } = await sql<Omit<PriceVersion, keyof PriceRecord> & { record: PriceRecord }>`
    select version.record, version.source, version.run_id,
      ${utcText('version.valid_from')} as valid_from,
      case when version.is_dated then 'source' else 'first_seen' end as valid_from_by,
      ${utcText('version.known_from')} as known_from
    from (${versions}) as version
    order by ${order}`.execute(db)
  return rows.map(({ record, ...row }) => ({ ...record, ...row }))
}
