import type { Db } from '../database/connect.ts'
import type { PriceRecord } from '../features/prices/price-record.ts'
import { selectRecords } from '../features/prices/price-records.ts'
import {
  readAnnounced,
  readJudgements,
  readOpenHolds,
  readSourceClaims,
  type AnnouncedPrice,
  type JudgedRate,
  type OpenHold,
  type PriceStanding,
  type SourceClaim,
} from './product-store.ts'

/** A served price with all that is paid by it. */
export interface WholePrice {
  record: PriceRecord
  rates: readonly JudgedRate[]
  announced: readonly AnnouncedPrice[]
  /** Undefined: nothing is recorded of it. */
  standing: PriceStanding | undefined
}

/** A price with everything that is stored about it, its history aside. */
export interface PriceDossier extends WholePrice {
  claims: readonly SourceClaim[]
  holds: readonly OpenHold[]
}

/** As many as the public page of a product has. No product of six lists has more. */
const recordsMax = 150

/**
 * The prices of a model on all platforms, in the order of their ids.
 * @param model a product, or a record that no product is known of
 */
export async function readModelPrices(db: Db, model: string): Promise<WholePrice[]> {
  const ofProduct = await selectRecords(db)
    .where('product_id', '=', model)
    .orderBy('resource_id')
    .limit(recordsMax)
    .execute()
  const records = ofProduct.length > 0 ? ofProduct : await readRecord(db, model)
  return readWhole(db, records as PriceRecord[])
}

/** Undefined: there is no such price. */
export async function readPriceDossier(db: Db, resourceId: string): Promise<PriceDossier | undefined> {
  const [whole] = await readWhole(db, await readRecord(db, resourceId))
  return (
    whole && {
      ...whole,
      claims: await readSourceClaims(db, [resourceId]),
      holds: await readOpenHolds(db, resourceId),
    }
  )
}

async function readRecord(db: Db, resourceId: string): Promise<PriceRecord[]> {
  return (await selectRecords(db).where('resource_id', '=', resourceId).execute()) as PriceRecord[]
}

/** Three queries, whatever the number of prices. */
async function readWhole(db: Db, records: readonly PriceRecord[]): Promise<WholePrice[]> {
  if (records.length === 0) return []
  const ids = records.map(({ resource_id }) => resource_id)
  const { cards, standings } = await readJudgements(db, ids)
  const announced = Map.groupBy(await readAnnounced(db, ids), ({ resource_id }) => resource_id)
  return records.map((record) => ({
    record,
    rates: cards.get(record.resource_id) ?? [],
    announced: announced.get(record.resource_id) ?? [],
    standing: standings.get(record.resource_id),
  }))
}
