import { amountColumns } from '../../features/prices/price-record.ts'
import { pricedMoves } from '../amounts.ts'
import { keyOf } from '../names.ts'
import type { FeedPolicy } from '../policy.ts'
import type { SourceReading, SourceRecord } from '../source-record.ts'
import { firstClaim, restate, type Claim } from './claim.ts'
import { goneFrom } from './guards.ts'

export interface Taking {
  source: string
  /** The run's clock, RFC 3339 in UTC. */
  at: string
  /** How old what it says is, whichever run asks: `dataAtOf`. */
  dataAt: string
  /** When the source was read before; null: never. */
  lastObservedAt: string | null
  /** Rows that the run before found gone, which waited for this one. */
  heldGone: { since: string; ids: ReadonlySet<string> } | null
  /** The operator says that rows which are gone are gone. */
  acceptGone: boolean
  policy: FeedPolicy
}

/** The claims of a source after a reading, by key: stated anew, or gone for one run longer. */
export function takeReading(
  reading: SourceReading,
  known: ReadonlyMap<string, Claim>,
  taking: Taking,
): Map<string, Claim> {
  const { source, at, dataAt, policy } = taking
  const bulk = bulkPlatformsOf(reading.records, known, policy)
  const claims = new Map<string, Claim>()
  for (const record of reading.records) {
    const key = keyOf(record)
    const before = known.get(key)
    claims.set(
      key,
      before
        ? restate(before, record, at, policy, { dataAt, isBulk: bulk.has(record.platform) })
        : firstClaim(source, key, record, at, dataAt),
    )
  }
  for (const key of goneFrom(reading, known)) claims.set(key, oneRunLonger(known.get(key)!, taking))
  // Rows that could not be read are neither stated nor gone.
  for (const [key, claim] of known) if (!claims.has(key)) claims.set(key, claim)
  return claims
}

/** A removal is believed after long enough a time and enough runs: what went for a few hours has not gone. */
function oneRunLonger(known: Claim, taking: Taking): Claim {
  const { heldGone, lastObservedAt, at, acceptGone, policy } = taking
  // A run that is begun again is one run.
  if (known.removedAt !== null || (known.goneSince !== null && lastObservedAt === at && !acceptGone))
    return known
  const wasHeld = known.goneSince === null && heldGone?.ids.has(known.stated.resource_id) === true
  const goneSince = known.goneSince ?? (wasHeld ? heldGone.since : at)
  const goneRuns = known.goneRuns + (wasHeld ? 2 : 1)
  const goneMs = Date.parse(at) - Date.parse(goneSince)
  const isBelieved =
    goneRuns >= policy.guards.removalRunsMin && goneMs >= policy.guards.removalHours * 3_600_000
  return { ...known, goneSince, goneRuns, removedAt: isBelieved || acceptGone ? at : null }
}

/** Platforms of which more rows move at once, or more by one factor, than a vendor moves. */
function bulkPlatformsOf(
  records: readonly SourceRecord[],
  known: ReadonlyMap<string, Claim>,
  { guards }: FeedPolicy,
): Set<string | null> {
  const steps = records.flatMap((after) => {
    const before = known.get(keyOf(after))?.stated
    const [column] = before ? pricedMoves(before, after) : []
    return before && column
      ? [{ platform: after.platform, factor: Number(after[column]) / Number(before[column]) }]
      : []
  })
  return new Set(
    [...Map.groupBy(steps, ({ platform }) => platform)].flatMap(([platform, moved]) => {
      const large = moved.filter(({ factor }) => Math.max(factor, 1 / factor) >= guards.largeFactorMin)
      const alike = Map.groupBy(large, ({ factor }) => factor.toPrecision(2))
      const isAlike = [...alike.values()].some((rows) => rows.length >= guards.movedAlikeRowsMin)
      return isAlike || moved.length > guards.movedRowsMax ? [platform] : []
    }),
  )
}

/** A claim as text: equal texts need no writing. PostgreSQL's jsonb has an order of keys of its own. */
export function claimText({ stated, moves, cardMove, goneSince, goneRuns, removedAt }: Claim): string {
  const inOrder = amountColumns.map((column) => {
    const move = moves[column]
    return move ? [column, move.since, move.before, move.decided, move.doubt, move.isReturn] : null
  })
  return JSON.stringify([
    statedText(stated),
    inOrder,
    cardMove && [cardMove.since, cardMove.decided, cardMove.before.length],
    goneSince,
    goneRuns,
    removedAt,
  ])
}

function statedText(record: SourceRecord): string {
  const { rates, scheduled, ...fields } = record
  const entries = Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([entries, rates.map(fieldsInOrder), scheduled.map(scheduledInOrder)])
}

function fieldsInOrder(rate: SourceRecord['rates'][number]): unknown[] {
  const { meter, unit, amount, service_tier, variant, threshold, hours } = rate
  return [meter, unit, amount, service_tier, variant, threshold, hours]
}

function scheduledInOrder({ starts_on, amounts }: SourceRecord['scheduled'][number]): unknown[] {
  return [starts_on, ...amountColumns.map((column) => amounts[column])]
}
