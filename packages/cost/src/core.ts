// What prices, without the readers and the shipped prices: for a program that has its own catalog, and counts its bytes.

export { Catalog, type CatalogOptions } from './book.ts'
export { costOf, type CoreOptions, type OwnPrices } from './cost-of.ts'
export { CatalogError, UsageError } from './errors.ts'
export { resolve, type ResolveOptions } from './resolve.ts'
export { sumOf, type CostSum, type PartialSum, type WholeSum } from './sum-of.ts'
export type * from './types.ts'
