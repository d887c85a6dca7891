import { sql } from 'kysely'
import type { Db } from '../database/connect.ts'
import { utcText, utcTextOrNull } from '../database/keyset.ts'
import { amountColumns, type AmountColumn, type PriceRecord } from '../catalog/price-record.ts'
import { readJudgements, type PriceStanding } from '../catalog/product-store.ts'
import type { QuotedDocument } from '../catalog/quoted-document.ts'
import { pickAmounts } from '../ingest/amounts.ts'
import type { Moves } from '../ingest/claims/claim.ts'
import { resourceKey } from '../ingest/match/names.ts'
import type { Amounts, SourceRecord } from '../ingest/source-record.ts'
import { namesBeside } from '../ingest/sources/generated/genai-prices-names.ts'
import type { AnnouncedPrice, notKept, ResourceAlias, SnapshotClaim, SnapshotResource } from './record.ts'

/** What is stored of a resource beside its price. */
export type ResourceDetails = Pick<
  SnapshotResource,
  (typeof notKept)[number] | 'aliases' | 'claims' | 'documents' | 'past'
>

/** A claim as it is stored, and where it stands. */
interface StoredClaim {
  resource_key: string
  source: string
  stated: SourceRecord
  /** Null: not kept. */
  moves: Moves | null
  first_seen: string
  gone_since: string | null
  /** Null: the source is a data file, or it is not kept. */
  quotes: QuotedDocument | null
}

/**
 * The details of some resources, in the order of their ids. Each kind is one query.
 * @param asOf the moment that is shown; null: now
 */
export async function readDetails(
  db: Db,
  prices: readonly PriceRecord[],
  asOf: string | null,
): Promise<ResourceDetails[]> {
  const ids = prices.map(({ resource_id }) => resource_id)
  const keys = ids.map(resourceKey)
  if (asOf !== null) {
    const claims = await readClaimsAsOf(db, keys, asOf)
    const served = await readServedNames(db, claims)
    return keys.map((key) => ({
      ...noStanding,
      ...{ rates: null, announced: null },
      ...said(claims.get(key) ?? [], served),
    }))
  }
  const claims = await readClaims(db, keys)
  const served = await readServedNames(db, claims)
  const { cards, standings } = await readJudgements(db, ids)
  const announced = await readAnnounced(db, ids)
  return ids.map((id, index) => ({
    ...toStanding(standings.get(id)),
    rates: cards.get(id) ?? [],
    announced: announced.get(id) ?? [],
    ...datedBefore(prices[index]!, claims.get(keys[index]!) ?? []),
    ...said(claims.get(keys[index]!) ?? [], served),
  }))
}

const noStanding = { is_confirmed: null, rule: null, gone_since: null, retires_on: null, evidence: null }

function toStanding(standing: PriceStanding | undefined): Pick<ResourceDetails, keyof typeof noStanding> {
  if (standing === undefined) return noStanding
  const { is_confirmed, rule, gone_since, retires_on, evidence } = standing
  return { is_confirmed, rule, gone_since, retires_on, evidence }
}

/** Who dates the prices of before must state those that are served: else what ended on that day was another price. */
function datedBefore(price: PriceRecord, claims: readonly StoredClaim[]): Pick<ResourceDetails, 'past'> {
  const past = claims.find(
    ({ stated, gone_since }) =>
      stated.past !== undefined &&
      gone_since === null &&
      stated.currency === price.currency &&
      amountColumns.every((column) => stated[column] === price[column]),
  )?.stated.past
  return past === undefined ? {} : { past }
}

function said(
  claims: readonly StoredClaim[],
  served: ReadonlySet<string>,
): Pick<ResourceDetails, 'aliases' | 'claims' | 'documents'> {
  const documents = claims.flatMap(({ source, quotes }) => (quotes ? [{ source, ...quotes }] : []))
  return {
    aliases: claims.flatMap((claim) => [
      toAlias(claim),
      ...listNames(claim)
        .filter((name) => !served.has(name))
        .map((name) => ({ ...toAlias(claim), key: name, resource_id: name })),
    ]),
    claims: claims.map(toSnapshotClaim),
    ...(documents.length > 0 && { documents }),
  }
}

function toAlias({ source, stated }: StoredClaim): ResourceAlias {
  return {
    source,
    key: stated.source_key,
    resource_id: stated.resource_id,
    model_name: stated.model_name,
  }
}

/** Names by which this list knows a model beside its own, such as dated ones. */
function listNames({ source, stated }: StoredClaim): readonly string[] {
  return source === 'genai-prices' ? (namesBeside[stated.resource_id] ?? []) : []
}

/** Those of the names that have a price of their own, as another list states it. */
async function readServedNames(
  db: Db,
  claims: ReadonlyMap<string, readonly StoredClaim[]>,
): Promise<Set<string>> {
  const names = [...claims.values()].flat().flatMap(listNames)
  const rows = await db
    .selectFrom('prices')
    .select('resource_id')
    .where('resource_id', '=', sql<string>`any(${names})`)
    .execute()
  return new Set(rows.map(({ resource_id }) => resource_id))
}

function toSnapshotClaim({ source, stated, moves, first_seen, gone_since }: StoredClaim): SnapshotClaim {
  const pickSince = (column: AmountColumn) => [column, moves?.[column]?.since ?? first_seen] as const
  const known = amountColumns.filter((column) => stated[column] !== null)
  return {
    source,
    source_key: stated.source_key,
    first_seen,
    gone_since,
    since: moves === null ? null : Object.fromEntries(known.map(pickSince)),
    unit: stated.unit,
    ...pickAmounts(stated),
    currency: stated.currency,
    source_url: stated.source_url,
    effective_at: stated.effective_at,
    retires_on: stated.retires_on,
    checked_on: stated.checked_on ?? null,
    rates: stated.rates,
  }
}

async function readClaims(db: Db, keys: readonly string[]): Promise<Map<string, StoredClaim[]>> {
  const rows = await db
    .selectFrom('feed_claims')
    .select(['resource_key', 'source', 'stated', 'moves', 'quotes'])
    .select([utcText('first_seen').as('first_seen'), utcTextOrNull('gone_since').as('gone_since')])
    .where('resource_key', '=', sql<string>`any(${keys})`)
    .orderBy('resource_key')
    .orderBy('source')
    .execute()
  return Map.groupBy(rows as unknown as StoredClaim[], ({ resource_key }) => resource_key)
}

/** The last state of each claim by then. Its moves are not kept. */
async function readClaimsAsOf(
  db: Db,
  keys: readonly string[],
  asOf: string,
): Promise<Map<string, StoredClaim[]>> {
  // The names of the sources let PostgreSQL use the primary key.
  const { rows } = await sql<StoredClaim>`
    select resource_key, source, stated, null as moves, ${utcText('first_seen')} as first_seen, null as gone_since,
      null as quotes
    from (
      select distinct on (resource_key, source) resource_key, source, stated,
        min(observed_at) over (partition by resource_key, source) as first_seen
      from claim_versions
      where source = any(array(select source from feed_sources)) and resource_key = any(${keys})
        and observed_at <= ${asOf}::timestamptz
      order by resource_key, source, observed_at desc
    ) as latest
    where stated is not null
    order by resource_key, source`.execute(db)
  return Map.groupBy(rows, ({ resource_key }) => resource_key)
}

async function readAnnounced(db: Db, ids: readonly string[]): Promise<Map<string, AnnouncedPrice[]>> {
  const rows = await db
    .selectFrom('scheduled_prices')
    .select(['resource_id', 'source', sql<string>`starts_on::text`.as('starts_on'), 'amounts'])
    .select(utcText('learned_at').as('learned_at'))
    .where('resource_id', '=', sql<string>`any(${ids})`)
    .orderBy('scheduled_prices.starts_on')
    .orderBy('source')
    .execute()
  const groups = Map.groupBy(rows, ({ resource_id }) => resource_id)
  return new Map(
    [...groups].map(([id, prices]) => [
      id,
      prices.map(({ resource_id: _, amounts, ...price }) => ({
        ...price,
        ...pickAmounts(amounts as unknown as Amounts),
      })),
    ]),
  )
}
