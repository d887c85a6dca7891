import { findAll, nearSearch } from '@ratecard/contract/model-search'
import type { Catalogue, Model } from './catalogue.ts'

export interface ModelFilter {
  search: string
  vendor: string | null
  platform: string | null
  modality: string | null
}

/** The models that the filter leaves, the best first: named so, beginning so, then the rest. */
export function searchModels(
  { models }: Catalogue,
  { search, vendor, platform, modality }: ModelFilter,
): Model[] {
  const left = models.filter(
    (model) =>
      (vendor === null || model.vendor === vendor) &&
      (platform === null || model.platforms.includes(platform)) &&
      (modality === null || model.modality === modality),
  )
  const places = findAll(
    left.map(({ search: searched }) => searched),
    search,
  )
  return places.map((place) => left[place]!)
}

/** A search that finds something, near to one that finds nothing: `gemini`, for `gemni`. Null: there is none. */
export function nearModelSearch({ models }: Catalogue, search: string): string | null {
  return nearSearch(
    models.map(({ search: searched }) => searched),
    search,
  )
}
