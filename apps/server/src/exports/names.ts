import { amountColumns } from '../catalog/price-record.ts'
import { cardText, sortRates } from '../catalog/rate-card.ts'
import { lookUp } from '../ingest/match/identify.ts'
import { ownModels } from '../ingest/match/taxonomy.ts'
import type { Losses } from './report.ts'
import { buildCard, type ExportResource } from './resource.ts'

/** A resource by the names that programs know it by. */
export interface NamedResource {
  resource: ExportResource
  platform: string
  /** As its platform spells it. */
  model: string
}

/**
 * Platform and model of each resource, once each. A region that the platform's own spelling does not tell has no name of
 * its own.
 */
export function nameByPlatform(resources: readonly ExportResource[], losses: Losses): NamedResource[] {
  return resources.flatMap((resource) => {
    const { resource_id, region } = resource
    const [, platform = '', id = ''] = /^([^:]*):(.*)$/s.exec(resource_id) ?? []
    const model = region !== null && id.startsWith(`${region}:`) ? id.slice(region.length + 1) : id
    if (region !== null && !model.startsWith(`${region}.`)) {
      losses.add('resources of one region', resource_id)
      return []
    }
    return [{ resource, platform, model }]
  })
}

/**
 * One resource for each name, where a form knows no platforms: that of the maker itself, else the one price that all who
 * sell it have.
 */
export function nameAlone(resources: readonly ExportResource[], losses: Losses): NamedResource[] {
  const byName = Map.groupBy(nameByPlatform(resources, losses), ({ model }) => model)
  return [...byName.values()].flatMap((sellers) => {
    const maker = sellers.find(({ resource: { vendor }, platform }) =>
      [platform, lookUp(ownModels, platform)].includes(vendor),
    )
    const isOnePrice = new Set(sellers.map(({ resource }) => priceText(resource))).size === 1
    const chosen = maker ?? (isOnePrice ? sellers[0] : undefined)
    for (const { resource } of sellers)
      if (resource !== chosen?.resource)
        losses.add(
          chosen === undefined
            ? 'names that platforms sell at different prices'
            : 'resources of another platform than that of the name',
          resource.resource_id,
        )
    return chosen === undefined ? [] : [chosen]
  })
}

function priceText(resource: ExportResource): string {
  return `${amountColumns.map((column) => resource[column]).join()}${cardText(sortRates(buildCard(resource)))}`
}
