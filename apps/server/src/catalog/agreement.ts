import type { AmountColumn, DecimalText } from './price-record.ts'

/** The share by which two amounts may differ and still be the same, apart from rounding. */
export const agreementShare = 0.005

export function areAlike(a: DecimalText, b: DecimalText, share = agreementShare): boolean {
  const [x, y] = [Number(a), Number(b)]
  return Math.abs(x - y) <= share * Math.max(x, y)
}

/** What a source states of a price, or what is served of it. */
interface Statement {
  amounts: Readonly<Partial<Record<AmountColumn, DecimalText | null>>>
  currency: string | null
}

/** Whether what a source states of an amount is what is served, in its currency. */
export function isServed(claim: Statement, served: Statement, column: AmountColumn): boolean {
  const [stated, amount] = [claim.amounts[column], served.amounts[column]]
  return stated != null && amount != null && claim.currency === served.currency && areAlike(stated, amount)
}
