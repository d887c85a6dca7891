import { sql } from 'kysely'
import type { Db } from '../database/connect.ts'
import { utcText } from '../database/keyset.ts'
import { countPricesAsOf, listPricesAsOf } from '../catalog/price-history.ts'
import { amountColumns, servedColumns, type PriceRecord } from '../catalog/price-record.ts'
import { selectRecords } from '../catalog/price-records.ts'
import { UserError } from '../platform/user-error.ts'
import { readVersion } from '../platform/version.ts'
import type { Amounts } from '../ingest/source-record.ts'
import { addresses, type SourceAddress } from '../ingest/sources/addresses.ts'
import { lookUp } from '../ingest/match/identify.ts'
import { readDetails } from './read-details.ts'
import {
  notKept,
  snapshotFormat,
  snapshotVersion,
  type SnapshotClaim,
  type SnapshotHeader,
  type SnapshotResource,
  type SnapshotSource,
} from './record.ts'

/** A snapshot that is read while it is written: memory holds one batch. */
export interface Snapshot {
  header: SnapshotHeader
  /** All resources in the order of their ids. */
  batches: AsyncIterable<SnapshotResource[]>
}

// A batch of 500 with its claims is some 1 MB. A past moment is computed over all states, so it has larger batches.
const batchRows = 500
const batchRowsAsOf = 2_000

/**
 * Reads all that is stored of all served prices, in one transaction: every batch shows the same moment.
 * @param asOf prices as they were served then, RFC 3339 in UTC; null: as they are
 * @throws UserError when `asOf` is to come
 */
export async function withSnapshot<T>(
  db: Db,
  asOf: string | null,
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      const header = await readHeader(trx, asOf)
      return work({ header, batches: readBatches(trx, asOf) })
    })
}

/** The snapshot of now, within a transaction that shows one moment. */
export async function readSnapshot(trx: Db): Promise<Snapshot> {
  return { header: await readHeader(trx, null), batches: readBatches(trx, null) }
}

/** One resource of the snapshot of now; undefined: it is not served. */
export async function readResource(db: Db, resourceId: string): Promise<SnapshotResource | undefined> {
  const rows = await withDetails(db, await servedPrices(db).where('resource_id', '=', resourceId).execute())
  return rows[0]
}

async function readHeader(db: Db, asOf: string | null): Promise<SnapshotHeader> {
  const { rows } = await sql<{ generated_at: string; catalog_version: string; resource_count: number }>`
    select ${utcText(sql`ratecard_now()`)} as generated_at,
      (select version::text from list_versions where list = 'prices') as catalog_version,
      (select count(*) from prices) as resource_count`.execute(db)
  const now = rows[0]!
  if (asOf !== null && asOf > now.generated_at)
    throw new UserError(
      `${asOf} is to come, and a snapshot shows what was served: leave it out, and read what is announced in it.`,
      { exitCode: 2 },
    )
  return {
    format: snapshotFormat,
    format_version: snapshotVersion,
    generator: `ratecard ${readVersion()}`,
    generated_at: now.generated_at,
    as_of: asOf,
    catalog_version: now.catalog_version,
    resource_count: asOf === null ? now.resource_count : await countPricesAsOf(db, moment(asOf)),
    sources: await readSources(db, asOf),
    not_kept: asOf === null ? [] : [...notKept],
  }
}

async function readSources(db: Db, asOf: string | null): Promise<SnapshotSource[]> {
  let runs = db
    .selectFrom('feed_runs')
    .distinctOn('source')
    .select(['source', 'id as run_id', 'version', utcText('observed_at').as('observed_at')])
    .select(sql<string | null>`data_at::text`.as('data_at'))
    .where('outcome', '=', 'applied')
    .orderBy('source')
    .orderBy('feed_runs.observed_at', 'desc')
    .orderBy('feed_runs.created_at', 'desc')
  if (asOf !== null) runs = runs.where('feed_runs.observed_at', '<=', asOf)
  return (await runs.execute()).map(({ source, ...run }) => {
    const published = lookUp<SourceAddress>(addresses, source)
    // Not where this installation reads it: that address may hold a token.
    return { source, url: published?.url ?? null, licence: published?.licence ?? null, ...run }
  })
}

async function* readBatches(db: Db, asOf: string | null): AsyncGenerator<SnapshotResource[]> {
  let after = ''
  for (;;) {
    const batch = asOf === null ? await readBatch(db, after) : await readBatchAsOf(db, after, asOf)
    const last = batch.at(-1)
    if (last === undefined) return
    yield batch
    after = last.resource_id
  }
}

async function readBatch(db: Db, after: string): Promise<SnapshotResource[]> {
  const prices = servedPrices(db).where('resource_id', '>', after).orderBy('resource_id').limit(batchRows)
  return withDetails(db, await prices.execute())
}

function servedPrices(db: Db) {
  return selectRecords(db)
    .select(['source', utcText('updated_at').as('updated_at')])
    .$castTo<PriceRecord & Pick<SnapshotResource, 'source' | 'updated_at'>>()
}

async function withDetails(
  db: Db,
  prices: readonly (PriceRecord & Pick<SnapshotResource, 'source' | 'updated_at'>)[],
  asOf: string | null = null,
): Promise<SnapshotResource[]> {
  const details = await readDetails(db, prices, asOf)
  return prices.map(({ updated_at, source, ...price }, index) => {
    const record = Object.fromEntries(servedColumns.map((column) => [column, price[column]]))
    const checked_on = newestCheck(price, details[index]!.claims)
    return { ...(record as unknown as PriceRecord), updated_at, source, checked_on, ...details[index]! }
  })
}

/** When one of those who state what is served looked last. */
function newestCheck(price: Amounts, claims: readonly SnapshotClaim[]): string | null {
  const days = claims
    .filter((claim) => amountColumns.every((column) => claim[column] === price[column]))
    .flatMap(({ checked_on }) => checked_on ?? [])
  return days.sort().at(-1) ?? null
}

async function readBatchAsOf(db: Db, after: string, asOf: string): Promise<SnapshotResource[]> {
  const states = await listPricesAsOf(db, { ...moment(asOf), after }, batchRowsAsOf)
  const prices = states.map(({ known_from, ...price }) => ({ ...price, updated_at: known_from }))
  return withDetails(db, prices, asOf)
}

/** What was served at a moment is what was known then. */
function moment(asOf: string): { at: string; knownAt: string } {
  return { at: asOf, knownAt: asOf }
}
