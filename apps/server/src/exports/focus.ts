import { csvText } from '@ratecard/contract/csv'
import type { Rate } from '../catalog/rate-card.ts'
import type { FormInput, Written } from './form.ts'
import { buildCard, isBilled, loseAnnounced, type ExportResource } from './resource.ts'

/** FOCUS' columns of a price, in their order, and what each has of a rate. */
const columns: Readonly<Record<string, (rate: Rate, resource: ExportResource) => string | null>> = {
  // Without an amount and its dates: it is the same from day to day.
  SkuPriceId: ({ meter, variant, service_tier, threshold, hours, unit }, { resource_id }) =>
    [resource_id, meter, variant, service_tier, threshold, hours, unit].map((part) => part ?? '').join('|'),
  SkuId: (_, { resource_id }) => resource_id,
  SkuMeter: ({ meter }) => meter,
  SkuPriceDetails: (
    { meter, variant, service_tier, threshold, hours },
    { resource_id, product_id, vendor },
  ) =>
    JSON.stringify({
      x_TokenType: meter,
      x_ModelId: product_id ?? resource_id,
      x_ModelProvider: vendor,
      x_ServiceTier: service_tier ?? 'standard',
      ...(variant !== null && { x_Variant: variant }),
      ...(threshold !== null && { x_InputTokensAbove: threshold }),
      ...(hours !== null && { x_HoursUtc: hours }),
    }),
  PublisherName: (_, { vendor }) => vendor,
  ProviderName: (_, { platform }) => platform,
  ServiceCategory: () => 'AI and Machine Learning',
  ServiceName: (_, { platform }) => platform,
  RegionId: (_, { region }) => region,
  PricingUnit: ({ unit }) => nameUnit(unit),
  ListUnitPrice: ({ amount }) => amount,
  BillingCurrency: (_, { currency }) => currency,
  x_EffectiveAt: (_, { effective_at }) => effective_at,
  x_SourceUrl: (_, { source_url }) => source_url,
}

/** A price sheet in FOCUS' terms: a row for each rate of each resource, in the currency in which it is billed. */
export function writeFocus({ resources, losses }: FormInput): Written {
  const held = new Set<ExportResource>()
  const rows = resources.flatMap((resource) => {
    if (!isBilled(resource, losses)) return []
    loseAnnounced(resource, losses)
    held.add(resource)
    return buildCard(resource).map((rate) => Object.values(columns).map((read) => read(rate, resource) ?? ''))
  })
  const content = [Object.keys(columns), ...rows].map((row) => `${row.map(csvText).join(',')}\r\n`).join('')
  return { content, rows: rows.length, held }
}

/** In FOCUS' form: what is counted in the plural, with the number that a price is for. */
function nameUnit(unit: string): string {
  const [, millions] = /^1m_(.+)$/.exec(unit) ?? []
  return millions === undefined ? unit.replaceAll('_', ' ') : `1000000 ${millions}`
}
