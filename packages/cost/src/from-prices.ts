import { Catalog } from './book.ts'
import type { CatalogRecord, Decimal, Snapshot } from './types.ts'

/** A row of `GET /v1/prices`, as `@ratecard/sdk` gives it. */
export interface PriceRow {
  readonly resource_id: string
  readonly product_id: string | null
  readonly vendor: string
  readonly platform: string | null
  readonly modality: string | null
  readonly region: string | null
  readonly input_per_mtok: number | null
  readonly output_per_mtok: number | null
  readonly cached_input_per_mtok: number | null
  readonly image_per_unit: number | null
  readonly audio_per_min: number | null
  readonly video_per_sec: number | null
  readonly currency: string | null
  readonly source_url: string | null
  readonly effective_at: string
  readonly updated_at: string
}

/**
 * A catalog from rows of the live API that you have: `client.catalog()` of `@ratecard/sdk` fetches them, and keeps them
 * fresh. The API has the standard rates alone. What depends on a rate card (cache writes, batch, long context, searches) is unpriced with the
 * reason, and every figure says `no_rate_cards`.
 */
export async function catalogFromPrices(
  rows: AsyncIterable<PriceRow> | Iterable<PriceRow>,
  { nowMs = Date.now() }: { readonly nowMs?: number } = {},
): Promise<Catalog> {
  // A walk may give a row again that has moved meanwhile: the last one holds.
  const records = new Map<string, CatalogRecord>()
  for await (const row of rows) records.set(row.resource_id, toRecord(row))
  return new Catalog(buildSnapshot(records, nowMs), { origin: 'api' })
}

/** The snapshot that records of the API make at that moment. */
export function buildSnapshot(records: ReadonlyMap<string, CatalogRecord>, nowMs: number): Snapshot {
  const resources = [...records.values()]
  return {
    format: 'ratecard-snapshot',
    format_version: 1,
    generated_at: new Date(nowMs).toISOString(),
    as_of: null,
    // The API states no version of the list. Two walks with the same newest move have the same prices.
    catalog_version: resources.reduce((last, { updated_at }) => (updated_at > last ? updated_at : last), ''),
    resource_count: resources.length,
    resources,
  }
}

/** A row in the words of the snapshot. */
export function toRecord(row: PriceRow): CatalogRecord {
  return {
    ...row,
    input_per_mtok: formatAmount(row.input_per_mtok),
    output_per_mtok: formatAmount(row.output_per_mtok),
    cached_input_per_mtok: formatAmount(row.cached_input_per_mtok),
    image_per_unit: formatAmount(row.image_per_unit),
    audio_per_min: formatAmount(row.audio_per_min),
    video_per_sec: formatAmount(row.video_per_sec),
    // The API serves the instant of the last move where no source dates the price.
    effective_at: row.effective_at,
    rates: null,
    announced: null,
  }
}

/** The API writes exact decimals as JSON numbers, and the shortest text of a number is what was written. */
function formatAmount(amount: number | null): Decimal | null {
  return amount === null ? null : String(amount)
}
