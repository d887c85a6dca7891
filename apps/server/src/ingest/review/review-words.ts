import { nameAmount } from '@ratecard/contract/wording'
import { amountColumns, type DecimalText } from '../../catalog/price-record.ts'
import { agreeOn } from '../amounts.ts'
import type { Evidence } from '../changes/feed-state.ts'
import type { HoldReason } from '../claims/doubts.ts'
import { feedPolicy } from '../policy.ts'
import type { Amounts } from '../source-record.ts'
import { listText, verb } from '../changes/wording/text.ts'

// What waits, in words for an operator: the command line, the dashboard and the mail say the same.

const { guards } = feedPolicy
const stood = `${guards.standHours} hours`

const reasonTexts: Readonly<Record<HoldReason, string>> = {
  large: `One source alone moves it by ${guards.largeFactorMin} times or more. It is believed when the source has stood by it for ${stood}.`,
  factor: `It moves by ${guards.slipFactorMin} times or more, which looks like a mistake of the unit. It is believed when the source has stood by it for ${guards.doubtDays} days.`,
  to_zero: `A price becomes free, by the word of one source. It is believed when the source has stood by it for ${guards.doubtDays} days.`,
  from_zero: `What was free gets a price, by the word of one source. It is believed when the source has stood by it for ${guards.doubtDays} days.`,
  swapped: `Input and output change places, which looks like a mistake. It is believed when the source has stood by it for ${guards.doubtDays} days.`,
  vanished: `Its source no longer states the amount, and no other does. It leaves when the source has stood by that for ${stood}.`,
  bulk: `More than ${guards.alikeRowsMax} rows move alike in one run, as they do when a unit, a currency or a field's name changes. It is believed when the source has stood by it for ${guards.bulkDays} days.`,
  denied: `Other sources still state the amount before. It is believed when one of them moves too, or when the source has stood by it for ${guards.doubtDays} days.`,
  range: `No vendor charges so much or so little: served are ${guards.usdPerMtokMin} to ${guards.usdPerMtokMax} USD per million tokens. Time does not confirm it.`,
  incoherent: `Cached input costs more than input or less than ${guards.cachedShareMin * 100} % of it, or output less than ${guards.outputShareMin * 100} % of input. A second source confirms it, and time does not.`,
  outlier: `It is ${guards.slipFactorMin} times or more away from what the product costs on other platforms, and one source alone states it. Time does not confirm it.`,
  copied:
    "It is a router's price, and no other source states it for the maker's own platform. Time does not confirm it.",
  flood: `More rows came in one run than a list gains: over ${guards.alikeRowsMax}, and over ${guards.floodShareMax * 100} % of the list. They are believed when the source has stood by them for ${guards.bulkDays} days.`,
  half_row: 'An earlier release held it with another amount of its row.',
  card: `A rate beside the amounts, such as a tier, moves by ${guards.largeFactorMin} times or more, or contradicts its base price. A move is believed when the source has stood by it.`,
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
    const begin = `${nameAmount(column)}: `
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
