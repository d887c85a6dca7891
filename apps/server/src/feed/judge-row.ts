import { agree, amountsOf, doubtOf, isAbsurd, movedColumns, pricedMoves, type HoldReason } from './amounts.ts'
import type { FeedRecord, FeedState, NewHold } from './feed-state.ts'
import type { FeedPolicy } from './policy.ts'
import { areIndependent } from './precedence.ts'
import { amountColumns } from '../features/prices/price-record.ts'
import type { Amounts, SourceRecord } from './source-record.ts'

/** The decision on one row of a reading. */
export interface Judgement {
  /** What we accept from now on. */
  accepted: SourceRecord
  /** The move that is held from now on; null: none, or one that was held before. */
  hold: NewHold | null
  withdrawnHold: string | null
  /** An independent source confirms what moved. */
  verified: boolean
}

/**
 * Accepts a row, or keeps the amounts last accepted and holds the new ones. A move that an independent source confirms
 * is accepted whatever its size. A move that a person has refused stays refused.
 * @param bulkPlatforms platforms of which more rows move in this run than one vendor's decision explains
 */
export function judgeRow(
  record: SourceRecord,
  state: FeedState,
  bulkPlatforms: ReadonlySet<string | null>,
  observedAt: string,
  policy: FeedPolicy,
): Judgement {
  const id = record.resource_id
  const known = state.records.get(id)
  const before = known ? amountsOf(known.accepted) : null
  const after = amountsOf(record)
  const moved = before
    ? movedColumns(before, after)
    : amountColumns.filter((column) => after[column] !== null)
  const witnesses = (state.others.get(id) ?? []).filter(
    (other) => other.removedAt === null && areIndependent(other.source, state.source, record.platform),
  )
  const verified = moved.length > 0 && witnesses.some(({ stated }) => agree(stated, after, moved, policy))
  const waiting = state.holds.get(id) ?? null
  const believed = { accepted: record, hold: null, withdrawnHold: waiting?.id ?? null, verified }
  if (verified) return believed

  const accepted =
    known && before
      ? // Tiers follow their base, and a date is the date of an amount.
        { ...record, ...before, rates: known.accepted.rates, effective_at: known.accepted.effective_at }
      : { ...record, ...withoutAbsurd(after, policy) }
  if (waiting && sameAmounts(waiting.after, after))
    return { accepted, hold: null, withdrawnHold: null, verified }
  if ((state.rejected.get(id) ?? []).some((hold) => sameAmounts(hold.after, after)))
    return { ...believed, accepted }

  const reason = known
    ? doubtOfMove(record, lastAmounts(known), bulkPlatforms, policy)
    : doubtOfFirst(record, state, policy)
  if (reason === null) return believed
  const hold = { resource_id: id, reason, before: amountsOf(accepted), after, firstSeen: observedAt }
  return { ...believed, accepted, hold }
}

/** What a move is measured against: the accepted amount, or, where none was accepted, the last stated one. */
function lastAmounts({ accepted, stated }: FeedRecord): Amounts {
  return Object.fromEntries(
    amountColumns.map((column) => [column, accepted[column] ?? stated[column]]),
  ) as Amounts
}

function doubtOfMove(
  record: SourceRecord,
  before: Amounts,
  bulkPlatforms: ReadonlySet<string | null>,
  policy: FeedPolicy,
): HoldReason | null {
  const doubt = doubtOf(before, record, policy)
  if (doubt !== null) return doubt
  return bulkPlatforms.has(record.platform) && pricedMoves(before, record).length > 0 ? 'bulk' : null
}

function doubtOfFirst(record: SourceRecord, state: FeedState, policy: FeedPolicy): HoldReason | null {
  if (!amountColumns.some((column) => isAbsurd(column, record[column], policy))) return null
  return state.isFirst ? 'first_load' : 'range'
}

function withoutAbsurd(amounts: Amounts, policy: FeedPolicy): Amounts {
  return Object.fromEntries(
    amountColumns.map((column) => [
      column,
      isAbsurd(column, amounts[column], policy) ? null : amounts[column],
    ]),
  ) as Amounts
}

function sameAmounts(a: Amounts, b: Amounts): boolean {
  return movedColumns(a, b).length === 0
}

/** Platforms of which more rows move than a vendor moves at once. */
export function bulkPlatformsOf(
  records: readonly SourceRecord[],
  known: ReadonlyMap<string, FeedRecord>,
  policy: FeedPolicy,
): Set<string | null> {
  const counts = new Map<string | null, number>()
  for (const record of records) {
    const before = known.get(record.resource_id)?.accepted
    if (!before || pricedMoves(before, record).length === 0) continue
    counts.set(record.platform, (counts.get(record.platform) ?? 0) + 1)
  }
  return new Set(
    [...counts].flatMap(([platform, count]) => (count > policy.guards.movedRowsMax ? [platform] : [])),
  )
}
