import type { AmountColumn, DecimalText, Modality } from '../../catalog/price-record.ts'
import { rateKey, sortRates, type Rate } from '../../catalog/rate-card.ts'
import { factorBetween, isAbsurd } from '../amounts.ts'
import type { FeedPolicy } from '../policy.ts'
import type { Amounts, SourceRecord } from '../source-record.ts'
import type { CardMove } from './claim.ts'

/** Why a claim is not served as it is stated. The first six: its move must stand first. */
export type HoldReason =
  /** It is large. */
  | 'large'
  /** It is so large that a mistake of the unit is likelier. */
  | 'factor'
  | 'to_zero'
  | 'from_zero'
  /** Input and output have changed places. */
  | 'swapped'
  /** The amount is no longer stated. */
  | 'vanished'
  /** More rows moved alike in one run than a vendor moves. */
  | 'bulk'
  /** Other sources still state the amount before. */
  | 'denied'
  /** No vendor has ever charged it. */
  | 'range'
  /** It contradicts another amount of its own row. */
  | 'incoherent'
  /** It is far from what the product costs elsewhere, and nobody else states it. */
  | 'outlier'
  /** It is a router's price on the maker's own platform. */
  | 'copied'
  /** More rows came in one run than a list gains. */
  | 'flood'
  /** An earlier release held the rest of a row of which one amount was not believed. */
  | 'half_row'
  /** A rate beside the amounts. */
  | 'card'

/** What is doubtful of a step by its size alone; null: nothing. */
export function doubtStep(
  before: DecimalText | null,
  after: DecimalText | null,
  { guards }: FeedPolicy,
): HoldReason | null {
  // What is free and is no longer stated was never a price.
  if (after === null) return before === null || Number(before) === 0 ? null : 'vanished'
  if (before === null || before === after) return null
  if (Number(after) === 0) return 'to_zero'
  if (Number(before) === 0) return 'from_zero'
  const factor = factorBetween(before, after)
  if (factor >= guards.slipFactorMin) return 'factor'
  return factor >= guards.largeFactorMin ? 'large' : null
}

/** How long a source alone must stand by what is doubted. */
export function chooseStandMs(doubt: HoldReason | null, { guards }: FeedPolicy): number {
  if (doubt === null) return 0
  if (doubt === 'large' || doubt === 'vanished') return guards.standHours * 3_600_000
  return (doubt === 'bulk' || doubt === 'flood' ? guards.bulkDays : guards.doubtDays) * 86_400_000
}

/** Amounts of a row that its other amounts, or what vendors charge, make impossible. */
export function impossibleAmounts(
  row: Amounts,
  modality: Modality | null,
  policy: FeedPolicy,
): Map<AmountColumn, HoldReason> {
  const found = new Map<AmountColumn, HoldReason>()
  for (const column of Object.keys(row) as AmountColumn[])
    if (isAbsurd(column, row[column], policy, modality)) found.set(column, 'range')
  const { input_per_mtok: input, cached_input_per_mtok: cached } = row
  if (input === null || cached === null || Number(cached) === 0) return found
  const share = Number(cached) / Number(input)
  if (share > 1 || share < policy.guards.cachedShareMin) found.set('cached_input_per_mtok', 'incoherent')
  return found
}

/** Output costs as much as input or more: a fraction of it is another unit, or another row's amount. */
export function isOddRow(
  { input_per_mtok: input, output_per_mtok: output }: Amounts,
  { guards }: FeedPolicy,
): boolean {
  if (input === null || output === null || Number(output) === 0) return false
  return Number(output) < Number(input) * guards.outputShareMin
}

const baseColumns: Readonly<Record<string, AmountColumn>> = {
  input_tokens: 'input_per_mtok',
  output_tokens: 'output_per_mtok',
  cached_input_tokens: 'cached_input_per_mtok',
}

/**
 * Whether a rate is impossible beside its base: a batch above the standard price, or a tier so far from it that the unit
 * is wrong. Of 9,002 tiers of tokens in six lists 12 are that far, most of them mistakes (August 2026).
 */
export function isImpossibleRate(rate: Rate, row: Amounts, { guards }: FeedPolicy): boolean {
  const column = baseColumns[rate.meter]
  const base = column && rate.unit === '1m_tokens' ? row[column] : null
  if (base == null || Number(base) === 0) return false
  if (rate.service_tier === 'batch' && rate.threshold === null && Number(rate.amount) > Number(base) * 1.001)
    return true
  return Number(rate.amount) !== 0 && factorBetween(rate.amount, base) >= guards.slipFactorMin
}

/**
 * The rates of a claim as they are heard: those that moved and have not stood yet are what they were.
 * @param baseWaitsSince rates that moved with amounts which wait belong to the same new price
 */
export function heardRates(
  { rates }: SourceRecord,
  move: CardMove | null,
  lastSeen: string,
  policy: FeedPolicy,
  baseWaitsSince: string | null = null,
): { rates: readonly Rate[]; waits: boolean } {
  if (move === null || move.decided === 'accepted') return { rates, waits: false }
  if (move.decided === null && baseWaitsSince !== null && move.since >= baseWaitsSince)
    return { rates: move.before, waits: true }
  const before = new Map(move.before.map((rate) => [rateKey(rate), rate]))
  const ageMs = Date.parse(lastSeen) - Date.parse(move.since)
  let waits = false
  const heard = rates.map((rate) => {
    const was = before.get(rateKey(rate))
    const doubt = was === undefined ? null : doubtStep(was.amount, rate.amount, policy)
    const isBulk = move.isBulk === true && was?.amount !== rate.amount
    const standMs = Math.max(chooseStandMs(doubt, policy), isBulk ? chooseStandMs('bulk', policy) : 0)
    if (move.decided !== 'rejected' && ageMs >= standMs) return rate
    if (was === undefined) return move.decided === 'rejected' ? null : rate
    waits ||= move.decided === null
    return was
  })
  // What is free and is no longer stated was never a price.
  const stated = new Set(rates.map((rate) => rateKey(rate)))
  const lost = move.before.filter((rate) => !stated.has(rateKey(rate)) && Number(rate.amount) !== 0)
  const lostMs = chooseStandMs(move.isBulk ? 'bulk' : 'vanished', policy)
  const kept = move.decided === 'rejected' || ageMs < lostMs ? lost : []
  waits ||= move.decided === null && kept.length > 0
  return { rates: sortRates([...heard.filter((rate) => rate !== null), ...kept]), waits }
}
