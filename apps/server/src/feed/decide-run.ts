import { dayOf, daysBetween } from './days.ts'
import { decide } from './decide.ts'
import { decideSchedules } from './decide-schedules.ts'
import { emptyDecision, type Decision, type FeedState, type SourceState } from './feed-state.ts'
import { restate, type Claim } from './judge/claim.ts'
import { doubtOfRun, goneFrom } from './judge/guards.ts'
import { claimText, takeReading } from './judge/take-reading.ts'
import { resourceKey } from './names.ts'
import type { FeedPolicy } from './policy.ts'
import type { SourceReading } from './source-record.ts'

export interface RunDecision extends Decision {
  /** Held: written down, and nothing else, until the next run shows the same. Refused: not believable at all. */
  outcome: 'applied' | 'held' | 'refused'
  message: string | null
  /** Resources that the source has no more, those of earlier runs included. */
  gone: string[]
}

export interface RunOptions {
  observedAt: string
  /** How old what the source says is, for every run that asks; default: as old as the run. */
  dataAt?: string
  policy: FeedPolicy
  /** The operator says that the rows are gone: neither a reason to refuse nor to wait. */
  acceptGone?: boolean
  /** The operator believes the reading as a whole: no guard refuses it. */
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
  const { observedAt: at, dataAt = at, policy, acceptGone = false, acceptAll = false } = options
  const { heldGone, lastObservedAt } = source
  const known = claimsOf(source.source, state)
  const gone = goneFrom(reading, known).map((key) => known.get(key)!.stated.resource_id)
  const doubt = acceptAll ? null : doubtOfRun(reading, known, { at, heldGone, acceptGone, policy })
  if (doubt) return { ...emptyDecision(), ...doubt, gone }

  const taking = { source: source.source, at, dataAt, lastObservedAt, heldGone, acceptGone, policy }
  const taken = takeReading(reading, known, taking)
  const decided = decideClaims(taken, known, source, state, options)
  return { ...decided, outcome: 'applied', message: null, gone }
}

/**
 * Dated prices whose day has come, reminders of those that are near, and what time alone decides, without a reading. A
 * price is not applied from a file that was read long before its day: it may have been called off since.
 */
export function decideDue(source: SourceState, state: FeedState, options: RunOptions): Decision {
  const { observedAt: at, policy } = options
  const today = dayOf(at)
  const known = claimsOf(source.source, state)
  const due = new Map(known)
  for (const [id, schedules] of source.schedules) {
    const claim = known.get(resourceKey(id))
    const price = schedules.findLast(({ starts_on }) => starts_on <= today)
    if (!claim || !price || claim.removedAt !== null) continue
    if (daysBetween(dayOf(claim.lastSeen), price.starts_on) > policy.scheduleAgeDaysMax) continue
    const stated = { ...claim.stated, ...price.amounts, effective_at: price.starts_on }
    const { lastSeen } = claim
    due.set(claim.key, { ...announced(restate(claim, stated, at, policy)), lastSeen })
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
  const firstOf = source.isFirst ? source.source : null
  const { verdicts, ...outcome } = decide(claims, state, { at, policy, firstOf })
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
    drafts: [...outcome.drafts, ...scheduled.drafts],
  }
}

/** A move that was announced for its day is not doubted for its size. */
function withDated(
  claims: ReadonlyMap<string, Claim>,
  { schedules }: SourceState,
  at: string,
): ReadonlyMap<string, Claim> {
  if (schedules.size === 0) return claims
  const today = dayOf(at)
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
  const moves = Object.entries(claim.moves).map(([column, move]) => [
    column,
    move.doubt === 'large' ? { ...move, doubt: null } : move,
  ])
  return { ...claim, moves: Object.fromEntries(moves) as Claim['moves'] }
}

function claimsOf(source: string, { claims }: FeedState): Map<string, Claim> {
  return new Map(claims.flatMap((claim) => (claim.source === source ? [[claim.key, claim] as const] : [])))
}
