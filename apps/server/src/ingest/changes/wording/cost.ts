import { Decimal } from 'decimal.js'
import { amountColumns, type PriceRecord } from '../../../catalog/price-record.ts'
import type { WordingContext } from './context.ts'

/** How many times as much `to` costs as `from`; null: it is free, or they have no amount or known currency in common. */
export function costFactor(from: PriceRecord, to: PriceRecord, context: WordingContext): Decimal | null {
  if (from.currency === null || from.currency !== to.currency) return null
  const [before, after] = [blendPrice(from, context), blendPrice(to, context)]
  if (before !== null && after !== null) return after.div(before)
  // A model that is paid by one amount, as those of vectors, images and minutes are.
  const common = amountColumns.find((column) => isPositive(from[column]) && isPositive(to[column]))
  const isOnly = (price: PriceRecord) =>
    amountColumns.filter((column) => isPositive(price[column])).length === 1
  if (common === undefined || !isOnly(from) || !isOnly(to)) return null
  return new Decimal(to[common]!).div(from[common]!)
}

/** The cheapest in the currency first; prices that cannot be compared come last. */
export function byCost(
  prices: readonly PriceRecord[],
  context: WordingContext,
  currency: string | null = 'USD',
): PriceRecord[] {
  const costs = new Map(prices.map((price) => [price, estimateCost(price, context)]))
  return prices.toSorted(
    (a, b) =>
      Number(a.currency !== currency) - Number(b.currency !== currency) ||
      String(a.currency).localeCompare(String(b.currency)) ||
      costs.get(a)!.cmp(costs.get(b)!) ||
      (a.resource_id < b.resource_id ? -1 : a.resource_id > b.resource_id ? 1 : 0),
  )
}

function estimateCost(price: PriceRecord, context: WordingContext): Decimal {
  const blend = blendPrice(price, context)
  if (blend !== null) return blend
  const [only, ...more] = amountColumns.filter((column) => isPositive(price[column]))
  return only !== undefined && more.length === 0 && !only.endsWith('_per_mtok')
    ? new Decimal(price[only]!)
    : new Decimal(Infinity)
}

function isPositive(amount: string | null): boolean {
  return amount !== null && Number(amount) > 0
}

/** The average price of tokens; null: an amount is unknown, or all are free. */
function blendPrice(price: PriceRecord, { policy }: WordingContext): Decimal | null {
  const { input_per_mtok: input, output_per_mtok: output } = price
  if (input === null || output === null) return null
  const { inputPerOutput } = policy.alternatives
  const blend = new Decimal(input)
    .times(inputPerOutput)
    .plus(output)
    .div(inputPerOutput + 1)
  return blend.isZero() ? null : blend
}
