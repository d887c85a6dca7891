import { findAll, toSearchText, type Searched } from '@ratecard/contract/model-search'
import type { CatalogRecord } from '@ratecard/cost'

// Words as people type them, read as the public pages and the dashboard read them: "gpt4o", "Claude Sonnet 4.5".

const known = new WeakMap<CatalogRecord, Searched>()

/** The records that have all these words, the best first; equal ones stay in their order. */
export function searchRecords(records: readonly CatalogRecord[], query: string): CatalogRecord[] {
  return findAll(records.map(lookUpSearched), query).map((place) => records[place]!)
}

function lookUpSearched(record: CatalogRecord): Searched {
  let searched = known.get(record)
  if (searched === undefined) {
    const { resource_id: id, product_id: product, vendor, platform, aliases } = record
    const names = [id, product, vendor, platform, ...(aliases ?? []).map(({ model_name: name }) => name)]
    searched = {
      name: toSearchText(toModelName(product ?? id)),
      all: toSearchText(names.filter((name) => name !== null).join(' ')),
    }
    known.set(record, searched)
  }
  return searched
}

/** An id without its platform or its maker. */
export function toModelName(id: string): string {
  return id.slice(id.lastIndexOf('/') + 1).replace(/^[^:]*:/, '')
}
