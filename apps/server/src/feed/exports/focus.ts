import { csvText } from '@ratecard/contract/csv'
import type { Rate } from '../../features/prices/rate-card.ts'
import type { FormInput, Written } from './form.ts'
import { cardOf, type ExportResource } from './resource.ts'

/** FOCUS' columns of a price, in their order. */
const columns = [
  'SkuPriceId',
  'SkuId',
  'SkuMeter',
  'SkuPriceDetails',
  'PublisherName',
  'ProviderName',
  'ServiceCategory',
  'ServiceName',
  'RegionId',
  'PricingUnit',
  'ListUnitPrice',
  'BillingCurrency',
  'x_EffectiveAt',
  'x_SourceUrl',
] as const

/** A price sheet in FOCUS' terms: a row for each rate of each resource, in the currency in which it is billed. */
export function writeFocus({ resources, losses }: FormInput): Written {
  const held = new Set<ExportResource>()
  const rows = resources.flatMap((resource) => {
    const { resource_id: id, currency } = resource
    const card = cardOf(resource)
    if (card.length === 0 || currency === null) {
      losses.add(currency === null ? 'resources in no known currency' : 'resources without a price', id)
      return []
    }
    for (const { starts_on } of resource.announced ?? []) losses.add('announced prices', id, starts_on)
    held.add(resource)
    return card.map((rate) => toRow(resource, rate))
  })
  const content = [columns, ...rows].map((row) => `${row.map(csvText).join(',')}\r\n`).join('')
  return { content, rows: rows.length, held }
}

function toRow(resource: ExportResource, rate: Rate): string[] {
  const { resource_id: id, product_id, vendor, platform, region, currency } = resource
  const { meter, variant, service_tier, threshold, hours, unit, amount } = rate
  // Without an amount and its dates: it is the same from day to day.
  const parts = [meter, variant, service_tier, threshold, hours].map((part) => part ?? '')
  const row: Record<(typeof columns)[number], string | null> = {
    SkuPriceId: [id, ...parts, unit].join('|'),
    SkuId: id,
    SkuMeter: meter,
    SkuPriceDetails: JSON.stringify({
      x_TokenType: meter,
      x_ModelId: product_id ?? id,
      x_ModelProvider: vendor,
      x_ServiceTier: service_tier ?? 'standard',
      ...(variant !== null && { x_Variant: variant }),
      ...(threshold !== null && { x_InputTokensAbove: threshold }),
      ...(hours !== null && { x_HoursUtc: hours }),
    }),
    PublisherName: vendor,
    ProviderName: platform,
    ServiceCategory: 'AI and Machine Learning',
    ServiceName: platform,
    RegionId: region,
    PricingUnit: nameUnit(unit),
    ListUnitPrice: amount,
    BillingCurrency: currency,
    x_EffectiveAt: resource.effective_at,
    x_SourceUrl: resource.source_url,
  }
  return columns.map((column) => row[column] ?? '')
}

/** In FOCUS' form: what is counted in the plural, with the number that a price is for. */
function nameUnit(unit: string): string {
  const [, millions] = /^1m_(.+)$/.exec(unit) ?? []
  return millions === undefined ? unit.replaceAll('_', ' ') : `1000000 ${millions}`
}
