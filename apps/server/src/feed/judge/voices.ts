import { amountColumns, type AmountColumn, type DecimalText } from '../../features/prices/price-record.ts'
import { agreeOn, amountsOf, factorBetween } from '../amounts.ts'
import type { FeedPolicy } from '../policy.ts'
import { isOperator, isOwnList, originOf, weightOf } from '../precedence.ts'
import type { Amounts } from '../source-record.ts'
import type { AmountMove, Claim } from './claim.ts'
import { doubtOfStep, impossibleAmounts, standMsOf, type HoldReason } from './doubts.ts'

/** What one source is heard to say of a resource: its whole row. */
export interface Voice {
  claim: Claim
  /** Whose word it repeats. */
  origin: string
  /** How much it counts: see `weightOf`. */
  weight: number
  amounts: Amounts
  /** Why an amount is not heard as it is stated, by column. */
  waits: ReadonlyMap<AmountColumn, { reason: HoldReason; since: string }>
  /** Others have left what it states, and it has not looked since: it has no say against them. */
  isStale: boolean
}

/** What is known of the resource beside its claims. */
export interface Surroundings {
  platform: string | null
  /** The median of an amount of the product on other platforms; null: too few state it. */
  peerOf: (column: AmountColumn) => number | null
  /** The resource is a free offer by its name, or its platform charges nothing. */
  isFree: boolean
  /** Whether the claim's amounts are a router's price on a maker's own platform. */
  isCopied: (claim: Claim) => boolean
  policy: FeedPolicy
}

/** The voices on a resource. A move is heard when it has stood, or when an independent source states the same. */
export function hearVoices(claims: readonly Claim[], around: Surroundings): Voice[] {
  const { platform, policy } = around
  const heard = claims.filter((claim) => !claim.isFlood || hasStoodAsFlood(claim, policy))
  return heard.map((claim) => {
    const { amounts, waits } = hearRow(claim, heard, around)
    return {
      claim,
      origin: originOf(claim.source, platform),
      weight: weightOf(claim.source, platform),
      amounts,
      waits,
      isStale: isStale(claim, heard, around),
    }
  })
}

export function hasStoodAsFlood({ firstSeen, lastSeen }: Claim, policy: FeedPolicy): boolean {
  return Date.parse(lastSeen) - Date.parse(firstSeen) >= standMsOf('flood', policy)
}

function hearRow(
  claim: Claim,
  all: readonly Claim[],
  around: Surroundings,
): Pick<Voice, 'amounts' | 'waits'> {
  const { stated, moves } = claim
  const amounts = amountsOf(stated)
  const waits = new Map<AmountColumn, { reason: HoldReason; since: string }>()
  // A source that only copies here says nothing of its own.
  if (around.isCopied(claim)) {
    for (const column of amountColumns) {
      if (amounts[column] !== null) waits.set(column, { reason: 'copied', since: claim.firstSeen })
      amounts[column] = null
    }
    return { amounts, waits }
  }
  for (const column of amountColumns) {
    const move = moves[column]
    if (move?.decided === 'rejected') amounts[column] = move.before
    const doubt = move && doubtOfMove(claim, column, move, all, around)
    if (doubt) waits.set(column, { reason: doubt, since: move.since })
  }
  // The amounts that moved with one that waits belong to the same new price: the row is what it was.
  const first = [...waits.values()].map(({ since }) => since).sort()[0]
  if (first !== undefined) {
    for (const column of amountColumns) {
      const move = moves[column]
      if (!move || move.since < first || move.decided !== null) continue
      amounts[column] = move.before
      if (!waits.has(column) && move.before !== stated[column])
        waits.set(column, { reason: [...waits.values()][0]!.reason, since: move.since })
    }
  }
  if (!isTrusted(claim, around)) {
    for (const [column, reason] of impossibleAmounts(amounts, around.policy)) {
      if (moves[column]?.decided === 'accepted') continue
      amounts[column] = lastPossible(column, amounts, claim, around.policy)
      if (!waits.has(column)) waits.set(column, { reason, since: moves[column]?.since ?? claim.firstSeen })
    }
  }
  return { amounts, waits }
}

/** What an amount was that moved to an impossible one, unless the row has moved along with it; null: unknown. */
function lastPossible(
  column: AmountColumn,
  amounts: Amounts,
  { moves }: Claim,
  policy: FeedPolicy,
): DecimalText | null {
  const move = moves[column]
  if (!move) return null
  const hasMovedAlong = amountColumns.some((other) => {
    const along = moves[other]
    return other !== column && along && along.since >= move.since && amounts[other] !== along.before
  })
  const row = { ...amounts, [column]: move.before }
  return hasMovedAlong || impossibleAmounts(row, policy).has(column) ? null : move.before
}

/** Why a move is not heard yet; null: it is. */
function doubtOfMove(
  claim: Claim,
  column: AmountColumn,
  move: AmountMove,
  all: readonly Claim[],
  around: Surroundings,
): HoldReason | null {
  const { policy, platform } = around
  const after = claim.stated[column]
  if (move.decided !== null || isOperator(claim.source)) return null
  const others = all.filter((other) => isIndependent(other, claim, platform))
  // What one source no longer states is open, where another states it.
  if (after === null && others.some(({ stated }) => agreeOn(stated[column], move.before, policy))) return null
  if (after !== null && others.some(({ stated }) => agreeOn(stated[column], after, policy))) return null
  const isAway = (amount: DecimalText | null) => amount !== null && isOutlier(amount, column, around)
  // A move that brings the price to its peers mends a mistake; one that leaves them needs a second source.
  if (isAway(move.before) && !isAway(after)) return null
  if (isAway(after) && !isAway(move.before)) return 'outlier'
  const doubts: (HoldReason | null)[] = [
    doubtOfStep(move.before, after, policy),
    move.isBulk ? 'bulk' : null,
    hasSwapped(claim) && (column === 'input_per_mtok' || column === 'output_per_mtok') ? 'swapped' : null,
    after !== null && isDenied(claim, move, column, others, around) ? 'denied' : null,
  ]
  const isOwn = isOwnList(claim.source, platform)
  const deniers = all.filter((other) => other !== claim && agreeOn(other.stated[column], move.before, policy))
  // What was announced is expected. A platform's own list is believed, unless two still state the amount before.
  const isExpected = move.isAnnounced === true || (isOwn && deniers.length < 2)
  const waiting = doubts.filter((doubt) => !(isExpected && (doubt === 'large' || doubt === 'denied')))
  const ageMs = Date.parse(claim.lastSeen) - Date.parse(move.since)
  const longest = waiting.toSorted((a, b) => standMsOf(b, policy) - standMsOf(a, policy))[0] ?? null
  return ageMs >= standMsOf(longest, policy) ? null : longest
}

/** Whether another source still states what the claim has left. */
function isDenied(
  { source }: Claim,
  { before }: AmountMove,
  column: AmountColumn,
  others: readonly Claim[],
  { platform, policy }: Surroundings,
): boolean {
  if (before === null || isOwnList(source, platform)) return false
  return others.some(({ stated }) => agreeOn(stated[column], before, policy))
}

/**
 * Whether others have left an amount that the claim still states: two at once, or one that has stood by its move for as
 * long as a denial counts. A source that has moved the row or checked it since is not stale.
 */
function isStale(claim: Claim, all: readonly Claim[], { platform, policy }: Surroundings): boolean {
  if (isOperator(claim.source) || isOwnList(claim.source, platform)) return false
  return amountColumns.some((column) => {
    const value = claim.stated[column]
    if (value === null) return false
    const left = all.flatMap((other) => {
      const move = other.moves[column]
      if (!move || move.before === null || other.stated[column] === null || move.decided === 'rejected')
        return []
      const isNews = isIndependent(other, claim, platform) && move.since >= claim.checkedAt
      if (!isNews || !agreeOn(move.before, value, policy) || agreeOn(other.stated[column], value, policy))
        return []
      const stoodMs = Date.parse(other.lastSeen) - Date.parse(move.since)
      const origin = originOf(other.source, platform)
      const stood = move.isAnnounced === true || stoodMs >= standMsOf('denied', policy)
      return [{ origin, to: other.stated[column], stood }]
    })
    return left.some(
      ({ origin, to, stood }) =>
        stood || left.some((other) => other.origin !== origin && agreeOn(other.to, to, policy)),
    )
  })
}

function isIndependent(a: Claim, b: Claim, platform: string | null): boolean {
  return originOf(a.source, platform) !== originOf(b.source, platform)
}

function hasSwapped({ stated, moves }: Claim): boolean {
  const [input, output] = [moves.input_per_mtok, moves.output_per_mtok]
  return (
    input !== undefined &&
    output !== undefined &&
    input.before !== output.before &&
    input.before === stated.output_per_mtok &&
    output.before === stated.input_per_mtok
  )
}

/** Whether nothing that other platforms say makes the claim doubtful. */
export function isTrusted({ source, moves }: Claim, { platform }: Surroundings): boolean {
  return (
    isOperator(source) ||
    isOwnList(source, platform) ||
    Object.values(moves).some(({ decided }) => decided === 'accepted')
  )
}

/** Whether the amount is far from what the product costs elsewhere. A free offer is, unless it says so. */
export function isOutlier(value: DecimalText, column: AmountColumn, around: Surroundings): boolean {
  const peer = around.peerOf(column)
  if (peer === null || (around.isFree && Number(value) === 0)) return false
  return factorBetween(value, String(peer)) >= around.policy.guards.slipFactorMin
}
