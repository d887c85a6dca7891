import { exactDecimal, formatDecimal } from '../exact.ts'

// A difference may be negative, so amounts of a bill are whole numbers of 10^-18: exact for every rate per million.

export const one = 10n ** 18n

/** @throws RangeError where the text is no decimal */
export function parseAmount(text: string): bigint {
  const isNegative = text.startsWith('-')
  const { units, scale } = exactDecimal(isNegative ? text.slice(1) : text)
  const whole = BigInt(units)
  const amount = scale <= 18 ? whole * 10n ** BigInt(18 - scale) : whole / 10n ** BigInt(scale - 18)
  return isNegative ? -amount : amount
}

export function formatAmount(amount: bigint): string {
  const text = formatDecimal({ units: magnitude(amount), scale: 18 })
  return amount < 0n ? `-${text}` : text
}

export function magnitude(amount: bigint): bigint {
  return amount < 0n ? -amount : amount
}

/** How many decimals a vendor writes: what is finer is rounded away. */
export function countDecimals(text: string): number {
  const { scale } = exactDecimal(text.replace(/^-/, ''))
  return scale
}

/** Amounts by component. */
export type Vector = ReadonlyMap<string, bigint>

export function addTo(vector: Map<string, bigint>, component: string, amount: bigint): void {
  vector.set(component, (vector.get(component) ?? 0n) + amount)
}

export function sum(vector: Iterable<bigint>): bigint {
  let all = 0n
  for (const amount of vector) all += amount
  return all
}
