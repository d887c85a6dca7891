import { formatNumber } from '@ratecard/contract/wording'
import type { Decimal } from 'decimal.js'
import { computeShare, type Move } from './moves.ts'

/** The text on one line, without what PostgreSQL does not store and with its end cut off beyond `max`. */
export function boundedText(text: string, max: number): string {
  return clip(text.toWellFormed().replaceAll('\0', '\u{fffd}').replaceAll(/\s+/g, ' ').trim(), max)
}

/** Cuts the end off, never within a character. */
export function clip(text: string, max: number): string {
  if (text.length <= max) return text
  const end = /[\ud800-\udbff]/.test(text.charAt(max - 2)) ? max - 2 : max - 1
  return `${text.slice(0, end).trimEnd()}…`
}

/** `a, b and c`; of many the first ones and the number of the others. */
export function listText(items: readonly string[], max: number): string {
  const shown = items.slice(0, max)
  if (items.length > max) return `${shown.join(', ')} and ${items.length - max} more`
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`
}

/** A share in per cent with its sign, `−80 %`; two digits below ten, and never −100 % for an amount above 0. */
export function percentText(share: Decimal): string {
  if (!share.isFinite()) return 'from free'
  const percent = share.times(100).abs()
  const sign = share.isNegative() ? '−' : '+'
  if (percent.lt(0.01)) return `${share.isNegative() ? 'down' : 'up'} less than 0.01 %`
  const rounded = percent.gte(10) ? percent.toDecimalPlaces(0) : percent.toSignificantDigits(2)
  const isTooMuch = share.isNegative() && !percent.eq(100) && rounded.eq(100)
  return `${sign}${isTooMuch ? '99.9' : formatNumber(rounded.toNumber())} %`
}

/** The move of an amount in a word or two: `+50 %`, `new`, `no longer stated`. */
export function moveText(move: Move): string {
  const share = computeShare(move)
  if (share !== null) return percentText(share)
  return move.before === null ? 'new' : 'no longer stated'
}

/** A verb for so many: `says` for one, `say` for others. */
export function verb(n: number, plural: string): string {
  return n === 1 ? `${plural}s` : plural
}
