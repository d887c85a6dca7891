import type { PriceRecord } from '../../catalog/price-record.ts'
import { toDay, daysBetween } from '../days.ts'
import { decide } from './decide.ts'
import { decideSchedules } from './decide-schedules.ts'
import { emptyDecision, type Decision, type FeedState, type SourceState } from './feed-state.ts'
import { restate, type Claim } from '../claims/claim.ts'
import { claimText, goneFrom, takeReading } from '../claims/take-reading.ts'
import { resourceKey } from '../match/names.ts'
import type { FeedPolicy } from '../policy.ts'
import type { SourceReading } from '../source-record.ts'

export interface RunDecision extends Decision {
  /** Refused: not believable at all. */
  outcome: 'applied' | 'refused'
  message: string | null
  /** Resources that the source has no more, those of earlier runs included. */
  gone: string[]
}

export interface RunOptions {
  observedAt: string
  policy: FeedPolicy
  /** The operator says that rows which are gone are gone. */
  acceptGone?: boolean
  /** The operator believes the reading as a whole: nothing in it waits because much of it moves alike. */
  acceptAll?: boolean
}

/**
 * What a reading of a source changes. Pure: the same reading again decides nothing, but for what time brings: removals
 * that are old enough by now, and moves that a source has stood by.
 */
export function decideRun(
  reading: SourceReading,
  source: SourceState,
  state: FeedState,
  options: RunOptions,
): RunDecision {
  const { observedAt: at, policy, acceptGone = false, acceptAll = false } = options
  if (reading.records.length === 0 && !acceptAll)
    return { ...emptyDecision(), outcome: 'refused', message: 'none of its rows can be served', gone: [] }
  const known = pickClaims(source.source, state)
  const gone = goneFrom(reading, known).map((key) => known.get(key)!.stated.resource_id)
  const taken = takeReading(reading, known, {
    ...{ source: source.source, at, lastObservedAt: source.lastObservedAt, policy, acceptGone, acceptAll },
    findServed: servedBy(state),
  })
  const decided = decideClaims(taken, known, source, state, options)
  return { ...decided, outcome: 'applied', message: null, gone }
}

/** What is served, by resource key. */
function servedBy({ standings, served }: FeedState): (key: string) => PriceRecord | null {
  return (key) => served.get(standings.get(key)?.resource_id ?? '') ?? null
}

/**
 * Dated prices whose day has come, reminders of those that are near, and what time alone decides, without a reading. A
 * price is not applied from a file that was read long before its day: it may have been called off since.
 */
export function decideDue(source: SourceState, state: FeedState, options: RunOptions): Decision {
  const { observedAt: at, policy } = options
  const today = toDay(at)
  const known = pickClaims(source.source, state)
  const due = new Map(known)
  for (const [id, schedules] of source.schedules) {
    const claim = known.get(resourceKey(id))
    const price = schedules.findLast(({ starts_on }) => starts_on <= today)
    if (!claim || !price || claim.removedAt !== null) continue
    if (daysBetween(toDay(claim.lastSeen), price.starts_on) > policy.scheduleAgeDaysMax) continue
    const stated = { ...claim.stated, ...price.amounts, effective_at: price.starts_on }
    const { lastSeen } = claim
    const served = servedBy(state)(claim.key)
    due.set(claim.key, { ...announced(restate(claim, stated, { at, served, policy })), lastSeen })
  }
  return decideClaims(due, known, source, state, options)
}

function decideClaims(
  taken: ReadonlyMap<string, Claim>,
  known: ReadonlyMap<string, Claim>,
  source: SourceState,
  state: FeedState,
  { observedAt: at, policy }: RunOptions,
): Decision {
  const dated = withDated(taken, source, at)
  const claims = [...state.claims.filter((claim) => claim.source !== source.source), ...dated.values()]
  const { verdicts, ...outcome } = decide(claims, state, { at, policy })
  const byKey = Map.groupBy(claims, ({ key }) => key)
  const present = [...dated.values()].filter(({ removedAt }) => removedAt === null)
  const scheduled = decideSchedules(present, source, { at, policy, claims: byKey, verdicts })
  return {
    ...outcome,
    ...scheduled,
    claims: [...dated.values()].filter((claim) => {
      const before = known.get(claim.key)
      return !before || claimText(before) !== claimText(claim)
    }),
  }
}

/** A move that was announced for its day is not doubted for its size. */
function withDated(
  claims: ReadonlyMap<string, Claim>,
  { schedules }: SourceState,
  at: string,
): ReadonlyMap<string, Claim> {
  if (schedules.size === 0) return claims
  const today = toDay(at)
  return new Map(
    [...claims].map(([key, claim]) => {
      const known = schedules.get(claim.stated.resource_id) ?? []
      const isDue = known.some(
        ({ starts_on }) => starts_on <= today && starts_on === claim.stated.effective_at,
      )
      return [key, isDue ? announced(claim) : claim]
    }),
  )
}

function announced(claim: Claim): Claim {
  const moves = Object.entries(claim.moves).map(([column, move]) => [column, { ...move, isAnnounced: true }])
  return { ...claim, moves: Object.fromEntries(moves) as Claim['moves'] }
}

function pickClaims(source: string, { claims }: FeedState): Map<string, Claim> {
  return new Map(claims.flatMap((claim) => (claim.source === source ? [[claim.key, claim] as const] : [])))
}
