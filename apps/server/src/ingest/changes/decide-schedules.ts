import { agree, movedColumns, pricedMoves } from '../amounts.ts'
import type { ChangeDraft, MovedRow } from './change-draft.ts'
import { toDay, daysBetween } from '../days.ts'
import { direction, toRowState } from './draft-changes.ts'
import type { Decision, KnownSchedule, SourceState } from './feed-state.ts'
import type { Claim } from '../claims/claim.ts'
import type { Verdict } from '../judge/judge-resource.ts'
import type { FeedPolicy } from '../policy.ts'
import { areIndependent } from '../match/precedence.ts'
import type { ScheduledPrice } from '../source-record.ts'

export interface ScheduleOptions {
  at: string
  policy: FeedPolicy
  /** All claims by key: another source may announce the same. */
  claims: ReadonlyMap<string, readonly Claim[]>
  verdicts: ReadonlyMap<string, Verdict>
}

/**
 * Prices that begin on a later day: announced when they are learned, again as the day comes near, and withdrawn when the
 * source does so. Only a source whose price is served is listened to.
 * @param claims the present claims of the source
 */
export function decideSchedules(
  claims: Iterable<Claim>,
  state: SourceState,
  options: ScheduleOptions,
): Pick<Decision, 'schedules' | 'endedSchedules' | 'drafts'> {
  const today = toDay(options.at)
  const schedules: KnownSchedule[] = []
  const endedSchedules: Decision['endedSchedules'] = []
  const drafts = new Map<string, ChangeDraft & { rows: MovedRow[] }>()

  for (const claim of claims) {
    const id = claim.stated.resource_id
    const known = state.schedules.get(id) ?? []
    const ahead = claim.stated.scheduled.filter(({ starts_on }) => starts_on > today)
    if (known.length === 0 && ahead.length === 0) continue
    const verdict = options.verdicts.get(claim.key)
    // The first run of a source drafts nothing: only its reminders do.
    const draft = (status: 'announced' | 'withdrawn', price: ScheduledPrice) => {
      if (!state.isFirst && verdict) addDraft(drafts, buildDraft(status, price, claim, verdict, options))
    }
    for (const price of ahead) {
      const before = known.find(({ starts_on }) => starts_on === price.starts_on)
      const isLearned = !before || movedColumns(before.amounts, price.amounts).length > 0
      const stage = findStage(today, price.starts_on, options.policy)
      if (!isLearned && (stage === null || stage >= (before.remindedDays ?? Infinity))) continue
      schedules.push({ ...price, resource_id: id, remindedDays: stage })
      draft('announced', price)
    }
    for (const before of known) {
      if (ahead.some(({ starts_on }) => starts_on === before.starts_on)) continue
      // On its day it has begun if the source states it; an announcement that has not come true was withdrawn.
      const hasBegun = before.starts_on <= today && hasHappened(before, claim, options)
      if (before.starts_on <= today && !hasBegun && !wasReadSince(claim, before.starts_on)) continue
      endedSchedules.push({ resource_id: id, starts_on: before.starts_on })
      if (!hasBegun) draft('withdrawn', before)
    }
  }
  return { schedules, endedSchedules, drafts: [...drafts.values()] }
}

function hasHappened({ amounts }: ScheduledPrice, { stated }: Claim, { policy }: ScheduleOptions): boolean {
  return agree(stated, amounts, pricedMoves(stated, amounts), policy)
}

function wasReadSince({ lastSeen }: Claim, day: string): boolean {
  return lastSeen.slice(0, 10) >= day
}

/** The reminder that is due, in days ahead: the nearest of those that have come. */
function findStage(today: string, startsOn: string, { reminderDays }: FeedPolicy): number | null {
  const daysLeft = daysBetween(today, startsOn)
  const reached = reminderDays.filter((days) => daysLeft <= days)
  return reached.length === 0 ? null : Math.min(...reached)
}

function buildDraft(
  status: 'announced' | 'withdrawn',
  { starts_on, amounts }: ScheduledPrice,
  claim: Claim,
  { record, rates, retiresOn }: Verdict,
  { at, policy, claims }: ScheduleOptions,
): (ChangeDraft & { rows: MovedRow[] }) | null {
  const columns = pricedMoves(record, amounts)
  // A source that is outvoted today is not believed about tomorrow.
  if (columns.length === 0 || !agree(claim.stated, record, columns, policy)) return null
  const witnesses = (claims.get(claim.key) ?? []).filter(
    ({ source, removedAt }) => removedAt === null && areIndependent(source, claim.source, record.platform),
  )
  return {
    category: direction(record, amounts, columns),
    product: record.product_id ?? record.resource_id,
    rows: [
      {
        resource_id: record.resource_id,
        before: toRowState(record, rates, retiresOn),
        after: toRowState({ ...record, ...amounts, effective_at: starts_on }, rates, retiresOn),
      },
    ],
    firstSeen: at,
    lastSeen: at,
    // Another list that has it still does not confirm that it was taken back.
    verified:
      status === 'announced' &&
      witnesses.some(({ stated }) =>
        stated.scheduled.some(
          (other) => other.starts_on === starts_on && agree(other.amounts, amounts, columns, policy),
        ),
      ),
    status,
    effectiveOn: starts_on,
    evidence: [
      {
        resource_id: record.resource_id,
        field: null,
        source: claim.source,
        source_key: claim.stated.source_key,
        amount: null,
        amount_before: null,
        since: at,
        last_seen: claim.lastSeen,
        source_url: claim.stated.source_url,
      },
    ],
  }
}

function addDraft(
  drafts: Map<string, ChangeDraft & { rows: MovedRow[] }>,
  draft: (ChangeDraft & { rows: MovedRow[] }) | null,
): void {
  if (!draft) return
  const key = JSON.stringify([draft.product, draft.category, draft.status, draft.effectiveOn])
  const same = drafts.get(key)
  if (!same) drafts.set(key, draft)
  else {
    same.rows.push(...draft.rows)
    same.evidence = [...same.evidence, ...draft.evidence]
    same.verified &&= draft.verified
  }
}
