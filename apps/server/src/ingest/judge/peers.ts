import { amountColumns, type AmountColumn } from '../../catalog/price-record.ts'
import type { FeedPolicy } from '../policy.ts'
import type { Claim } from '../claims/claim.ts'
import { chooseStandMs } from '../claims/doubts.ts'

/** What a product costs on other platforms. */
export interface Peers {
  /**
   * The median of an amount of a product over all platforms but one, and the number of those platforms. Null: fewer than
   * `platformsMin` state it.
   */
  median: (product: string | null, platform: string | null, column: AmountColumn) => number | null
  /** What that median is of: each other platform, with the median of what is said of it. */
  elsewhere: (product: string | null, platform: string | null, column: AmountColumn) => Map<string, number>
  /** Whether most of what is stated of the platform is free: it charges in another way, or not at all. */
  isFreePlatform: (platform: string | null) => boolean
}

/** Platforms differ by far in what they take for cached input. */
const compared: ReadonlySet<AmountColumn> = new Set(
  amountColumns.filter((column) => column !== 'cached_input_per_mtok'),
)

/**
 * What a claim counts with: a move counts when it has stood as long as a mistake must, so that a file of mistakes makes
 * no outliers of what is right.
 */
function heardAmount({ stated, moves, lastSeen }: Claim, column: AmountColumn, standMs: number) {
  const move = moves[column]
  if (!move || move.decided === 'accepted') return stated[column]
  const hasStood = Date.parse(lastSeen) - Date.parse(move.since) >= standMs
  return move.decided === null && hasStood ? stated[column] : move.before
}

/** A row without amounts names no currency. Amounts of which nobody knows it are comparable with no others. */
export function readCurrency({ stated }: Claim): string {
  const hasAmounts = amountColumns.some((column) => stated[column] !== null)
  return stated.currency ?? (hasAmounts ? 'unknown' : 'USD')
}

export function isInUsd(claim: Claim): boolean {
  return readCurrency(claim) === 'USD'
}

/** From every present claim in USD: a platform counts once, with the median of what is said of it. */
export function findPeers(
  claims: Iterable<Claim>,
  findProduct: (key: string) => string | null,
  policy: FeedPolicy,
): Peers {
  const platformsMin = policy.guards.peerPlatformsMin
  const heard = new Map<string, Map<string, number[]>>()
  const rows = new Map<string | null, { free: number; charged: number }>()
  const standMs = chooseStandMs('bulk', policy)
  for (const claim of claims) {
    const { key, stated, removedAt } = claim
    if (removedAt !== null) continue
    countOffer(rows, stated)
    const product = findProduct(key)
    if (product === null || !isInUsd(claim)) continue
    for (const column of compared) {
      const amount = heardAmount(claim, column, standMs)
      if (amount === null || Number(amount) === 0) continue
      const name = `${product}\n${column}`
      const platforms = heard.get(name) ?? new Map<string, number[]>()
      heard.set(name, platforms)
      const amounts = platforms.get(stated.platform ?? '')
      if (amounts) amounts.push(Number(amount))
      else platforms.set(stated.platform ?? '', [Number(amount)])
    }
  }
  // Once for each platform: a product is asked of for every platform that sells it.
  const medians = new Map<string, Map<string, number>>()
  for (const [name, platforms] of heard)
    medians.set(name, new Map([...platforms].map(([platform, all]) => [platform, findMedian(all)])))
  const known = new Map<string, number | null>()
  const elsewhere: Peers['elsewhere'] = (product, platform, column) => {
    const others = new Map(medians.get(`${product}\n${column}`))
    others.delete(platform ?? '')
    return others
  }
  return {
    elsewhere,
    isFreePlatform(platform) {
      const { free, charged } = rows.get(platform) ?? { free: 0, charged: 0 }
      return free > charged
    },
    median(product, platform, column) {
      if (product === null || !compared.has(column)) return null
      const name = `${product}\n${platform}\n${column}`
      const before = known.get(name)
      if (before !== undefined) return before
      const others = [...elsewhere(product, platform, column).values()]
      const median = others.length < platformsMin ? null : findMedian(others)
      known.set(name, median)
      return median
    },
  }
}

function countOffer(
  rows: Map<string | null, { free: number; charged: number }>,
  stated: Claim['stated'],
): void {
  const amounts = amountColumns.flatMap((column) => stated[column] ?? [])
  if (amounts.length === 0) return
  const count = rows.get(stated.platform) ?? { free: 0, charged: 0 }
  rows.set(stated.platform, count)
  if (amounts.some((amount) => Number(amount) > 0)) count.charged += 1
  else count.free += 1
}

export function findMedian(amounts: readonly number[]): number {
  const sorted = amounts.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : Math.sqrt(sorted[middle - 1]! * sorted[middle]!)
}
