import { amountColumns, type AmountColumn, type DecimalText } from '../features/prices/price-record.ts'
import { agreeOn } from './amounts.ts'
import type { FeedPolicy } from './policy.ts'
import { areIndependent } from './precedence.ts'
import type { Amounts } from './source-record.ts'

/** What a source has said of a resource, state by state, the oldest first. */
export interface ClaimHistory {
  source: string
  /** `resourceKey` of the resource. */
  key: string
  platform: string | null
  /** Null amounts: the source had the resource no more. */
  states: readonly { at: string; amounts: Amounts | null }[]
}

/** A time in which a source stated one amount, apart from rounding. */
interface Span {
  value: DecimalText
  fromMs: number
  /** Infinity: it states it still. */
  toMs: number
}

/** A source leaves an amount for another. */
export interface ScoredMove {
  source: string
  key: string
  platform: string | null
  column: AmountColumn
  before: DecimalText
  after: DecimalText
  atMs: number
  /** The source states the amount before again within `guards.returnDays`. */
  isReversed: boolean
  /** The source itself has left the amount that it goes back to, within `guards.returnDays`: the end of a slip. */
  isReturn: boolean
  /** It has not moved again since. */
  isLast: boolean
}

/** The moves of each source and amount, and who stated what when. */
export interface Histories {
  moves: readonly ScoredMove[]
  /** When independent sources made the same move. */
  sameMoves: (move: ScoredMove) => number[]
  /** Whether an independent source states the amount that the move leads to, at its moment or later. */
  isStatedLater: (move: ScoredMove) => boolean
}

/**
 * Finds the moves in what was stated. An amount that appears or vanishes has not moved; what it was before a gap counts.
 */
export function readHistories(histories: readonly ClaimHistory[], policy: FeedPolicy): Histories {
  const spans = new Map<string, { source: string; spans: Span[] }[]>()
  const moves = histories.flatMap(({ source, key, platform, states }) =>
    amountColumns.flatMap((column) => {
      const ofColumn = spansOf(states, column, policy)
      const others = spans.get(`${key}\n${column}`)
      if (others) others.push({ source, spans: ofColumn })
      else spans.set(`${key}\n${column}`, [{ source, spans: ofColumn }])
      return movesOf(ofColumn, policy).map((move) => ({ source, key, platform, column, ...move }))
    }),
  )
  const byAmount = Map.groupBy(
    moves.filter(({ isReturn }) => !isReturn),
    ({ key, column }) => `${key}\n${column}`,
  )
  return {
    moves,
    sameMoves: ({ source, key, platform, column, before, after }) =>
      (byAmount.get(`${key}\n${column}`) ?? []).flatMap((other) =>
        areIndependent(source, other.source, platform) &&
        agreeOn(other.before, before, policy) &&
        agreeOn(other.after, after, policy)
          ? [other.atMs]
          : [],
      ),
    isStatedLater: ({ source, key, platform, column, after, atMs }) =>
      (spans.get(`${key}\n${column}`) ?? []).some(
        (other) =>
          areIndependent(source, other.source, platform) &&
          other.spans.some(({ value, toMs }) => toMs > atMs && agreeOn(value, after, policy)),
      ),
  }
}

function spansOf(states: ClaimHistory['states'], column: AmountColumn, policy: FeedPolicy): Span[] {
  const spans: Span[] = []
  for (const { at, amounts } of states) {
    const value = amounts?.[column] ?? null
    const last = spans.at(-1)
    const atMs = Date.parse(at)
    if (value !== null && last && agreeOn(last.value, value, policy)) {
      last.toMs = Infinity
      continue
    }
    if (last && last.toMs === Infinity) last.toMs = atMs
    if (value !== null) spans.push({ value, fromMs: atMs, toMs: Infinity })
  }
  return spans
}

type SpanMove = Pick<ScoredMove, 'before' | 'after' | 'atMs' | 'isReversed' | 'isReturn' | 'isLast'>

function movesOf(spans: readonly Span[], policy: FeedPolicy): SpanMove[] {
  const returnMs = policy.guards.returnDays * 86_400_000
  const isSame = (a: Span, b: Span) => agreeOn(a.value, b.value, policy)
  return spans.slice(1).map((span, index) => {
    const before = spans[index]!
    return {
      before: before.value,
      after: span.value,
      atMs: span.fromMs,
      isReversed: spans
        .slice(index + 2)
        .some((later) => later.fromMs - span.fromMs < returnMs && isSame(later, before)),
      // A span ends when the next one begins: a gap between them is no other amount.
      isReturn: spans
        .slice(0, index)
        .some((earlier, place) => span.fromMs - spans[place + 1]!.fromMs < returnMs && isSame(earlier, span)),
      isLast: index + 2 === spans.length,
    }
  })
}
