import { amountColumns, type AmountColumn, type DecimalText } from '../catalog/price-record.ts'
import { rateKey, type Rate } from '../catalog/rate-card.ts'
import { resourceKey } from '../ingest/match/names.ts'
import type { SnapshotResource } from '../snapshot/record.ts'
import { toRate } from '../ingest/sources/reading/reading.ts'
import type { Losses } from './report.ts'

/** What forms are written from: a resource of the snapshot, without who says what. */
export type ExportResource = Omit<SnapshotResource, 'claims' | 'documents' | 'evidence'>

export const columnMeters: Readonly<Record<AmountColumn, readonly [meter: string, unit: string]>> = {
  input_per_mtok: ['input_tokens', '1m_tokens'],
  output_per_mtok: ['output_tokens', '1m_tokens'],
  cached_input_per_mtok: ['cached_input_tokens', '1m_tokens'],
  image_per_unit: ['images', 'image'],
  audio_per_min: ['audio_minutes', 'minute'],
  video_per_sec: ['video_seconds', 'second'],
}

/** All that something costs, the six amounts among it, as one card. */
export function buildCard(
  resource: Readonly<Record<AmountColumn, DecimalText | null>> & { rates: readonly Rate[] | null },
): Rate[] {
  const columns = amountColumns.flatMap((column) => {
    const amount = resource[column]
    return amount === null ? [] : [toRate(...columnMeters[column], amount)]
  })
  const known = new Set(columns.map(rateKey))
  return [...columns, ...(resource.rates ?? []).filter((rate) => !known.has(rateKey(rate)))]
}

/** A rate in words, such as `cache_write_tokens, 1h, batch, above 200000`. */
export function nameRate({ meter, variant, service_tier, threshold, hours }: Rate): string {
  const above = threshold === null ? null : `above ${threshold}`
  return [meter, variant, service_tier, above, hours].filter((part) => part !== null).join(', ')
}

/** Why a form has no place for a rate. */
export function whyLost({ hours, amount, variant, service_tier, threshold }: Rate): string {
  if (hours !== null) return 'rates by the hour of the day'
  if (/^[a-z]{2,3}-[a-z-]+-\d$/.test(variant ?? '')) return 'rates of a region'
  if (amount === '0') return 'rates of 0'
  if (service_tier !== null) return 'rates of a service tier'
  if (threshold !== null) return 'rates above a threshold'
  return 'rates that it has no field for'
}

/** Whether a form in USD that takes what is not stated for free can hold the resource at all. */
export function isPriced(resource: ExportResource, losses: Losses): boolean {
  const isEmpty = buildCard(resource).length === 0
  if (isEmpty) losses.add('resources without a price', resource.resource_id)
  else if (resource.currency !== 'USD')
    losses.add('resources in another currency than USD', resource.resource_id)
  else loseAnnounced(resource, losses)
  return !isEmpty && resource.currency === 'USD'
}

/** Whether a form with currencies can. */
export function isBilled(resource: ExportResource, losses: Losses): boolean {
  const { resource_id, currency } = resource
  const isEmpty = buildCard(resource).length === 0
  if (currency === null) losses.add('resources in no known currency', resource_id)
  else if (isEmpty) losses.add('resources without a price', resource_id)
  return !isEmpty && currency !== null
}

export function loseAnnounced({ resource_id, announced }: ExportResource, losses: Losses): void {
  for (const { starts_on } of announced ?? []) losses.add('announced prices', resource_id, starts_on)
}

/** Finds the resource that a source's own row is about, whichever of its spellings the row has. */
export function createFinder(
  resources: readonly ExportResource[],
  source: string,
): (resourceId: string) => ExportResource | undefined {
  const byKey = new Map(resources.map((resource) => [resourceKey(resource.resource_id), resource]))
  for (const resource of resources)
    for (const alias of resource.aliases)
      if (alias.source === source) byKey.set(resourceKey(alias.resource_id), resource)
  return (resourceId) => byKey.get(resourceKey(resourceId))
}
