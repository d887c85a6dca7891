import type { PriceRecord } from '../../../catalog/price-record.ts'
import { listNames } from './row-names.ts'

/** Prices by what drafts look them up by: to go through all of them for each of 40,000 new rows takes minutes. */
export interface PriceIndex {
  /** Prices of the product, in their order. */
  ofProduct: (product: string) => readonly PriceRecord[]
  /** Prices on the platform that one of the names may mean, each once. */
  named: (platform: string | null, names: Iterable<string>) => PriceRecord[]
}

const indexes = new WeakMap<readonly PriceRecord[], PriceIndex>()

/** The index of a list of prices, made at the first call. The list must not change. */
export function buildPriceIndex(prices: readonly PriceRecord[]): PriceIndex {
  let index = indexes.get(prices)
  if (!index) indexes.set(prices, (index = createIndex(prices)))
  return index
}

function createIndex(prices: readonly PriceRecord[]): PriceIndex {
  const byProduct = Map.groupBy(prices, ({ product_id }) => product_id)
  const byName = new Map<string, PriceRecord[]>()
  for (const price of prices) {
    for (const name of listNames(price)) {
      const key = nameKey(price.platform, name)
      const named = byName.get(key)
      if (named) named.push(price)
      else byName.set(key, [price])
    }
  }
  return {
    ofProduct: (product) => byProduct.get(product) ?? [],
    named: (platform, names) => [
      ...new Set([...names].flatMap((name) => byName.get(nameKey(platform, name)) ?? [])),
    ],
  }
}

function nameKey(platform: string | null, name: string): string {
  return JSON.stringify([platform, name])
}
