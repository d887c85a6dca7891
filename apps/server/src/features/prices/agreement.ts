import { amountColumns, type AmountColumn, type DecimalText } from './price-record.ts'
import type { SourceClaim } from './product-store.ts'

/** The share by which two amounts may differ and still be the same, apart from rounding. */
export const agreementShare = 0.005

export function areAlike(a: DecimalText, b: DecimalText, share = agreementShare): boolean {
  const [x, y] = [Number(a), Number(b)]
  return Math.abs(x - y) <= share * Math.max(x, y)
}

type Served = Readonly<Record<AmountColumn, DecimalText | null>>

/** Whether the amount that a source states is what is served. */
export function isServed(stated: DecimalText, served: Served, column: AmountColumn): boolean {
  const amount = served[column]
  return amount !== null && areAlike(stated, amount)
}

/** How many sources state an amount that is not served so. */
export function countOtherwise(served: Served, claims: readonly SourceClaim[]): number {
  return claims.filter(
    ({ amounts, gone_since }) =>
      gone_since === null &&
      amountColumns.some((column) => {
        const stated = amounts[column]
        return stated != null && !isServed(stated, served, column)
      }),
  ).length
}
