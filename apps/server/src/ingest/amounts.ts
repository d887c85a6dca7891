import { areAlike } from '../catalog/agreement.ts'
import { amountColumns, type AmountColumn, type DecimalText, type Modality } from '../catalog/price-record.ts'
import type { FeedPolicy } from './policy.ts'
import type { Amounts } from './source-record.ts'

export function pickAmounts(record: Amounts): Amounts {
  return Object.fromEntries(amountColumns.map((column) => [column, record[column]])) as Amounts
}

export function movedColumns(before: Amounts, after: Amounts): AmountColumn[] {
  return amountColumns.filter((column) => before[column] !== after[column])
}

/** Moved columns with an amount on both sides. */
export function pricedMoves(before: Amounts, after: Amounts): AmountColumn[] {
  return movedColumns(before, after).filter((column) => before[column] !== null && after[column] !== null)
}

/** An amount per million tokens that no vendor has ever charged: a mistake of the unit. 0 means "free". */
export function isAbsurd(
  column: AmountColumn,
  amount: DecimalText | null,
  policy: FeedPolicy,
  modality: Modality | null = null,
): boolean {
  if (amount === null || !column.endsWith('_per_mtok')) return false
  const usd = Number(amount)
  return (
    usd !== 0 &&
    (usd < policy.guards.usdPerMtokMin ||
      usd > policy.guards.usdPerMtokMax / (modality === 'embedding' ? 100 : 1))
  )
}

/** Whether two amounts are the same, apart from rounding. Unknown agrees with unknown. */
export function agreeOn(a: DecimalText | null, b: DecimalText | null, policy: FeedPolicy): boolean {
  if (a === null || b === null) return a === b
  return areAlike(a, b, policy.agreementShare)
}

/** Whether the other states the same amounts in all named columns, apart from rounding. */
export function agree(a: Amounts, b: Amounts, columns: readonly AmountColumn[], policy: FeedPolicy): boolean {
  return columns.every((column) => agreeOn(a[column], b[column], policy))
}

/** By how much two amounts differ, at least 1; Infinity: one of them is free and the other is not. */
export function factorBetween(a: DecimalText, b: DecimalText): number {
  const [x, y] = [Number(a), Number(b)]
  if (x === y) return 1
  return x === 0 || y === 0 ? Infinity : Math.max(x / y, y / x)
}
