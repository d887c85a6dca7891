import { amountColumns } from '../../features/prices/price-record.ts'
import { factorBetween } from '../amounts.ts'
import { keyOf } from '../names.ts'
import type { FeedPolicy } from '../policy.ts'
import type { SourceReading, SourceRecord } from '../source-record.ts'
import type { Claim } from './claim.ts'

/** Why nothing of a reading is taken. Held: until the next run shows the same. Refused: not believable at all. */
export interface RunDoubt {
  outcome: 'held' | 'refused'
  message: string
}

export interface GuardedRun {
  at: string
  heldGone: { since: string; ids: ReadonlySet<string> } | null
  /** The operator says that rows which are gone are gone. */
  acceptGone: boolean
  policy: FeedPolicy
}

/** What speaks against a reading as a whole; null: nothing. */
export function doubtOfRun(
  reading: SourceReading,
  known: ReadonlyMap<string, Claim>,
  run: GuardedRun,
): RunDoubt | null {
  if (reading.records.length === 0) return { outcome: 'refused', message: 'none of its rows can be served' }
  return (
    (run.acceptGone ? null : doubtOfGone(reading, known, run)) ??
    doubtOfUnreadable(reading, known, run.policy) ??
    doubtOfLost(reading, known, run.policy) ??
    doubtOfFactor(reading, known, run.policy)
  )
}

/** Keys that the source had, and that the reading has neither as a record nor as a row that could not be read. */
export function goneFrom(reading: SourceReading, known: ReadonlyMap<string, Claim>): string[] {
  const read = new Set(reading.records.map((record) => keyOf(record)))
  const unreadable = new Set(reading.rejected.map(({ id }) => id))
  return [...known.values()].flatMap(({ key, stated }) =>
    read.has(key) || unreadable.has(stated.source_key) ? [] : [key],
  )
}

function doubtOfGone(
  reading: SourceReading,
  known: ReadonlyMap<string, Claim>,
  { at, heldGone, policy: { guards } }: GuardedRun,
): RunDoubt | null {
  const present = [...known.values()].filter(({ removedAt }) => removedAt === null)
  const gone = goneFrom(reading, known).filter((key) => known.get(key)!.removedAt === null)
  if (gone.length > guards.goneShareMax * present.length) {
    const message = `${gone.length} of ${present.length} rows are gone, more than ${guards.goneShareMax * 100} %: is this the whole file?`
    return { outcome: 'refused', message }
  }
  // The run that waits, begun again, does not confirm itself.
  const waiting = heldGone && heldGone.since < at ? heldGone.ids : null
  const unexpected = gone.filter((key) => {
    const claim = known.get(key)!
    return claim.goneSince === null && waiting?.has(claim.stated.resource_id) !== true
  })
  if (unexpected.length <= guards.goneRowsMax) return null
  const message = `${unexpected.length} rows are gone at once, more than ${guards.goneRowsMax}: the run waits until the next one shows the same`
  return { outcome: 'held', message }
}

/** Rows that were read before and cannot be read now: the format has changed. */
function doubtOfUnreadable(
  reading: SourceReading,
  known: ReadonlyMap<string, Claim>,
  { guards }: FeedPolicy,
): RunDoubt | null {
  const present = new Map(
    [...known.values()].flatMap(({ stated, removedAt }) =>
      removedAt === null ? [[stated.source_key, stated] as const] : [],
    ),
  )
  const lost = reading.rejected.filter(({ id }) => present.has(id))
  if (!isMany(lost.length, present.size, guards)) return null
  const message = `${lost.length} of ${present.size} rows that could be read before cannot be read now, such as ${lost[0]!.id} (${lost[0]!.reason}): has the format changed?`
  return { outcome: 'refused', message }
}

/** Amounts that rows had and have no more: a field was renamed. */
function doubtOfLost(
  reading: SourceReading,
  known: ReadonlyMap<string, Claim>,
  { guards }: FeedPolicy,
): RunDoubt | null {
  const pairs = pairsOf(reading, known)
  for (const column of amountColumns) {
    const had = pairs.filter(([before]) => before[column] !== null)
    const lost = had.filter(([, after]) => after[column] === null)
    if (!isMany(lost.length, had.length, guards)) continue
    const message = `${lost.length} of ${had.length} rows state no ${column} any more, such as ${lost[0]![1].source_key}: was the field renamed?`
    return { outcome: 'refused', message }
  }
  return null
}

/** Rows of several platforms that move by one factor: a unit has changed, and no price. */
function doubtOfFactor(
  reading: SourceReading,
  known: ReadonlyMap<string, Claim>,
  { guards }: FeedPolicy,
): RunDoubt | null {
  const pairs = pairsOf(reading, known)
  const moved = pairs.flatMap(([before, after]) => {
    const steps = amountColumns.flatMap((column) => {
      const [was, is] = [before[column], after[column]]
      return was === null || is === null || was === is ? [] : [Number(is) / Number(was)]
    })
    return steps.length === 0 ? [] : [{ after, factor: steps[0]!.toPrecision(2) }]
  })
  const groups = Map.groupBy(moved, ({ factor }) => factor)
  for (const [factor, rows] of groups) {
    const platforms = new Set(rows.map(({ after }) => after.platform))
    if (!isMany(rows.length, pairs.length, guards) || platforms.size < guards.sameFactorPlatformsMin) continue
    if (factorBetween(factor, '1') < guards.sameFactorMin) continue
    const message = `${rows.length} of ${pairs.length} rows on ${platforms.size} platforms move by the same factor of ${Number(factor)}, such as ${rows[0]!.after.source_key}: has the unit changed?`
    return { outcome: 'refused', message }
  }
  return null
}

function pairsOf(
  reading: SourceReading,
  known: ReadonlyMap<string, Claim>,
): (readonly [SourceRecord, SourceRecord])[] {
  return reading.records.flatMap((after) => {
    const before = known.get(keyOf(after))
    return before ? [[before.stated, after] as const] : []
  })
}

function isMany(count: number, of: number, guards: FeedPolicy['guards']): boolean {
  return count > guards.alikeRowsMax && count > guards.alikeShareMax * of
}
