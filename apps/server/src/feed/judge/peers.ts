import { amountColumns, type AmountColumn } from '../../features/prices/price-record.ts'
import type { Claim } from './claim.ts'

/** What a product costs on other platforms. */
export interface Peers {
  /**
   * The median of an amount of a product over all platforms but one, and the number of those platforms. Null: fewer than
   * `platformsMin` state it.
   */
  median: (product: string | null, platform: string | null, column: AmountColumn) => number | null
  /** Whether everything that is stated of the platform is free: it charges in another way, or not at all. */
  isFreePlatform: (platform: string | null) => boolean
}

/** From every present claim: a platform counts once, with the median of what is said of it. */
export function findPeers(
  claims: Iterable<Claim>,
  productOf: (key: string) => string | null,
  platformsMin: number,
): Peers {
  const byProduct = new Map<string, Map<AmountColumn, Map<string, number[]>>>()
  const charging = new Set<string | null>()
  for (const { key, stated, removedAt } of claims) {
    if (removedAt !== null) continue
    if (amountColumns.some((column) => Number(stated[column]) > 0)) charging.add(stated.platform)
    const product = productOf(key)
    if (product === null) continue
    for (const column of amountColumns) {
      const amount = stated[column]
      if (amount === null || Number(amount) === 0) continue
      const platforms = entry(entry(byProduct, product), column)
      const amounts = platforms.get(stated.platform ?? '')
      if (amounts) amounts.push(Number(amount))
      else platforms.set(stated.platform ?? '', [Number(amount)])
    }
  }
  const known = new Map<string, number | null>()
  return {
    isFreePlatform: (platform) => !charging.has(platform),
    median(product, platform, column) {
      if (product === null) return null
      const name = `${product}\n${platform}\n${column}`
      const before = known.get(name)
      if (before !== undefined) return before
      const platforms = byProduct.get(product)?.get(column) ?? new Map<string, number[]>()
      const others = [...platforms].flatMap(([other, amounts]) =>
        other === (platform ?? '') ? [] : [medianOf(amounts)],
      )
      const median = others.length < platformsMin ? null : medianOf(others)
      known.set(name, median)
      return median
    },
  }
}

function entry<K, I, V>(map: Map<K, Map<I, V>>, key: K): Map<I, V> {
  const known = map.get(key)
  if (known) return known
  const made = new Map<I, V>()
  map.set(key, made)
  return made
}

function medianOf(amounts: readonly number[]): number {
  const sorted = amounts.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : Math.sqrt(sorted[middle - 1]! * sorted[middle]!)
}
