import type { Catalog, CatalogStamp } from '@ratecard/cost'

/** The prices at hand, and what is to be said of them. */
export interface Prices {
  readonly catalog: Catalog
  /** Why they are not those that were wanted, or not fresh; null: they are. */
  readonly note: string | null
}

/** Where the tools have prices from. A program on somebody's machine loads them; a server has them. */
export interface PriceSource {
  get(): Promise<Prices>
}

/** Which prices a figure rests on, as the tools say it. */
export function buildStamp({ catalog, note }: Prices) {
  const { version, generatedAt, asOf, origin, ageMs }: CatalogStamp = catalog.stamp()
  return {
    origin,
    version,
    generated_at: generatedAt,
    as_of: asOf,
    age_hours: Math.round(ageMs / 36_000) / 100,
    note,
  }
}
