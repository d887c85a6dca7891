import type { AmountColumn, DecimalText } from './price-record.ts'

/** The share by which two amounts may differ and still be the same, apart from rounding. */
export const agreementShare = 0.005

export function areAlike(a: DecimalText, b: DecimalText, share = agreementShare): boolean {
  const [x, y] = [Number(a), Number(b)]
  return Math.abs(x - y) <= share * Math.max(x, y)
}

/** Whether an amount that a source states is what is served. */
export function isServed(
  stated: DecimalText,
  served: Readonly<Record<AmountColumn, DecimalText | null>>,
  column: AmountColumn,
): boolean {
  const amount = served[column]
  return amount !== null && areAlike(stated, amount)
}
