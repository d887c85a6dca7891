import { amountColumns, type AmountColumn, type DecimalText } from '../../features/prices/price-record.ts'
import { cardText, rateKey, type Rate } from '../../features/prices/rate-card.ts'
import { agreeOn, factorBetween, isAbsurd } from '../amounts.ts'
import type { FeedPolicy } from '../policy.ts'
import type { SourceRecord } from '../source-record.ts'

/** What one source says of one resource, and what it said before. */
export interface Claim {
  source: string
  /** `resourceKey` of the resource: claims with one key are about one resource. */
  key: string
  stated: SourceRecord
  /** The last move of each amount that has moved since the source first stated the resource. */
  moves: Moves
  /** The last move of the rate card. */
  cardMove: CardMove | null
  firstSeen: string
  /** When the source was read last and had the resource. */
  lastSeen: string
  /** The newest day of the data that the source was read from; without one, `lastSeen`. */
  dataAt: string
  /** Since when, and in how many runs, the source lacks the resource; null and 0: the source has it. */
  goneSince: string | null
  goneRuns: number
  /** When its removal was believed; null: it counts as present. */
  removedAt: string | null
}

export type Moves = Partial<Record<AmountColumn, AmountMove>>

interface Move<Value> {
  /** When the source first stated the present value. */
  since: string
  /** The value before, which the source had stood by. */
  before: Value
  /** A person's decision on the present value. */
  decided: 'accepted' | 'rejected' | null
}

export interface AmountMove extends Move<DecimalText | null> {
  doubt: Doubt | null
  /** The source's own date of `before`. */
  beforeEffectiveAt: string | null
  /** The source takes back what it began to say shortly before. */
  isReturn: boolean
}

export interface CardMove extends Move<Rate[]> {
  doubt: Doubt | null
}

/** Why a move waits while one source alone states it. */
export type Doubt =
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
  /** More rows of its platform moved in one run than a vendor moves. */
  | 'bulk'
  /** No vendor has ever charged it. */
  | 'range'

/** How long a source alone must stand by a move. Infinity: time does not confirm it. */
function standMsOf(doubt: Doubt | null, { guards }: FeedPolicy): number {
  if (doubt === null) return 0
  if (doubt === 'range') return Infinity
  return (doubt === 'large' || doubt === 'vanished' ? guards.standHours : guards.slipStandHours) * 3_600_000
}

/** Whether the source has stood by its present value for long enough. */
export function hasStood(
  move: Pick<AmountMove, 'since' | 'decided' | 'doubt'> | null | undefined,
  lastSeen: string,
  policy: FeedPolicy,
): boolean {
  if (!move || move.decided === 'accepted') return true
  if (move.decided === 'rejected') return false
  const neededMs = standMsOf(move.doubt, policy)
  return neededMs === 0 || Date.parse(lastSeen) - Date.parse(move.since) >= neededMs
}

/** What a source says first of a resource. */
export function firstClaim(
  source: string,
  key: string,
  stated: SourceRecord,
  at: string,
  dataAt = at,
): Claim {
  return {
    source,
    key,
    stated,
    moves: {},
    cardMove: null,
    firstSeen: at,
    lastSeen: at,
    dataAt,
    goneSince: null,
    goneRuns: 0,
    removedAt: null,
  }
}

/**
 * The claim after the source was read again. What an amount is measured against is the last one that the source has
 * stood by, so two slips in a row are not a small move.
 * @param isBulk more rows of the platform move in this run than a vendor moves
 */
export function restate(
  claim: Claim,
  stated: SourceRecord,
  at: string,
  policy: FeedPolicy,
  { dataAt = claim.dataAt, isBulk = false }: { dataAt?: string; isBulk?: boolean } = {},
): Claim {
  const moves: Moves = {}
  const isSwapped = hasSwapped(claim.stated, stated)
  for (const column of amountColumns) {
    const move = moveOf(claim, column, stated, at, policy, { isSwapped, isBulk })
    if (move) moves[column] = move
  }
  return {
    ...claim,
    stated,
    moves,
    cardMove: cardMoveOf(claim, stated, at, policy),
    lastSeen: at,
    dataAt,
    goneSince: null,
    goneRuns: 0,
    removedAt: null,
  }
}

function moveOf(
  { stated: was, moves, lastSeen }: Claim,
  column: AmountColumn,
  is: SourceRecord,
  at: string,
  policy: FeedPolicy,
  row: { isSwapped: boolean; isBulk: boolean },
): AmountMove | undefined {
  const last = moves[column]
  const [value, next] = [was[column], is[column]]
  if (value === next) return last
  const stood = hasStood(last, lastSeen, policy)
  const before = stood || !last ? value : last.before
  // It was never more than a slip.
  if (next === before) return undefined
  const beforeEffectiveAt = stood || !last ? was.effective_at : last.beforeEffectiveAt
  const isReturn =
    stood &&
    last !== undefined &&
    agreeOn(next, last.before, policy) &&
    Date.parse(at) - Date.parse(last.since) < policy.guards.returnDays * 86_400_000
  const doubt = doubtOf(column, before, next, row, policy)
  return { since: at, before, decided: null, doubt, beforeEffectiveAt, isReturn }
}

function cardMoveOf(
  { stated, cardMove, lastSeen }: Claim,
  is: SourceRecord,
  at: string,
  policy: FeedPolicy,
): CardMove | null {
  const next = is.rates
  if (cardText(stated.rates) === cardText(next)) return cardMove
  const before = cardMove && !hasStood(cardMove, lastSeen, policy) ? cardMove.before : stated.rates
  if (cardText(before) === cardText(next)) return null
  return { since: at, before, decided: null, doubt: doubtOfCard(before, is, policy) }
}

function hasSwapped(before: SourceRecord, after: SourceRecord): boolean {
  const { input_per_mtok: input, output_per_mtok: output } = before
  return input !== output && after.input_per_mtok === output && after.output_per_mtok === input
}

function doubtOf(
  column: AmountColumn,
  before: DecimalText | null,
  after: DecimalText | null,
  { isSwapped, isBulk }: { isSwapped: boolean; isBulk: boolean },
  policy: FeedPolicy,
): Doubt | null {
  if (after === null) return 'vanished'
  if (isAbsurd(column, after, policy)) return 'range'
  if (before === null) return null
  const doubt = doubtOfStep(Number(before), Number(after), policy)
  if (isSwapped && (column === 'input_per_mtok' || column === 'output_per_mtok')) return 'swapped'
  return isBulk && (doubt === null || doubt === 'large') ? 'bulk' : doubt
}

function doubtOfStep(before: number, after: number, { guards }: FeedPolicy): Doubt | null {
  if (before === after) return null
  if (after === 0) return 'to_zero'
  if (before === 0) return 'from_zero'
  const factor = Math.max(after / before, before / after)
  if (factor >= guards.factorMax) return 'factor'
  return factor >= guards.largeFactorMin ? 'large' : null
}

/**
 * The gravest doubt of the rates that both cards have. One that moves far from its base price is no tier: time does not
 * confirm it.
 */
function doubtOfCard(before: readonly Rate[], after: SourceRecord, policy: FeedPolicy): Doubt | null {
  const amounts = new Map(before.map((rate) => [rateKey(rate), Number(rate.amount)]))
  const doubts = after.rates.flatMap((rate) => {
    const was = amounts.get(rateKey(rate))
    if (was === undefined) return []
    const doubt = doubtOfStep(was, Number(rate.amount), policy)
    return doubt === 'factor' && isFarFromBase(rate, after, policy) ? 'range' : (doubt ?? [])
  })
  return (
    doubts.find((doubt) => doubt === 'range') ??
    doubts.find((doubt) => doubt !== 'large') ??
    doubts[0] ??
    null
  )
}

const baseColumns: Readonly<Record<string, AmountColumn>> = {
  input_tokens: 'input_per_mtok',
  output_tokens: 'output_per_mtok',
}

/** Of 9,002 tiers of tokens in six lists 12 are 10 times their base or more, most of them mistakes (August 2026). */
function isFarFromBase({ meter, unit, amount }: Rate, record: SourceRecord, { guards }: FeedPolicy): boolean {
  const column = baseColumns[meter]
  const base = column && unit === '1m_tokens' ? record[column] : undefined
  return base != null && factorBetween(amount, base) >= guards.factorMax
}
