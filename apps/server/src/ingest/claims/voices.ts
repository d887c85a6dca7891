import { amountColumns, type AmountColumn, type DecimalText } from '../../catalog/price-record.ts'
import { agree, agreeOn, pickAmounts, factorBetween, isAbsurd } from '../amounts.ts'
import type { FeedPolicy } from '../policy.ts'
import { findOrigin, isOfficial, isOperator, isReadByName, weighSource } from '../match/precedence.ts'
import type { Amounts } from '../source-record.ts'
import type { AmountMove, Claim } from './claim.ts'
import { doubtStep, impossibleAmounts, isOddRow, chooseStandMs, type HoldReason } from './doubts.ts'

/** What one source is heard to say of a resource: its whole row. */
export interface Voice {
  claim: Claim
  /** Whose word it repeats. */
  origin: string
  /** How much it counts: see `weighSource`. */
  weight: number
  amounts: Amounts
  /** Why an amount is not heard as it is stated, by column. */
  waits: ReadonlyMap<AmountColumn, { reason: HoldReason; since: string }>
  /** It has no say against the others: they have left what it states and it has not looked since, or it came just now. */
  isSilent: boolean
}

/** What is known of the resource beside its claims. */
export interface Surroundings {
  platform: string | null
  /** The median of an amount of the product on other platforms; null: too few state it. */
  findPeer: (column: AmountColumn) => number | null
  /** The resource is a free offer by its name, or its platform charges nothing. */
  isFree: boolean
  /** It is the maker's own platform: what others charge elsewhere says nothing of its moves. */
  isMaker: boolean
  /** Whether the claim's amounts are a router's price on a maker's own platform. */
  isCopied: (claim: Claim) => boolean
  policy: FeedPolicy
}

/** The voices on a resource. A move is heard when it has stood, or when an independent source states the same. */
export function hearVoices(claims: readonly Claim[], around: Surroundings): Voice[] {
  const { platform, policy } = around
  const heard = claims.filter((claim) => !isWaitingFlood(claim, policy))
  const rows = heard.map((claim) => {
    const row = hearRow(claim, claims, around)
    return { claim, ...row, isFar: !isTrusted(claim, around) && isFar(row.amounts, around) }
  })
  // Beside a price like those elsewhere one that is far from them has no say.
  const isNear = rows.some((row) => !row.isFar && baseAmounts.some((column) => row.amounts[column] !== null))
  return rows.map(({ claim, amounts, waits, isFar }) => ({
    ...{ claim, amounts, waits },
    origin: findOrigin(claim.source, platform),
    weight: weighSource(claim.source, platform),
    isSilent:
      (isFar && isNear) ||
      isStale(claim, heard, around) ||
      isNewcomer(claim, rows, around) ||
      isOverruled(claim, heard, around),
  }))
}

function isFar(amounts: Amounts, around: Surroundings): boolean {
  if (around.isMaker) return false
  return baseAmounts.some((column) => {
    const value = amounts[column]
    return value !== null && isOutlier(value, column, around)
  })
}

/** It came in a flood of new rows, and has not stood yet. */
export function isWaitingFlood({ isFlood, firstSeen, lastSeen }: Claim, policy: FeedPolicy): boolean {
  return isFlood && Date.parse(lastSeen) - Date.parse(firstSeen) < chooseStandMs('flood', policy)
}

/** What of a row cannot be: an amount, or all of it where input or output is the mistake. */
function impossibleIn(
  claim: Claim,
  amounts: Amounts,
  all: readonly Claim[],
  { platform, policy }: Surroundings,
): Map<AmountColumn, HoldReason> {
  const found = impossibleAmounts(amounts, claim.stated.modality, policy)
  const reason = baseAmounts.some((column) => found.has(column))
    ? 'range'
    : isOddRow(amounts, policy) && !isBacked(claim, amounts, all, { platform, policy })
      ? 'incoherent'
      : null
  return reason === null ? found : new Map(rowAmounts.map((column) => [column, found.get(column) ?? reason]))
}

/** Whether an independent source states the same input and output. */
function isBacked(
  claim: Claim,
  amounts: Amounts,
  all: readonly Claim[],
  { platform, policy }: Pick<Surroundings, 'platform' | 'policy'>,
): boolean {
  return all.some(
    (other) =>
      !isWaitingFlood(other, policy) &&
      isIndependent(other, claim, platform) &&
      agree(other.stated, amounts, baseAmounts, policy),
  )
}

const baseAmounts: readonly AmountColumn[] = ['input_per_mtok', 'output_per_mtok']
const rowAmounts: readonly AmountColumn[] = [...baseAmounts, 'cached_input_per_mtok']

function hearRow(
  claim: Claim,
  all: readonly Claim[],
  around: Surroundings,
): Pick<Voice, 'amounts' | 'waits'> {
  const { stated, moves } = claim
  const amounts = pickAmounts(stated)
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
    const doubt = move && doubtMove(claim, column, move, all, around)
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
    for (const [column, reason] of impossibleIn(claim, amounts, all, around)) {
      if (amounts[column] === null || moves[column]?.decided === 'accepted') continue
      amounts[column] = null
      if (!waits.has(column)) waits.set(column, { reason, since: moves[column]?.since ?? claim.firstSeen })
    }
  }
  return { amounts, waits }
}

/** Why a move is not heard yet; null: it is. */
function doubtMove(
  claim: Claim,
  column: AmountColumn,
  move: AmountMove,
  all: readonly Claim[],
  around: Surroundings,
): HoldReason | null {
  const { policy, platform } = around
  const after = claim.stated[column]
  if (move.decided !== null || isOperator(claim.source)) return null
  const independent = all.filter((other) => isIndependent(other, claim, platform))
  // What came in a flood, or was rejected, bears nothing out. A flood denies all the same.
  const others = independent.filter(
    (other) => !isWaitingFlood(other, policy) && other.moves[column]?.decided !== 'rejected',
  )
  // What one source no longer states is open, where another states it.
  if (after === null && others.some(({ stated }) => agreeOn(stated[column], move.before, policy))) return null
  if (after !== null && others.some(({ stated }) => agreeOn(stated[column], after, policy))) return null
  const isAway = (amount: DecimalText | null) => amount !== null && isOutlier(amount, column, around)
  // A move that brings the price to its peers mends a mistake.
  if (!around.isMaker && isAway(move.before) && !isAway(after)) return null
  if (isAbsurd(column, after, policy, claim.stated.modality)) return 'range'
  const doubts: (HoldReason | null)[] = [
    !around.isMaker && isAway(after) && !isAway(move.before) ? 'outlier' : null,
    doubtStep(move.before, after, policy),
    move.isBulk ? 'bulk' : null,
    hasSwapped(claim) && (column === 'input_per_mtok' || column === 'output_per_mtok') ? 'swapped' : null,
    after !== null && isDenied(claim, move, column, independent, around) ? 'denied' : null,
  ]
  // However long it stands.
  if (move.isBulk && isReadByName(claim.source)) return 'bulk'
  if (isBeyondPage(claim.source, move.before, after, policy)) return doubtStep(move.before, after, policy)
  const deniers = all.filter(
    (other) => other !== claim && opposes(other, move) && agreeOn(other.stated[column], move.before, policy),
  )
  // What was announced is expected. The seller's own word is believed, unless two still state the amount before.
  const isExpected = move.isAnnounced === true || (isOfficial(claim.source, platform) && deniers.length < 2)
  const waiting = doubts.filter((doubt) => !(isExpected && (doubt === 'large' || doubt === 'denied')))
  const ageMs = Date.parse(claim.lastSeen) - Date.parse(move.since)
  const longest = waiting.toSorted((a, b) => chooseStandMs(b, policy) - chooseStandMs(a, policy))[0] ?? null
  return ageMs >= chooseStandMs(longest, policy) ? null : longest
}

/** Whether a step is larger than a page alone may make. */
function isBeyondPage(
  source: string,
  before: DecimalText | null,
  after: DecimalText | null,
  { guards }: FeedPolicy,
): boolean {
  if (before === null || after === null || before === after || !isReadByName(source)) return false
  return Number(before) === 0 || Number(after) === 0 || factorBetween(before, after) > guards.pageFactorMax
}

/** Whether another source still states what the claim has left. */
function isDenied(
  { source }: Claim,
  move: AmountMove,
  column: AmountColumn,
  others: readonly Claim[],
  { platform, policy }: Surroundings,
): boolean {
  if (move.before === null || isOfficial(source, platform)) return false
  return others.some((other) => opposes(other, move) && agreeOn(other.stated[column], move.before, policy))
}

/** Whether a source was there when another one moved, or has looked since: a list that is read later may be old. */
function opposes({ firstSeen, checkedAt }: Claim, { since }: AmountMove): boolean {
  return firstSeen <= since || (checkedAt !== null && checkedAt > since)
}

/** What contradicts a row that has been there for longer is heard after a day, or as long as a move by as much waits. */
function isNewcomer(
  claim: Claim,
  rows: readonly { claim: Claim; amounts: Amounts }[],
  { platform, policy }: Surroundings,
): boolean {
  const all = rows.map((row) => row.claim)
  if (isOperator(claim.source)) return false
  // Two that say the same are heard after a day, however far they are from the first.
  const backed = isBacked(claim, claim.stated, all, { platform, policy })
  const ageMs = Date.parse(claim.lastSeen) - Date.parse(claim.firstSeen)
  const dayMs = chooseStandMs('large', policy)
  return rows.some(
    ({ claim: other, amounts }) =>
      Date.parse(claim.firstSeen) - Date.parse(other.firstSeen) >= dayMs &&
      baseAmounts.some((column) => {
        // What is not believed contradicts nobody.
        const [theirs, mine] = [amounts[column], claim.stated[column]]
        if (theirs === null || mine === null || agreeOn(theirs, mine, policy)) return false
        if (!backed && isBeyondPage(claim.source, theirs, mine, policy)) return true
        return ageMs < Math.max(dayMs, backed ? 0 : chooseStandMs(doubtStep(theirs, mine, policy), policy))
      }),
  )
}

/**
 * Whether others have left an amount that the claim still states: two at once, or one that has stood by its move for as
 * long as a denial counts. A source that has moved the row or checked it since is not stale.
 */
function isStale(claim: Claim, all: readonly Claim[], { platform, policy }: Surroundings): boolean {
  if (isOperator(claim.source) || isOfficial(claim.source, platform)) return false
  return amountColumns.some((column) => {
    const value = claim.stated[column]
    if (value === null) return false
    const left = all.flatMap((other) => {
      const to = other.stated[column]
      const leftAt = whenLeft(other, column, value, policy)
      if (leftAt === null || to === null || agreeOn(to, value, policy)) return []
      if (!isIndependent(other, claim, platform) || leftAt < (claim.checkedAt ?? '')) return []
      const stoodMs = Date.parse(other.lastSeen) - Date.parse(leftAt)
      const isOld = claim.firstSeen > leftAt || other.moves[column]?.isAnnounced === true
      const origin = findOrigin(other.source, platform)
      return [{ origin, to, stood: isOld || stoodMs >= chooseStandMs('denied', policy) }]
    })
    return left.some(
      ({ origin, to, stood }) =>
        stood || left.some((other) => other.origin !== origin && agreeOn(other.to, to, policy)),
    )
  })
}

/** Whether another source has moved since to what a person rejected: what is served then is for the others to say. */
function isOverruled(claim: Claim, all: readonly Claim[], { platform, policy }: Surroundings): boolean {
  return amountColumns.some((column) => {
    const move = claim.moves[column]
    if (move?.decided !== 'rejected') return false
    return all.some((other) => {
      const theirs = other.moves[column]
      if (!isIndependent(other, claim, platform) || !theirs || theirs.decided === 'rejected') return false
      return theirs.since > move.since && agreeOn(other.stated[column], claim.stated[column], policy)
    })
  })
}

/** When a source left an amount; null: it never stated it, or states it again. */
function whenLeft(
  { moves }: Claim,
  column: AmountColumn,
  amount: DecimalText,
  policy: FeedPolicy,
): string | null {
  const move = moves[column]
  if (!move || move.decided === 'rejected') return null
  if (agreeOn(move.before, amount, policy)) return move.since
  return move.earlier?.find((state) => agreeOn(state.amount, amount, policy))?.leftAt ?? null
}

function isIndependent(a: Claim, b: Claim, platform: string | null): boolean {
  return findOrigin(a.source, platform) !== findOrigin(b.source, platform)
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
    isOfficial(source, platform) ||
    Object.values(moves).some(({ decided }) => decided === 'accepted')
  )
}

/** Whether the amount is far from what the product costs elsewhere. A free offer is, unless it says so. */
export function isOutlier(value: DecimalText, column: AmountColumn, around: Surroundings): boolean {
  const peer = around.findPeer(column)
  if (peer === null || (around.isFree && Number(value) === 0)) return false
  return factorBetween(value, String(peer)) >= around.policy.guards.slipFactorMin
}
