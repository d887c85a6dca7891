import { sql } from 'kysely'
import type { Db, Trx } from '../database/connect.ts'
import type { PriceRecord } from '../features/prices/price-record.ts'
import { readPriceRecords } from '../features/prices/price-records.ts'
import { writePrices } from '../features/prices/write-prices.ts'
import type { FeedRecord, FeedState } from './feed-state.ts'
import { linkAll, type Identified, type Naming } from './linking.ts'
import { resourceKey } from './names.ts'
import { operatorSources } from './source-ranks.ts'
import type { SourceReading, SourceRecord } from './source-record.ts'

type Links = ReadonlyMap<string, Identified>

/** What a record says of its model, as its source states it. */
export function namingOf(source: string, record: SourceRecord): Naming {
  const { resource_id, platform, region, model_name, is_named } = record
  const { product_id, vendor, modality } = record.named ?? record
  const product = operatorSources.includes(source) ? product_id : null
  return { source, resource_id, platform, region, vendor, model_name, is_named, product, modality }
}

/** The links of all resources, by what other sources have said and this reading says. */
export async function linksOf(db: Db, source: string, reading: SourceReading): Promise<Links> {
  const stored = await db.selectFrom('feed_records').select(['source', 'resource_id', 'stated']).execute()
  const read = new Set(reading.records.map(({ resource_id }) => resource_id))
  return linkAll([
    ...reading.records.map((record) => namingOf(source, record)),
    ...stored.flatMap((row) =>
      row.source === source && read.has(row.resource_id)
        ? []
        : [namingOf(row.source, row.stated as unknown as SourceRecord)],
    ),
  ])
}

function linked<R extends PriceRecord>(record: R, links: Links): R {
  const link = links.get(resourceKey(record.resource_id))
  return link ? { ...record, ...link } : record
}

/** With its link; what its source states stays beside it. */
function linkedRecord(record: SourceRecord, links: Links): SourceRecord {
  const { product_id, vendor, modality } = record.named ?? record
  return { ...linked(record, links), named: { product_id, vendor, modality } }
}

export function linkReading(reading: SourceReading, links: Links): SourceReading {
  return { ...reading, records: reading.records.map((record) => linkedRecord(record, links)) }
}

/** The state as it would be had all been known before: a link that moves is no change of a price. */
export function linkState(state: FeedState, links: Links): FeedState {
  const link = (row: FeedRecord): FeedRecord => ({
    ...row,
    stated: linkedRecord(row.stated, links),
    accepted: linkedRecord(row.accepted, links),
  })
  return {
    ...state,
    records: new Map([...state.records].map(([id, row]) => [id, link(row)])),
    others: new Map([...state.others].map(([id, rows]) => [id, rows.map(link)])),
    served: new Map([...state.served].map(([id, row]) => [id, linked(row, links)])),
  }
}

/** Writes the links of stored records and served prices where they have moved. */
export async function writeLinks(trx: Trx, links: Links, runId: string): Promise<void> {
  const rows = await trx
    .selectFrom('feed_records')
    .select(['source', 'resource_id', 'stated', 'accepted'])
    .execute()
  const moved = rows.flatMap(({ source, resource_id, ...row }) => {
    const before = { stated: row.stated, accepted: row.accepted } as unknown as Record<string, SourceRecord>
    const isMoved = Object.values(before).some((record) => isUnlike(record, links))
    const after = Object.entries(before).map(([name, record]) => [name, linkedRecord(record, links)])
    return isMoved ? [{ source, resource_id, ...(Object.fromEntries(after) as object) }] : []
  })
  if (moved.length > 0)
    await sql`
      update feed_records r set stated = moved.stated, accepted = moved.accepted
      from jsonb_to_recordset(${JSON.stringify(moved)}::jsonb)
        as moved (source text, resource_id text, stated jsonb, accepted jsonb)
      where r.source = moved.source and r.resource_id = moved.resource_id`.execute(trx)

  const prices = await trx
    .selectFrom('prices')
    .select(['resource_id', 'product_id', 'vendor', 'modality', 'source'])
    .where('source', 'is not', null)
    .execute()
  const stale = new Map(
    prices.flatMap((row) => (isUnlike(row, links) ? [[row.resource_id, row.source]] : [])),
  )
  if (stale.size === 0) return
  const records = await readPriceRecords(trx, [...stale.keys()])
  await writePrices(
    trx,
    records.flatMap((record) => {
      const source = stale.get(record.resource_id)
      return source == null ? [] : [{ record: linked(record, links), source, rates: null }]
    }),
    runId,
  )
}

function isUnlike(
  row: { resource_id: string; product_id: string | null; vendor: string | null; modality: string | null },
  links: Links,
): boolean {
  const link = links.get(resourceKey(row.resource_id))
  return (
    link !== undefined &&
    (row.product_id !== link.product_id || row.vendor !== link.vendor || row.modality !== link.modality)
  )
}
