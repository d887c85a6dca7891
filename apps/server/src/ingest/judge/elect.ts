import { amountColumns, type AmountColumn, type DecimalText } from '../../catalog/price-record.ts'
import { agreeOn } from '../amounts.ts'
import type { FeedPolicy } from '../policy.ts'
import { noAmounts, type Amounts } from '../source-record.ts'
import type { Voice } from '../claims/voices.ts'

/**
 * Elects one row from all that are heard. Column by column the amount with the largest sum of weights wins, an origin
 * counting once, and who states another amount has no say in the columns after it: so amounts that are served together
 * are stated together, and a source fills only what the others leave open.
 * @returns the row, and the voices that state it
 */
export function elect(
  voices: readonly Voice[],
  policy: FeedPolicy,
): { amounts: Amounts; voices: readonly Voice[] } {
  const amounts: Amounts = { ...noAmounts }
  const fresh = voices.filter(({ isSilent }) => !isSilent)
  // Nobody has a say only where each left what the other states: then all are heard.
  let left: readonly Voice[] = fresh.length > 0 ? fresh : voices
  const elected: AmountColumn[] = []
  for (const column of amountColumns) {
    const stating = left.filter((voice) => voice.amounts[column] !== null)
    // Tokens are priced together: only who states the row so far states the next amount of it.
    const isWhole = (voice: Voice) => elected.every((one) => voice.amounts[one] !== null)
    const whole = isPerToken(column) ? stating.filter(isWhole) : stating
    const group = heaviest(
      whole.map((voice) => ({ voice, value: voice.amounts[column]! })),
      policy,
    )
    if (group.length === 0) continue
    amounts[column] = group[0]!.value
    elected.push(column)
    const isLeft = (voice: Voice) =>
      voice.amounts[column] === null || agreeOn(voice.amounts[column], amounts[column], policy)
    left = left.filter(isLeft)
  }
  const isWinner = (voice: Voice) =>
    elected.some((column) => agreeOn(voice.amounts[column], amounts[column], policy))
  const winners = left.filter(isWinner)
  return { amounts, voices: winners.length > 0 ? winners : left }
}

function isPerToken(column: AmountColumn): boolean {
  return column.endsWith('_per_mtok')
}

function weigh(group: readonly Voice[]): number {
  const byOrigin = new Map<string, number>()
  for (const { origin, weight } of group) byOrigin.set(origin, Math.max(weight, byOrigin.get(origin) ?? 0))
  // Infinity: the operator's own.
  return [...byOrigin.values()].reduce((sum, weight) => sum + weight, 0)
}

/** Who states the value that weighs most; of two that weigh the same the one of the first source in rank. */
export function heaviest<T extends { value: DecimalText; voice: Voice }>(
  stated: readonly T[],
  policy: FeedPolicy,
): readonly T[] {
  const groups: T[][] = []
  for (const one of stated) {
    const group = groups.find(([first]) => agreeOn(first!.value, one.value, policy))
    if (group) group.push(one)
    else groups.push([one])
  }
  return (
    groups.toSorted((a, b) => weigh(b.map(({ voice }) => voice)) - weigh(a.map(({ voice }) => voice)))[0] ??
    []
  )
}
