export { costOf, type AnswerOptions } from './answer.ts'
export { shippedCatalog } from './catalog.ts'
export {
  Catalog,
  CatalogError,
  resolve,
  sumOf,
  UsageError,
  type CatalogOptions,
  type CoreOptions,
  type CostSum,
  type OwnPrices,
  type PartialSum,
  type ResolveOptions,
  type WholeSum,
} from './core.ts'
export { ownPrices } from './overrides.ts'
export type { ReaderName, ReadOptions } from './readers.ts'
export type * from './types.ts'
