import { addDecimals, compareDecimals, multiplyDecimals } from '@ratecard/contract/decimal'

/** An amount of a row, in its currency; null: unknown. */
export interface Compared {
  amount: string | null
  currency: string | null
}

/** The places of the lowest amounts of a row: none where less than two are known, or all are the same. */
export function findLowest(row: readonly Compared[]): ReadonlySet<number> {
  const known = row.flatMap(({ amount, currency }, place) =>
    amount === null ? [] : [{ amount, currency, place }],
  )
  const [first] = known
  // Amounts of two currencies are not compared, nor those of which nobody knows it.
  if (
    !first ||
    known.length < 2 ||
    known.some(({ currency }) => currency === null || currency !== first.currency)
  )
    return new Set()
  const least = known.reduce(
    (low, { amount }) => (compareDecimals(amount, low) < 0 ? amount : low),
    first.amount,
  )
  const lowest = known.filter(({ amount }) => compareDecimals(amount, least) === 0)
  return new Set(lowest.length === known.length ? [] : lowest.map(({ place }) => place))
}

/** What a million tokens cost, three parts of them input and one output; null: one of the two is unknown. */
export function blended(input: string | null, output: string | null): string | null {
  if (input === null || output === null) return null
  return multiplyDecimals(addDecimals(multiplyDecimals(input, '3'), output), '0.25')
}
