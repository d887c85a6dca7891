import { amountColumns, type AmountColumn, type DecimalText } from '../../catalog/price-record.ts'
import { cardText, type Rate } from '../../catalog/rate-card.ts'
import { agreeOn } from '../amounts.ts'
import type { FeedPolicy } from '../policy.ts'
import type { Amounts, SourceRecord } from '../source-record.ts'
import { heardRates } from './doubts.ts'

/** What one source says of one resource, and what it said before. Nothing in it depends on the run that asks. */
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
  /**
   * When the source last had a reason to look at the amounts: it moved them, or says that it checked them. Null: never. A
   * row that is new may be copied from where it was for long.
   */
  checkedAt: string | null
  /** It came in a flood of new rows, and is not heard until it has stood. */
  isFlood: boolean
  /** Since when, and in how many runs, the source lacks the resource; null and 0: the source has it. */
  goneSince: string | null
  goneRuns: number
  /** When its removal was believed; null: it counts as present. */
  removedAt: string | null
}

/** Whether a witness states no amount: it says until when a model is sold, and in no currency. */
export function statesNoAmount({ stated }: Claim): boolean {
  return stated.is_witness === true && amountColumns.every((column) => stated[column] === null)
}

export type Moves = Partial<Record<AmountColumn, AmountMove>>

interface Move<Value> {
  /** When the source first stated the present value. */
  since: string
  /** The value before, which was believed. */
  before: Value
  /** A person's decision on the present value. */
  decided: 'accepted' | 'rejected' | null
}

export interface AmountMove extends Move<DecimalText | null> {
  /** More rows moved alike in the run than a vendor moves. */
  isBulk: boolean
  /** The source had announced it for its day. */
  isAnnounced?: boolean
  /** The source's own date of `before`. */
  beforeEffectiveAt: string | null
  /** The amounts that the source left before, the last first. */
  earlier?: { amount: DecimalText | null; leftAt: string }[]
}

export interface CardMove extends Move<Rate[]> {
  /** As of amounts. */
  isBulk?: boolean
}

export interface Statement {
  /** When the source was read. */
  at: string
  isFlood?: boolean
}

/** What a source says first of a resource. */
export function firstClaim(
  source: string,
  key: string,
  stated: SourceRecord,
  { at, isFlood = false }: Statement,
): Claim {
  return {
    source,
    key,
    stated,
    moves: {},
    cardMove: null,
    firstSeen: at,
    lastSeen: at,
    checkedAt: readCheckDay(stated),
    isFlood,
    goneSince: null,
    goneRuns: 0,
    removedAt: null,
  }
}

export interface Restatement {
  at: string
  /** What is served of the resource: an amount of the source that is served was believed. Null: nothing is. */
  served: Amounts | null
  /** What too many rows move alike in this reading: columns, or the rates beside them. */
  bulk?: ReadonlySet<AmountColumn | 'card'>
  policy: FeedPolicy
}

/** The claim after the source was read again. What an amount is measured against is the last one that was believed. */
export function restate(claim: Claim, stated: SourceRecord, options: Restatement): Claim {
  const { at } = options
  const moves: Moves = {}
  for (const column of amountColumns) {
    const move = findMove(claim, column, stated, options)
    if (move) moves[column] = move
  }
  const hasMoved = amountColumns.some((column) => claim.stated[column] !== stated[column])
  const looked = [claim.checkedAt, readCheckDay(stated), hasMoved ? at : null]
  const checkedAt =
    looked
      .filter((instant) => instant !== null)
      .sort()
      .at(-1) ?? null
  return {
    ...claim,
    ...{ stated, moves, cardMove: findCardMove(claim, stated, options), lastSeen: at, checkedAt },
    // What comes back after its removal was believed begins anew: it has denied nothing meanwhile.
    firstSeen: claim.removedAt === null ? claim.firstSeen : at,
    ...{ goneSince: null, goneRuns: 0, removedAt: null },
  }
}

function readCheckDay({ checked_on }: SourceRecord): string | null {
  return checked_on == null ? null : `${checked_on}T00:00:00.000000Z`
}

/** A list that still states what another left four moves ago is found by nobody. */
const earlierMax = 4

function findMove(
  { stated: was, moves }: Claim,
  column: AmountColumn,
  is: SourceRecord,
  { at, served, bulk, policy }: Restatement,
): AmountMove | undefined {
  const last = moves[column]
  const [value, next] = [was[column], is[column]]
  if (value === next) return last
  const isBelieved =
    !last ||
    last.decided === 'accepted' ||
    (last.decided === null && served !== null && agreeOn(value, served[column], policy))
  const before = isBelieved ? value : last.before
  // It was never more than a slip.
  if (next === before) return undefined
  const beforeEffectiveAt = isBelieved ? was.effective_at : last.beforeEffectiveAt
  const left = isBelieved && last ? [{ amount: last.before, leftAt: last.since }] : []
  const earlier = [...left, ...(last?.earlier ?? [])].slice(0, earlierMax)
  const isBulk = bulk?.has(column) === true
  return {
    since: at,
    before,
    decided: null,
    isBulk,
    beforeEffectiveAt,
    ...(earlier.length > 0 && { earlier }),
  }
}

function findCardMove(
  { stated, cardMove, lastSeen }: Claim,
  { rates: next }: SourceRecord,
  { at, bulk, policy }: Restatement,
): CardMove | null {
  if (cardText(stated.rates) === cardText(next)) return cardMove
  const before = [...heardRates(stated, cardMove, lastSeen, policy).rates]
  if (cardText(before) === cardText(next)) return null
  return { since: at, before, decided: null, ...(bulk?.has('card') && { isBulk: true }) }
}
