// By its path: the dashboard bundles this file without this package's own dependencies.
import { formatExact, parseExact } from '../../contract/src/decimal.js'
import type { Count, Decimal } from './types.ts'

/** A number is always a safe integer, which is exact and several times as fast; what would be more is a bigint. */
type Units = number | bigint

/** `units` times ten to the power of minus `scale`: an exact decimal that is not negative. */
export interface Exact {
  readonly units: Units
  readonly scale: number
}

export const one: Exact = { units: 1, scale: 0 }
export const zero: Exact = { units: 0, scale: 0 }

/** Nobody uses more of anything: what is longer is a mistake, and would be slow to multiply. */
const charsMax = 200
const unitsMax = 10n ** 200n

/** The amount of a record. @throws RangeError where it is no decimal that is not negative */
export function exactDecimal(text: Decimal): Exact {
  if (typeof text !== 'string' || text.length > charsMax) throw new RangeError('Not a decimal')
  const { units, scale } = parseExact(text)
  if (scale > charsMax || units > unitsMax) throw new RangeError('Not a decimal')
  return { units: units <= Number.MAX_SAFE_INTEGER ? Number(units) : units, scale }
}

/** A count that a program states. @throws RangeError with what it is instead */
export function exactCount(count: Count): Exact {
  if (typeof count === 'number' && Number.isSafeInteger(count) && count >= 0)
    return { units: count, scale: 0 }
  if (typeof count === 'bigint' && count >= 0n && count < 10n ** 30n) return { units: count, scale: 0 }
  // The shortest text of a number is what was written in the program: 12.5 seconds are `12.5`.
  const text = typeof count === 'number' ? String(count) : count
  try {
    return exactDecimal(text as string)
  } catch {
    const said = typeof count === 'string' ? JSON.stringify(count) : String(count)
    throw new RangeError(`${said.slice(0, 40)} is no count: it is a number of 0 or more`)
  }
}

// Beyond the safe integers a number is rounded, but never to something below them.

function product(a: Units, b: Units): Units {
  const fast = Number(a) * Number(b)
  return fast <= Number.MAX_SAFE_INTEGER ? fast : BigInt(a) * BigInt(b)
}

function sum(a: Units, b: Units): Units {
  const fast = Number(a) + Number(b)
  return fast <= Number.MAX_SAFE_INTEGER ? fast : BigInt(a) + BigInt(b)
}

export function times(a: Exact, b: Exact): Exact {
  return { units: product(a.units, b.units), scale: a.scale + b.scale }
}

export function plus(a: Exact, b: Exact): Exact {
  if (a.scale < b.scale) return plus(b, a)
  return { units: sum(a.units, product(b.units, tenTo(a.scale - b.scale))), scale: a.scale }
}

/** A hundred-thousandth of an atom of a cent: where a rate per minute is paid by the second, the rest is cut there. */
const restScale = 24

/** `a` divided by a whole number: exact where decimals can be, else rounded half up far behind any money. */
export function over(a: Exact, divisor: bigint): Exact {
  const units = BigInt(product(a.units, tenTo(restScale)))
  return { units: (2n * units + divisor) / (2n * divisor), scale: a.scale + restScale }
}

/** A million of them cost the rate. */
export function perMillion({ units, scale }: Exact): Exact {
  return { units, scale: scale + 6 }
}

export function isAbove(a: Exact, b: Exact): boolean {
  return product(a.units, tenTo(b.scale)) > product(b.units, tenTo(a.scale))
}

/** Without zeros at its end. */
export function formatDecimal(exact: Exact): Decimal {
  return exact.scale === 0 ? String(exact.units) : formatExact(exact)
}

const powers: Units[] = []

function tenTo(power: number): Units {
  return (powers[power] ??= power < 16 ? 10 ** power : 10n ** BigInt(power))
}
