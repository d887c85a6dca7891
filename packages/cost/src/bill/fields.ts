import { UsageError } from '../errors.ts'
import type { Fields } from '../readers/shape.ts'
import { countDecimals } from './amount.ts'
import type { Draft } from './lines.ts'

/** Fields that no form of a bill is documented to have are told, never dropped silently. */
export function noteUnread(draft: Draft, row: Fields, known: ReadonlySet<string>): void {
  for (const name in row) if (!known.has(name)) draft.unread.add(name.slice(0, 60))
}

/** A number, or the text of one. @throws UsageError where it is neither */
export function readNumber(row: Fields, name: string): number {
  const value = row[name]
  if (value === undefined || value === null || value === '') return 0
  const number = Number(value)
  if (!Number.isFinite(number) || number < 0)
    throw new UsageError(
      `"${name}" is ${JSON.stringify(value).slice(0, 40)}, which is no number of 0 or more.`,
    )
  return number
}

export function toWhole(count: number): bigint {
  if (!Number.isSafeInteger(count)) throw new UsageError(`${count} is no whole number of tokens.`)
  return BigInt(count)
}

/** The text of an amount. The bill has one currency, and the digits of its finest amount. @throws UsageError */
export function noteMoney(draft: Draft, value: unknown, currency: unknown, cents = 0): string {
  const text = String(value).trim()
  const unit = String(currency).toUpperCase()
  if (!/^[A-Z]{3}$/.test(unit))
    throw new UsageError(`An amount of the bill has no currency: ${text.slice(0, 40)}.`)
  if (draft.unit !== null && draft.unit !== unit)
    throw new UsageError(`The bill has ${draft.unit} and ${unit}: split it by currency.`)
  draft.unit = unit
  try {
    draft.decimals = Math.max(draft.decimals, countDecimals(text) + cents)
  } catch {
    throw new UsageError(`${JSON.stringify(text.slice(0, 40))} is no amount.`)
  }
  return text
}
