import { CompiledQuery, sql } from 'kysely'
import type { Db } from '../../src/database/connect.ts'
import { changeListQuery, canPrepareChangeList } from '../../src/features/changes/change-store.ts'
import { canPreparePriceList, priceListQuery } from '../../src/catalog/price-store.ts'
import {
  chance,
  idOf,
  idSql,
  storedOrder,
  updatedAtOf,
  updatedAtSql,
  zipf,
  type GeneratedTable,
} from './table.ts'

// Rows with the shape of the real ones: a few vendors have most of them, a product belongs to one vendor, and
// many common values have nothing in common.

const vendorCount = 40
const platformCount = 60
const productCount = 20_000
const productSkew = 2.5
const batchSize = 50_000

const modalities = [
  ...['llm', 'embedding', 'image', 'audio', 'video'],
  ...['rerank', 'moderation', 'ocr', 'search', 'other'],
]
const categories = [
  ...['price_cut', 'incident', 'price_increase', 'model_added', 'deprecation', 'model_removed'],
  ...['limit_change', 'terms_change', 'region_added', 'feature', 'security', 'other'],
]

const pickVendor = zipf(vendorCount)
const pickPlatform = zipf(platformCount)
const pickModality = zipf(modalities.length)
const pickCategory = zipf(categories.length)
/** The most common product has about 2% of all rows. */
const pickProduct = (random: number) => Math.floor(productCount * random ** productSkew)

const vendorOf = (code: number) => `vendor-${code}`
const productOf = (code: number) => `model-${code}`
const platformOf = (code: number) => `platform-${code}`

export async function loadPrices(db: Db, size: number): Promise<GeneratedTable> {
  const vendor = new Int16Array(size)
  const product = new Int16Array(size)
  const platform = new Int16Array(size)
  const modality = new Int16Array(size)
  for (let row = 0; row < size; row += 1) {
    const model = pickProduct(chance(row, 1))
    product[row] = chance(row, 2) < 0.05 ? -1 : model
    const maker = pickVendor(chance(model, 3))
    vendor[row] = maker
    // Every fourth vendor makes no language models, and every fifth platform serves none.
    const kind = pickModality(chance(model, 4))
    const drawn = maker % 4 === 3 && kind === 0 ? 2 : kind
    const platformIndex = pickPlatform(chance(row, 5))
    const moved = drawn === 0 && platformIndex % 5 === 2 ? platformIndex - 1 : platformIndex
    // The second vendor sells on its own platform only.
    platform[row] = maker === 1 ? 1 : chance(row, 6) < 0.01 ? -1 : moved
    modality[row] = chance(row, 7) < 0.03 ? -1 : drawn
  }
  await insertRows(db, 'prices', [vendor, product, platform, modality], pricesSql)
  return {
    name: 'prices',
    size,
    columns: [
      { filter: 'vendor', codes: vendor, nameOf: vendorOf },
      { filter: 'product', codes: product, nameOf: productOf },
      { filter: 'platform', codes: platform, nameOf: platformOf },
      { filter: 'modality', codes: modality, nameOf: (code) => modalities[code] ?? '' },
    ],
    modes: [{ filter: {}, shows: () => true }],
    positionOf: (row) => ({ updatedAt: updatedAtOf(row), id: idOf('res', row) }),
    canPrepare: canPreparePriceList,
    compile: (to, filter, cursor, limit) => priceListQuery(to, filter, cursor, limit).compile(),
  }
}

const pricesSql = `
  insert into prices (resource_id, product_id, vendor, platform, modality, region, unit, input_per_mtok,
    output_per_mtok, currency, source_url, updated_at, source)
  select ${idSql('res')}, 'model-' || c2, 'vendor-' || c1, 'platform-' || c3, ($6::text[])[c4 + 1],
    case when k % 3 = 0 then 'eu-west-1' end, 'per_mtok', (k % 5000) / 100.0, (k % 9000) / 50.0, 'USD',
    'https://prices.example/' || c1 || '/' || k, ${updatedAtSql}, 'generated'
  from unnest($1::int[], $2::int[], $3::int[], $4::int[], $5::int[]) as rows (k, c1, c2, c3, c4)`

export async function loadChanges(db: Db, size: number): Promise<GeneratedTable> {
  const vendor = new Int16Array(size)
  const product = new Int16Array(size)
  const category = new Int16Array(size)
  const severity = new Int16Array(size)
  const incident = categories.indexOf('incident')
  for (let row = 0; row < size; row += 1) {
    const model = pickProduct(chance(row, 11))
    const maker = pickVendor(chance(model, 12))
    product[row] = model
    vendor[row] = maker
    // Every fifth vendor, and some products, have incidents only; the third vendor has none.
    const kind = pickCategory(chance(row, 13))
    const shown = maker % 5 === 4 || model % 50 === 1 ? incident : kind
    category[row] = maker === 2 && shown === incident ? 0 : shown
    severity[row] = severityOf(chance(row, 14), maker, shown)
  }
  await insertRows(db, 'changes', [vendor, product, category, severity], changesSql)
  return {
    name: 'changes',
    size,
    columns: [
      { filter: 'vendor', codes: vendor, nameOf: vendorOf },
      { filter: 'product', codes: product, nameOf: productOf },
      { filter: 'category', codes: category, nameOf: (code) => categories[code] ?? '' },
      { filter: 'min_severity', codes: severity, nameOf: (code) => code, atLeast: true },
    ],
    modes: [
      { filter: {}, shows: (row, filter) => 'category' in filter || category[row] !== incident },
      { filter: { include_incidents: true }, shows: () => true },
    ],
    positionOf: (row) => ({ updatedAt: updatedAtOf(row), id: idOf('chg', row) }),
    canPrepare: canPrepareChangeList,
    compile: (to, filter, cursor, limit) => changeListQuery(to, filter, cursor, limit).compile(),
  }
}

/** Most is harmless. The most common vendor, and price cuts, never reach 5, nor new models 3. */
function severityOf(random: number, vendor: number, category: number): number {
  const severity = random < 0.4 ? 1 : random < 0.75 ? 2 : random < 0.95 ? 3 : random < 0.999 ? 4 : 5
  const highest = categories[category] === 'model_added' ? 2 : vendor === 0 || category === 0 ? 4 : 5
  return Math.min(severity, highest)
}

const changesSql = `
  insert into changes (id, vendor, product, modality, category, severity, title, summary, diff_before, diff_after,
    impact_score, first_seen, last_seen, status, updated_at)
  select ${idSql('chg')}, 'vendor-' || c1, 'model-' || c2, 'llm', ($6::text[])[c3 + 1], c4, 'A change of model ' || c2,
    'What has changed, in a sentence that is as long as such sentences are in the feed.', k::text, (k + 1)::text,
    k % 101, at, at, 'confirmed', at
  from unnest($1::int[], $2::int[], $3::int[], $4::int[], $5::int[]) as rows (k, c1, c2, c3, c4),
    lateral (select ${updatedAtSql} as at) as instant`

/** Fills the table without its indexes, builds them, and collects statistics. */
async function insertRows(
  db: Db,
  table: GeneratedTable['name'],
  columns: readonly Int16Array[],
  insertSql: string,
): Promise<void> {
  const { rows: indexes } = await sql<{ name: string; definition: string }>`
    select indexname as name, indexdef as definition from pg_indexes
    where schemaname = 'public' and tablename = ${table} and indexdef not like 'CREATE UNIQUE%'`.execute(db)
  for (const { name } of indexes) await sql`drop index ${sql.ref(name)}`.execute(db)

  const rows = [...storedOrder(columns[0]?.length ?? 0)]
  const words = table === 'prices' ? modalities : categories
  for (let start = 0; start < rows.length; start += batchSize) {
    const batch = rows.slice(start, start + batchSize)
    const arrays = columns.map((codes) => arrayText(batch.map((row) => codes[row] ?? -1)))
    await db.executeQuery(CompiledQuery.raw(insertSql, [arrayText(batch), ...arrays, words]))
  }

  for (const { definition } of indexes) await sql.raw(definition).execute(db)
  await sql`vacuum (analyze) ${sql.table(table)}`.execute(db)
}

function arrayText(codes: readonly number[]): string {
  return `{${codes.map((code) => (code === -1 ? 'null' : code)).join(',')}}`
}
