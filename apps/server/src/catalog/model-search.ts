import { companyName } from '@ratecard/contract/model-name'
import { findAll, nearSearch, toSearchText } from '@ratecard/contract/model-search'
import type { Catalogue, Model } from './catalogue.ts'

export interface ModelFilter {
  search: string
  vendor: string | null
  platform: string | null
  modality: string | null
}

/**
 * The models that the filter leaves. What a search finds: named so, beginning so, then the rest; of equals as they are
 * asked for.
 */
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
  if (search === '') return left
  // Whoever names a version means no other: the name with the least beside what was typed.
  if (/\d/.test(search)) left.sort((a, b) => a.search.name.length - b.search.name.length)
  // Records that no product is known of bear names of hosts, like "azure-gpt-4o": they come after what is known.
  const groups = [left.filter(({ isProduct }) => isProduct), left.filter(({ isProduct }) => !isProduct)]
  return groups.flatMap((group) =>
    findAll(
      group.map(({ search: searched }) => searched),
      search,
    ).map((place) => group[place]!),
  )
}

/** The model whose address was guessed: `claude-sonnet-4.5` and `GPT-4.1` lead to the ids that mean the same. */
export function findByGuess({ models }: Catalogue, vendor: string | null, name: string): Model | null {
  const wanted = toSearchText(name)
  const maker = vendor === null ? null : toSearchText(vendor)
  return (
    models.find(
      (model) =>
        model.isProduct &&
        model.search.name === wanted &&
        (maker === null ||
          [model.vendor, companyName(model.vendor)].some((word) => toSearchText(word) === maker)),
    ) ?? null
  )
}

/** Those that are nearest to a name that finds none, at most as many: by all of its words, else by the first ones. */
export function findNear(catalogue: Catalogue, name: string, limit: number): Model[] {
  const everything = { vendor: null, platform: null, modality: null }
  const words = name.split(/[^\p{L}\p{N}.]+/u).filter((word) => word !== '')
  for (let count = Math.min(words.length, nearWordsMax); count > 0; count--) {
    const search = words.slice(0, count).join(' ')
    const found = searchModels(catalogue, { search, ...everything })
    const near = found.length > 0 ? null : nearModelSearch(catalogue, search)
    const models = near === null ? found : searchModels(catalogue, { search: near, ...everything })
    if (models.length > 0) return models.slice(0, limit)
  }
  return []
}

const nearWordsMax = 6

/** A search that finds something, near to one that finds nothing: `gemini`, for `gemni`. Null: there is none. */
export function nearModelSearch({ models }: Catalogue, search: string): string | null {
  return nearSearch(
    models.map(({ search: searched }) => searched),
    search,
  )
}

/** By its id or that of a price, else the best that a search finds. */
export function findModel(catalogue: Catalogue, name: string): Model | null {
  const known = catalogue.products.get(name) ?? catalogue.records.get(name)
  if (known) return known
  return searchModels(catalogue, { search: name, vendor: null, platform: null, modality: null })[0] ?? null
}
