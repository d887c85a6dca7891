import type { AmountColumn, DecimalText } from '../../features/prices/price-record.ts'
import { agreeOn, factorBetween, isAbsurd } from '../amounts.ts'
import type { FeedPolicy } from '../policy.ts'
import { isOperator, isOwnList, originOf, rankOf } from '../precedence.ts'
import { hasStood, type AmountMove, type Claim, type Doubt } from './claim.ts'

/** Why a claim is not served. `outlier`: far from what the product costs on other platforms. */
export type HoldReason = Doubt | 'denied' | 'outlier' | 'half_row' | 'card'

/** A claim that waits, or is not believed. */
export interface Held {
  source: string
  reason: HoldReason
  /** What is served in its place, and what the source states. */
  before: DecimalText | null
  after: DecimalText | null
  since: string
}

export interface AmountVerdict {
  /** What is served; null: unknown. */
  value: DecimalText | null
  /** The sources that state it, the first in precedence first. Empty: a source stated it before. */
  saidBy: string[]
  /** The number of independent origins among them. */
  origins: number
  /** What the other sources state. */
  deniedBy: { source: string; value: DecimalText }[]
  held: Held[]
}

interface Voice {
  source: string
  origin: string
  rank: number
  value: DecimalText
  move: AmountMove | undefined
  /** The source has stood by the value, or never stated another. */
  stood: boolean
  /** The same for any move, as long as another source states what was before. */
  stoodAgainstDenial: boolean
  /** How old what it says is: no newer than the data that was read. */
  dataAt: string
}

/** The sources that state one amount, apart from rounding. */
interface Group {
  voices: Voice[]
  value: DecimalText
  origins: ReadonlySet<string>
  stood: boolean
}

/** One amount of one resource, as every source states it. */
export interface AmountCase {
  column: AmountColumn
  platform: string | null
  /** Present claims, the first in precedence first. */
  claims: readonly Claim[]
  /** The median of the product's amount on other platforms; null: too few platforms state it. */
  peers: number | null
  /** The resource is a free offer by its name, or its platform charges nothing. */
  isFree: boolean
  policy: FeedPolicy
}

/**
 * Decides an amount from all claims. In this order:
 *
 * 1. what a person accepted, as long as its source states it; then the operator's own prices;
 * 2. the platform's own list, unless its move is too large to be believed;
 * 3. the amount that two or more independent sources moved to;
 * 4. the amount that most independent sources state, if more than one does;
 * 5. between single sources: not the one whose move has just begun, then the one nearer to the product's price on other
 *    platforms, then precedence;
 * 6. a source alone: its amount, once it has stood by a large move; before that, the amount before.
 *
 * A source that states nothing does not vote: its amount is taken from the others.
 */
export function judgeAmount(amount: AmountCase): AmountVerdict {
  const { column, claims, platform, policy } = amount
  const voices = claims.flatMap((claim): Voice[] => {
    const value = heard(claim, column, policy)
    if (value === null) return []
    const move = claim.moves[column]
    const stood = value !== claim.stated[column] || hasStood(move, claim.lastSeen, policy)
    const { source, dataAt } = claim
    const origin = originOf(source, platform)
    const stoodAgainstDenial =
      stood && (!move || hasStood({ ...move, doubt: move.doubt ?? 'large' }, claim.lastSeen, policy))
    const rank = rankOf(source, platform)
    return [{ source, origin, rank, value, move, stood, stoodAgainstDenial, dataAt }]
  })
  const winner = vouched(amount, voices) ?? elect(groupsOf(voices, policy), amount)
  const served = winner === null ? notYetGone(claims, column, policy) : servedOf(winner, amount)
  const said = voices.filter(({ value }) => served !== null && agreeOn(value, served, policy))
  return {
    value: served,
    saidBy: said.map(({ source }) => source),
    origins: new Set(said.map(({ origin }) => origin)).size,
    deniedBy: voices.flatMap(({ source, value }) =>
      served !== null && agreeOn(value, served, policy) ? [] : [{ source, value }],
    ),
    held: claims.flatMap((claim) => holdOf(claim, served, said.length, amount) ?? []),
  }
}

/** What counts of a claim: not what a person rejected, nor what no vendor charges. */
function heard({ stated, moves }: Claim, column: AmountColumn, policy: FeedPolicy): DecimalText | null {
  const move = moves[column]
  const value = stated[column]
  if (move?.decided === 'accepted') return value
  if (move?.decided === 'rejected' || isAbsurd(column, value, policy)) {
    const before = move?.before ?? null
    return isAbsurd(column, before, policy) ? null : before
  }
  return value
}

function vouched({ platform }: AmountCase, voices: readonly Voice[]): Group | null {
  const voice =
    voices.find(({ move }) => move?.decided === 'accepted') ??
    voices.find(({ source }) => isOperator(source)) ??
    voices.find(({ source, stood, move }) => isOwnList(source, platform) && (stood || isSmall(move)))
  return voice ? { ...groupOf([voice]), stood: true } : null
}

/** A move of a platform's own list is believed unless it looks like a mistake of the unit. */
function isSmall(move: AmountMove | undefined): boolean {
  return move?.doubt === 'large' || move?.doubt === 'vanished'
}

function groupOf(voices: Voice[]): Group {
  return {
    voices,
    value: voices[0]!.value,
    origins: new Set(voices.map(({ origin }) => origin)),
    stood: voices.some(({ stood }) => stood),
  }
}

function groupsOf(voices: readonly Voice[], policy: FeedPolicy): Group[] {
  const groups: Voice[][] = []
  for (const voice of voices) {
    const group = groups.find(([first]) => agreeOn(first!.value, voice.value, policy))
    if (group) group.push(voice)
    else groups.push([voice])
  }
  return groups.map(groupOf)
}

function elect(groups: readonly Group[], amount: AmountCase): Group | null {
  const winner = groups.find((group) =>
    groups.every((other) => other === group || beats(group, other, amount)),
  )
  if (winner) return winner
  // Each loses to another: the one with the most voices, then precedence.
  return groups.toSorted((a, b) => b.origins.size - a.origins.size)[0] ?? null
}

function beats(group: Group, other: Group, amount: AmountCase): boolean {
  const movers = moversTo(group, other, amount.policy)
  const opposed = moversTo(other, group, amount.policy)
  if (Math.max(movers.size, opposed.size) >= 2 && movers.size !== opposed.size)
    return movers.size > opposed.size
  const [saying, denying] = [
    stillSaying(group, opposed, amount.policy),
    stillSaying(other, movers, amount.policy),
  ]
  if (saying !== denying) return saying > denying
  if (saying > 1 && movers.size !== opposed.size) return movers.size > opposed.size
  const [stood, otherStood] = [group, other].map(({ voices }) => voices.some((one) => one.stoodAgainstDenial))
  if (stood !== otherStood) return stood === true
  const nearer = nearerToPeers(group.value, other.value, amount)
  return nearer ?? group.voices[0]!.rank < other.voices[0]!.rank
}

/** The origins of a group, without those whose data is much older than the move that left it: they do not deny it. */
function stillSaying(
  { voices }: Group,
  leaving: ReadonlyMap<string, string>,
  { guards }: FeedPolicy,
): number {
  const first = [...leaving.values()].sort()[0]
  const oldestMs = first === undefined ? -Infinity : Date.parse(first) - guards.denialDays * 86_400_000
  return new Set(voices.flatMap(({ origin, dataAt }) => (Date.parse(dataAt) >= oldestMs ? [origin] : [])))
    .size
}

/** The origins that left one amount for the other, and when. */
function moversTo(group: Group, other: Group, policy: FeedPolicy): Map<string, string> {
  return new Map(
    group.voices.flatMap(({ move, origin }) =>
      move && !move.isReturn && agreeOn(move.before, other.value, policy)
        ? [[origin, move.since] as const]
        : [],
    ),
  )
}

/** Null: both are as near, or nothing is known of other platforms. */
function nearerToPeers(a: DecimalText, b: DecimalText, { peers, policy }: AmountCase): boolean | null {
  if (peers === null) return null
  const [left, right] = [factorBetween(a, String(peers)), factorBetween(b, String(peers))]
  const farther = Math.max(left, right)
  if (farther < policy.guards.peerNearMin * Math.min(left, right)) return null
  return left < right
}

/** The amount of the group, or the one before while no one in it has stood by its move. */
function servedOf(group: Group, amount: AmountCase): DecimalText | null {
  const { policy, peers, column, platform } = amount
  const { value, origins, stood, voices } = group
  if (stood || origins.size > 1) {
    const isAlone =
      origins.size === 1 && voices.every(({ source, move }) => !isTrusted(source, platform, move))
    return isAlone && isOutlier(value, amount) ? null : value
  }
  const before = voices[0]!.move?.before ?? null
  if (before !== null && isAbsurd(column, before, policy)) return value
  // A correction that brings the price to its peers is not held while the outlier is served.
  if (before !== null && peers !== null && isOutlier(before, amount) && !isOutlier(value, amount))
    return value
  return before !== null && isOutlier(before, amount) ? null : before
}

function isTrusted(source: string, platform: string | null, move: AmountMove | undefined): boolean {
  return isOperator(source) || isOwnList(source, platform) || move?.decided === 'accepted'
}

/** Whether the amount is far from what the product costs elsewhere. A free offer is an outlier unless it says so. */
function isOutlier(value: DecimalText, { peers, policy, isFree }: AmountCase): boolean {
  if (peers === null || (isFree && Number(value) === 0)) return false
  return factorBetween(value, String(peers)) >= policy.guards.peerFactorMax
}

/** The amount that a source has only just ceased to state, where no other states one. */
function notYetGone(claims: readonly Claim[], column: AmountColumn, policy: FeedPolicy): DecimalText | null {
  const claim = claims.find(({ moves, lastSeen }) => {
    const move = moves[column]
    return move?.doubt === 'vanished' && !hasStood(move, lastSeen, policy)
  })
  return claim?.moves[column]?.before ?? null
}

function holdOf(claim: Claim, served: DecimalText | null, voices: number, amount: AmountCase): Held | null {
  const { column, policy } = amount
  const value = claim.stated[column]
  const move = claim.moves[column]
  if (agreeOn(value, served, policy) || move?.decided === 'rejected') return null
  const held = { source: claim.source, before: served, after: value, since: move?.since ?? claim.firstSeen }
  if (value === null) return voices === 0 && move ? { ...held, reason: 'vanished' } : null
  if (isAbsurd(column, value, policy)) return { ...held, reason: 'range' }
  if (served === null && isOutlier(value, amount)) return { ...held, reason: 'outlier' }
  if (!move || !agreeOn(move.before, served, policy)) return null
  return { ...held, reason: voices > 0 ? 'denied' : (move.doubt ?? 'denied') }
}
