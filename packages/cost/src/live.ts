export { CatalogError } from './errors.ts'
export { catalogFromPrices, type PriceRow } from './from-prices.ts'
export { catalogFromUrl, type Fetch, type FetchedAnswer, type UrlOptions } from './from-url.ts'
export type { RefreshedCatalog, RefreshOptions } from './refresh.ts'
