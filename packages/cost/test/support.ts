import {
  Catalog,
  costOf,
  type CatalogRate,
  type CatalogRecord,
  type CostOptions,
  type Counts,
  type Snapshot,
} from '../src/index.ts'

/** A record with what a test says of it; the rest is as of a plain text model of OpenAI. */
export function record(values: Partial<CatalogRecord> & { resource_id: string }): CatalogRecord {
  const [platform = ''] = values.resource_id.split(':')
  return {
    product_id: null,
    vendor: platform,
    platform,
    modality: 'llm',
    region: null,
    currency: 'USD',
    input_per_mtok: null,
    output_per_mtok: null,
    cached_input_per_mtok: null,
    image_per_unit: null,
    audio_per_min: null,
    video_per_sec: null,
    effective_at: null,
    updated_at: '2026-01-01T00:00:00.000000Z',
    is_confirmed: true,
    rates: [],
    announced: [],
    aliases: [],
    ...values,
  }
}

export function rate(meter: string, amount: string, values: Partial<CatalogRate> = {}): CatalogRate {
  const unit =
    values.unit ?? (meter.endsWith('_tokens') ? '1m_tokens' : meter === 'searches' ? 'query' : 'unit')
  return { meter, amount, service_tier: null, variant: null, threshold: null, hours: null, ...values, unit }
}

export function alias(
  key: string,
  model_name = key,
): { key: string; resource_id: string; model_name: string } {
  return { key, resource_id: key, model_name }
}

export function snapshotOf(resources: readonly CatalogRecord[], values: Partial<Snapshot> = {}): Snapshot {
  return {
    format: 'ratecard-snapshot',
    format_version: 1,
    generated_at: '2026-09-01T00:00:00.000000Z',
    as_of: null,
    catalog_version: '42',
    resource_count: resources.length,
    resources,
    ...values,
  }
}

export function catalogOf(...resources: CatalogRecord[]): Catalog {
  return new Catalog(snapshotOf(resources))
}

/** Claude as Anthropic prices it: writes to the cache by time to live, long prompts, tools. */
export const sonnet = record({
  resource_id: 'anthropic:claude-sonnet-4-5',
  product_id: 'anthropic/claude-sonnet-4-5',
  input_per_mtok: '3',
  output_per_mtok: '15',
  cached_input_per_mtok: '0.3',
  rates: [
    rate('cache_write_tokens', '3.75'),
    rate('cache_write_tokens', '6', { variant: '1h' }),
    rate('cache_write_tokens', '7.5', { threshold: 200_000 }),
    rate('cached_input_tokens', '0.6', { threshold: 200_000 }),
    rate('input_tokens', '6', { threshold: 200_000 }),
    rate('output_tokens', '22.5', { threshold: 200_000 }),
    rate('input_tokens', '1.5', { service_tier: 'batch' }),
    rate('output_tokens', '7.5', { service_tier: 'batch' }),
    rate('searches', '0.01', { variant: 'low' }),
    rate('searches', '0.01', { variant: 'medium' }),
    rate('searches', '0.01', { variant: 'high' }),
    rate('price_multiplier', '1.1', { unit: 'multiplier', variant: 'us' }),
    rate('price_multiplier', '6', { unit: 'multiplier', variant: 'fast' }),
  ],
})

type Told = Omit<CostOptions, 'catalog'>

/** Total of a whole cost; else the reasons, by meter. */
export function outcome(catalog: Catalog, counts: Counts, told: Told): string {
  const cost = costOf({ counts }, { catalog, ...told })
  return cost.isWhole
    ? cost.total
    : cost.unpriced.map(({ meter, reason }) => `${meter}: ${reason}`).join(', ')
}
