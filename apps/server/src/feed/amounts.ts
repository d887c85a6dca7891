import { amountColumns, type AmountColumn, type DecimalText } from '../features/prices/price-record.ts'
import type { FeedPolicy } from './policy.ts'
import type { Amounts } from './source-record.ts'

/** Why a move waits for a person. `bulk` concerns all rows of a platform, the others one amount. */
export type HoldReason = 'factor' | 'to_zero' | 'from_zero' | 'bulk' | 'range' | 'first_load'

export function amountsOf(record: Amounts): Amounts {
  return Object.fromEntries(amountColumns.map((column) => [column, record[column]])) as Amounts
}

export function movedColumns(before: Amounts, after: Amounts): AmountColumn[] {
  return amountColumns.filter((column) => before[column] !== after[column])
}

/** Moved columns with an amount on both sides. */
export function pricedMoves(before: Amounts, after: Amounts): AmountColumn[] {
  return movedColumns(before, after).filter((column) => before[column] !== null && after[column] !== null)
}

/** Why the move of a row is held; null: it is accepted. */
export function doubtOf(before: Amounts, after: Amounts, policy: FeedPolicy): HoldReason | null {
  for (const column of movedColumns(before, after)) {
    const doubt = doubtOfAmount(column, before[column], after[column], policy)
    if (doubt !== null) return doubt
  }
  return null
}

function doubtOfAmount(
  column: AmountColumn,
  before: DecimalText | null,
  after: DecimalText | null,
  policy: FeedPolicy,
): HoldReason | null {
  if (after === null) return null
  if (before !== null) {
    if (Number(after) === 0) return 'to_zero'
    if (Number(before) === 0) return 'from_zero'
    const factor = Number(after) / Number(before)
    if (factor >= policy.guards.factorMax || factor <= 1 / policy.guards.factorMax) return 'factor'
  }
  return isAbsurd(column, after, policy) ? 'range' : null
}

/** An amount per million tokens that no vendor has ever charged: a mistake of the unit. 0 means "free". */
export function isAbsurd(column: AmountColumn, amount: DecimalText | null, policy: FeedPolicy): boolean {
  if (amount === null || !column.endsWith('_per_mtok')) return false
  const usd = Number(amount)
  return usd !== 0 && (usd < policy.guards.usdPerMtokMin || usd > policy.guards.usdPerMtokMax)
}

/** Whether the other states the same amounts in all named columns, apart from rounding. */
export function agree(a: Amounts, b: Amounts, columns: readonly AmountColumn[], policy: FeedPolicy): boolean {
  return columns.every((column) => {
    const [left, right] = [a[column], b[column]]
    if (left === null || right === null) return left === right
    const [x, y] = [Number(left), Number(right)]
    return Math.abs(x - y) <= policy.agreementShare * Math.max(x, y)
  })
}
