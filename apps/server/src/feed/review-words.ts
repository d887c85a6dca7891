import { amountColumns, type DecimalText } from '../features/prices/price-record.ts'
import { agreeOn } from './amounts.ts'
import type { Evidence } from './feed-state.ts'
import type { HoldReason } from './judge/judge-amount.ts'
import { feedPolicy } from './policy.ts'
import type { Amounts } from './source-record.ts'
import { columnNames } from './wording/moves.ts'
import { listText, verb } from './wording/text.ts'

// What waits, in words for an operator: the command line, the dashboard and the mail say the same.

const { guards } = feedPolicy
const days = (hours: number) => (hours % 24 === 0 && hours > 24 ? `${hours / 24} days` : `${hours} hours`)
const stood = days(guards.standHours)
const slipStood = days(guards.slipStandHours)

const reasonTexts: Readonly<Record<HoldReason, string>> = {
  large: `One source alone moves it by ${guards.largeFactorMin} times or more. It is believed when the source has stood by it for ${stood}.`,
  factor: `It moves by ${guards.factorMax} times or more, which looks like a mistake of the unit. It is believed when the source has stood by it for ${slipStood}.`,
  to_zero: `A price becomes free, by the word of one source. It is believed when the source has stood by it for ${slipStood}.`,
  from_zero: `What was free gets a price, by the word of one source. It is believed when the source has stood by it for ${slipStood}.`,
  swapped: `Input and output change places, which looks like a mistake. It is believed when the source has stood by it for ${slipStood}.`,
  vanished: `Its source no longer states the amount, and no other does. It leaves when the source has stood by that for ${stood}.`,
  bulk: `More rows of its platform moved at once than a vendor moves. It is believed when the source has stood by it for ${slipStood}.`,
  range: `No vendor charges so much or so little: served are ${guards.usdPerMtokMin} to ${guards.usdPerMtokMax} USD per million tokens. Time does not confirm it.`,
  denied: 'Other sources deny it. It is believed when one of them moves too.',
  outlier: `It is ${guards.peerFactorMax} times or more away from what the product costs on other platforms, and one source alone states it. Time does not confirm it.`,
  half_row: 'Another amount of the row cannot be believed, so nothing of the row is served.',
  card: `A rate beside the amounts, such as a tier, moves by ${guards.largeFactorMin} times or more. It is believed when the source has stood by it.`,
}

/** Why a move waits, and what would end that. */
export function reasonText(reason: HoldReason): string {
  return reasonTexts[reason]
}

/** Why each amount is served as it is: a sentence for each that is served or that a source states. */
export function whyServed(served: Amounts, stated: readonly Amounts[], evidence: Evidence): string[] {
  return amountColumns.flatMap((column) => {
    const amount = served[column]
    const { said_by: saidBy = [], denied_by: deniedBy = {} } = evidence[column] ?? {}
    if (amount === null && stated.every((amounts) => amounts[column] === null)) return []
    const name = columnNames[column]
    const begin = `${name.charAt(0).toUpperCase()}${name.slice(1)}: `
    if (amount === null) return [`${begin}nothing is served; what is stated is not believed.`]
    return [begin + [saidText(amount, saidBy), ...deniedTexts(deniedBy)].join(' ')]
  })
}

function saidText(amount: DecimalText, saidBy: readonly string[]): string {
  if (saidBy.length === 0) return `${amount} stays served. No source states it any more.`
  return `${amount} is served, as ${sourcesText(saidBy)} ${verb(saidBy.length, 'state')}.`
}

/** A sentence for each amount that others state. */
function deniedTexts(deniedBy: Record<string, DecimalText>): string[] {
  const groups: { amount: DecimalText; sources: string[] }[] = []
  for (const [source, amount] of Object.entries(deniedBy)) {
    const group = groups.find((one) => agreeOn(one.amount, amount, feedPolicy))
    if (group) group.sources.push(source)
    else groups.push({ amount, sources: [source] })
  }
  return groups.map(
    ({ amount, sources }) => `${sourcesText(sources)} ${verb(sources.length, 'state')} ${amount}.`,
  )
}

function sourcesText(sources: readonly string[]): string {
  return listText(sources.toSorted(), 6)
}
