import { amountColumns, type AmountColumn, type DecimalText } from '../features/prices/price-record.ts'
import { agreeOn } from './amounts.ts'
import type { HoldState } from './hold-store.ts'
import { countOrigins, isOutvoted, type Poll } from './outvoted.ts'
import type { FeedPolicy } from './policy.ts'
import { areIndependent, isOperator, isOwnList } from './precedence.ts'
import { readHistories, type ClaimHistory, type Histories, type ScoredMove } from './score-history.ts'
import type { Amounts } from './source-record.ts'

/** What a score is counted from. */
export interface ScoreFacts {
  /** What each source states now of the resources that are served. */
  claims: readonly ScoredClaim[]
  /** Of the resources of which a source has said more than one thing, what every source said. */
  histories: readonly ClaimHistory[]
  /** What waited, or waits, since `since`. */
  holds: readonly ScoredHold[]
}

interface ScoredClaim {
  source: string
  /** `resourceKey` of the resource. */
  key: string
  platform: string | null
  amounts: Amounts
}

interface ScoredHold {
  source: string
  key: string
  platform: string | null
  state: HoldState
  /** As served, and as stated. */
  before: Amounts
  after: Amounts
}

/** How right a source was, in counts of amounts; `right` and `judged` are what the figure is made from. */
export interface Score {
  /** Amounts that it states now. */
  stated: number
  /** Of them: those that an independent source states too, and those on which one agrees. */
  witnessed: number
  agreed: number
  /** Of them: those that two or more agreeing origins deny. */
  outvoted: number
  /** Moves from one amount to another, without those that take back one of its own. */
  moves: number
  /** Moves that it took back within `guards.returnDays`. */
  reversed: number
  /** Moves that an independent source made too: after another, and before all others. */
  late: number
  first: number
  /** The median of the days that it was behind the first; null: it was never late. */
  days_behind: number | null
  /** Amounts that waited or wait, by what became of them. */
  held: number
  held_by_state: Record<HoldState, number>
  /** Amounts and moves of which the evidence decides whether they are right. */
  judged: number
  right: number
  /** `right` of `judged`, 0 to 1; null: fewer than `scores.judgedMin` are judged. */
  right_share: number | null
}

/** A source's score for one platform and one column. */
export interface ScoreCell {
  source: string
  platform: string | null
  column: AmountColumn
  tally: Tally
}

type Count =
  'stated' | 'witnessed' | 'agreed' | 'outvoted' | 'moves' | 'reversed' | 'first' | 'judged' | 'right'
export type Tally = Record<Count, number> & { daysBehind: number[]; held: Record<HoldState, number> }

/**
 * Counts how right each source was, by platform and column.
 * @param since moves and holds before it do not count; RFC 3339
 */
export function scoreSources(facts: ScoreFacts, since: string, policy: FeedPolicy): ScoreCell[] {
  const cells = new Map<string, ScoreCell>()
  const tallyOf = (source: string, platform: string | null, column: AmountColumn) => {
    const name = JSON.stringify([source, platform, column])
    let cell = cells.get(name)
    if (!cell) cells.set(name, (cell = { source, platform, column, tally: emptyTally() }))
    return cell.tally
  }
  const verdicts = new Map<string, AmountVerdict>()
  for (const claims of Map.groupBy(facts.claims, ({ key }) => key).values()) {
    for (const claim of claims) {
      for (const column of amountColumns) {
        const verdict = judgeStated(claim, claims, column, policy)
        if (verdict === null) continue
        verdicts.set(nameOf(claim, column), verdict)
        countStated(tallyOf(claim.source, claim.platform, column), verdict)
      }
    }
  }
  const held = Map.groupBy(facts.holds, (hold) => `${hold.source}\n${hold.key}`)
  for (const hold of facts.holds)
    for (const column of waitingColumns(hold, policy))
      tallyOf(hold.source, hold.platform, column).held[hold.state] += 1
  const histories = readHistories(facts.histories, policy)
  const sinceMs = Date.parse(since)
  for (const move of histories.moves) {
    if (move.atMs < sinceMs || move.isReturn) continue
    const holds = held.get(`${move.source}\n${move.key}`) ?? []
    const verdict = judgeMove(move, holds, verdicts.get(nameOf(move, move.column)), histories, policy)
    countMove(tallyOf(move.source, move.platform, move.column), move, verdict, histories)
  }
  return [...cells.values()]
}

/** The score of several cells together. */
export function scoreOf(cells: readonly ScoreCell[], policy: FeedPolicy): Score {
  const sum = emptyTally()
  for (const { tally } of cells) {
    for (const count of counts) sum[count] += tally[count]
    for (const state of holdStates) sum.held[state] += tally.held[state]
    sum.daysBehind.push(...tally.daysBehind)
  }
  const { daysBehind, held, ...rest } = sum
  const { judged, right } = rest
  return {
    ...rest,
    late: daysBehind.length,
    days_behind: middleOf(daysBehind),
    held: holdStates.reduce((total, state) => total + held[state], 0),
    held_by_state: held,
    right_share: judged < policy.scores.judgedMin ? null : right / judged,
  }
}

interface AmountVerdict {
  value: DecimalText
  isWitnessed: boolean
  isAgreed: boolean
  isOutvoted: boolean
  /** Null: the evidence decides nothing. */
  isRight: boolean | null
}

/** What the others make of an amount; null: the source states none. */
function judgeStated(
  { source, platform, amounts }: ScoredClaim,
  all: readonly ScoredClaim[],
  column: AmountColumn,
  policy: FeedPolicy,
): AmountVerdict | null {
  const value = amounts[column]
  if (value === null) return null
  const stating = all.filter((claim) => claim.amounts[column] !== null)
  const agreeing = stating.filter((claim) => agreeOn(claim.amounts[column], value, policy))
  const poll: Poll = { said_by: agreeing.map((claim) => claim.source), denied_by: {} }
  for (const claim of stating)
    if (!agreeing.includes(claim)) poll.denied_by[claim.source] = claim.amounts[column]!
  const isIndependent = (other: ScoredClaim) => areIndependent(source, other.source, platform)
  const outvoted = isOutvoted(poll, platform, policy)
  const { saying, denying } = countOrigins(poll, platform, policy)
  const isKnower = (name: string) => isOperator(name) || isOwnList(name, platform)
  const isDenied = !isKnower(source) && Object.keys(poll.denied_by).some(isKnower)
  return {
    value,
    isWitnessed: stating.some(isIndependent),
    isAgreed: agreeing.some(isIndependent),
    isOutvoted: outvoted,
    isRight: outvoted || isDenied ? false : saying > Math.max(1, denying) ? true : null,
  }
}

/**
 * Whether a move turned out right. A person decides first, then who made it too, then whether it was taken back, then
 * what the others state. Null: nobody knows.
 */
function judgeMove(
  move: ScoredMove,
  holds: readonly ScoredHold[],
  stated: AmountVerdict | undefined,
  histories: Histories,
  policy: FeedPolicy,
): boolean | null {
  const decided = holds.find(
    ({ state, after }) =>
      (state === 'accepted' || state === 'rejected') && agreeOn(after[move.column], move.after, policy),
  )
  if (decided) return decided.state === 'accepted'
  if (histories.sameMoves(move).length > 0) return true
  if (move.isReversed) return false
  const isStated = stated !== undefined && agreeOn(stated.value, move.after, policy)
  if (isStated && stated.isRight === false) return false
  return histories.isStatedLater(move) || (isStated && stated.isAgreed) ? true : null
}

function countStated(tally: Tally, { isWitnessed, isAgreed, isOutvoted, isRight }: AmountVerdict): void {
  tally.stated += 1
  tally.witnessed += Number(isWitnessed)
  tally.agreed += Number(isAgreed)
  tally.outvoted += Number(isOutvoted)
  countJudged(tally, isRight)
}

function countMove(tally: Tally, move: ScoredMove, isRight: boolean | null, { sameMoves }: Histories): void {
  tally.moves += 1
  tally.reversed += Number(move.isReversed)
  const others = sameMoves(move)
  const firstMs = Math.min(...others)
  if (firstMs < move.atMs) tally.daysBehind.push((move.atMs - firstMs) / 86_400_000)
  if (others.length > 0 && firstMs > move.atMs) tally.first += 1
  countJudged(tally, isRight)
}

function countJudged(tally: Tally, isRight: boolean | null): void {
  if (isRight === null) return
  tally.judged += 1
  tally.right += Number(isRight)
}

/** The median, to a tenth; null: of nothing. */
function middleOf(days: readonly number[]): number | null {
  const sorted = days.toSorted((a, b) => a - b)
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
  return low === undefined ? null : Number(((low + high!) / 2).toFixed(1))
}

/** The amounts of a hold that are served otherwise than they are stated. */
function waitingColumns({ before, after }: ScoredHold, policy: FeedPolicy): AmountColumn[] {
  return amountColumns.filter((column) => !agreeOn(before[column], after[column], policy))
}

function nameOf({ source, key }: { source: string; key: string }, column: AmountColumn): string {
  return `${source}\n${key}\n${column}`
}

const counts: readonly Count[] = [
  ...(['stated', 'witnessed', 'agreed', 'outvoted', 'moves', 'reversed', 'first'] as const),
  ...(['judged', 'right'] as const),
]
const holdStates: readonly HoldState[] = ['open', 'accepted', 'rejected', 'confirmed', 'withdrawn']

export function emptyTally(): Tally {
  return {
    ...{
      stated: 0,
      witnessed: 0,
      agreed: 0,
      outvoted: 0,
      moves: 0,
      reversed: 0,
      first: 0,
      judged: 0,
      right: 0,
    },
    daysBehind: [],
    held: { open: 0, accepted: 0, rejected: 0, confirmed: 0, withdrawn: 0 },
  }
}
