import { formatDecimal, exactDecimal, plus, zero, type Exact } from './exact.ts'
import type { Cost, Decimal } from './types.ts'

interface AnySum {
  readonly currency: string
  /** How many costs were added. */
  readonly count: number
}

/** The sum of costs that are all whole. */
export interface WholeSum extends AnySum {
  readonly isWhole: true
  readonly total: Decimal
}

/** Some of the costs have unpriced lines: there is no total. */
export interface PartialSum extends AnySum {
  readonly isWhole: false
  readonly total: null
  readonly atLeast: Decimal
  /** How many of the costs are not whole. */
  readonly partial: number
}

/** What is paid in one currency. */
export type CostSum = WholeSum | PartialSum

/**
 * Adds costs, each currency by itself: they are never mixed. A cost of no known currency, whose model nobody knows, makes
 * every sum a partial one, and is a sum of its own (`XXX`, as ISO 4217 writes it) where there is no other.
 */
export function sumOf(costs: Iterable<Cost>): CostSum[] {
  const sums = new Map<string, { sum: Exact; count: number; partial: number }>()
  let unknown = 0
  for (const cost of costs) {
    if (cost.currency === null) {
      unknown += 1
      continue
    }
    const { sum, count, partial } = sums.get(cost.currency) ?? none
    sums.set(cost.currency, {
      sum: plus(sum, exactDecimal(cost.total ?? cost.atLeast)),
      count: count + 1,
      partial: partial + (cost.isWhole ? 0 : 1),
    })
  }
  if (sums.size === 0 && unknown > 0) sums.set('XXX', none)
  return [...sums].map(([currency, { sum, count, partial }]) => {
    const open = partial + unknown
    const all = { currency, count: count + unknown }
    return open === 0
      ? { ...all, isWhole: true, total: formatDecimal(sum) }
      : { ...all, isWhole: false, total: null, atLeast: formatDecimal(sum), partial: open }
  })
}

const none = { sum: zero, count: 0, partial: 0 }
