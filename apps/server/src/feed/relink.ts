import { sql } from 'kysely'
import type { Trx } from '../database/connect.ts'
import { readPriceRecords } from '../features/prices/price-records.ts'
import { listProducts } from '../features/prices/price-store.ts'
import { writePrices } from '../features/prices/write-prices.ts'
import { linkProducts } from './linking.ts'
import type { SourceRecord } from './source-record.ts'

/**
 * Links rows of all sources to products that a run has added. The links then do not depend on the order in which
 * sources are read, and a file that is read again changes nothing.
 * @param knownProducts the products before the run
 */
export async function linkToNew(
  trx: Trx,
  knownProducts: readonly string[],
  run: { runId: string; observedAt: string },
): Promise<void> {
  const products = await listProducts(trx)
  const known = new Set(knownProducts)
  if (products.every((product) => known.has(product))) return

  const unlinked = await trx
    .selectFrom('feed_records')
    .select(['source', 'resource_id', 'accepted'])
    .where(sql<boolean>`accepted ->> 'product_id' is null`)
    .orderBy('source')
    .orderBy('resource_id')
    .execute()
  const records = unlinked.map(({ accepted }) => accepted as unknown as SourceRecord)
  const links = linkProducts(
    records.map(({ resource_id, platform, region, vendor, model_name }) => ({
      resource_id,
      platform: platform ?? '',
      region,
      vendor,
      name: model_name,
      isNamed: false,
    })),
    products,
  )
  const linkable = new Set(products)
  const found = unlinked.flatMap(({ source, resource_id }, index) => {
    const product = links[index] ?? null
    return product !== null && linkable.has(product) ? [{ source, resource_id, product }] : []
  })
  if (found.length === 0) return
  await sql`
    update feed_records r
    set stated = jsonb_set(r.stated, '{product_id}', to_jsonb(found.product)),
        accepted = jsonb_set(r.accepted, '{product_id}', to_jsonb(found.product))
    from jsonb_to_recordset(${JSON.stringify(found)}::jsonb) as found (source text, resource_id text, product text)
    where r.source = found.source and r.resource_id = found.resource_id`.execute(trx)
  await linkServed(trx, found, run)
}

/** Served prices take the link of the source that they come from. */
async function linkServed(
  trx: Trx,
  found: readonly { source: string; resource_id: string; product: string }[],
  run: { runId: string; observedAt: string },
): Promise<void> {
  const owners = await trx
    .selectFrom('prices')
    .select(['resource_id', 'source'])
    .where('resource_id', '=', sql<string>`any(${found.map((link) => link.resource_id)})`)
    .execute()
  const sourceOf = new Map(owners.map((row) => [row.resource_id, row.source]))
  const linked = new Map(
    found.flatMap(({ source, resource_id, product }) =>
      sourceOf.get(resource_id) === source ? [[resource_id, { source, product }]] : [],
    ),
  )
  const records = await readPriceRecords(trx, [...linked.keys()])
  await writePrices(
    trx,
    records.flatMap((record) => {
      const link = linked.get(record.resource_id)
      return link
        ? [{ record: { ...record, product_id: link.product }, source: link.source, rates: null }]
        : []
    }),
    run,
  )
}
