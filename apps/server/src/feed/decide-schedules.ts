import { agree, amountsOf, movedColumns, pricedMoves } from './amounts.ts'
import type { ChangeDraft, MovedRow } from './change-draft.ts'
import { dayOf, daysBetween } from './days.ts'
import type { Decision, FeedRecord, FeedState, KnownSchedule } from './feed-state.ts'
import type { FeedPolicy } from './policy.ts'
import { areIndependent } from './precedence.ts'
import type { ScheduledPrice, SourceRecord } from './source-record.ts'
import { direction, servedOwner, stateOf } from './draft-changes.ts'

/**
 * Prices that begin on a later day: announced when they are learned, again as the day comes near, and withdrawn when the
 * source does so. Only the source whose price is served is listened to.
 * @param changed the source's records that the run changes
 */
export function decideSchedules(
  records: readonly SourceRecord[],
  changed: readonly FeedRecord[],
  state: FeedState,
  { observedAt, policy }: { observedAt: string; policy: FeedPolicy },
): Pick<Decision, 'schedules' | 'endedSchedules' | 'drafts'> {
  const today = dayOf(observedAt)
  const accepted = new Map(changed.map((record) => [record.resource_id, record]))
  const schedules: KnownSchedule[] = []
  const endedSchedules: Decision['endedSchedules'] = []
  const drafts = new Map<string, ChangeDraft & { rows: MovedRow[] }>()

  for (const record of records) {
    const id = record.resource_id
    const now = accepted.get(id) ?? state.records.get(id)
    if (!now) continue
    const ahead = record.scheduled.filter(({ starts_on }) => starts_on > today)
    const known = state.schedules.get(id) ?? []
    // The first run of a source drafts nothing: only its reminders do.
    const draft = (status: 'announced' | 'withdrawn', price: ScheduledPrice) => {
      if (!state.isFirst && servedOwner(now, state) === now)
        addDraft(drafts, draftOf(status, price, now, state, observedAt, policy))
    }

    for (const price of ahead) {
      const before = known.find(({ starts_on }) => starts_on === price.starts_on)
      const isLearned = !before || movedColumns(before.amounts, price.amounts).length > 0
      const stage = stageOf(today, price.starts_on, policy)
      if (!isLearned && (stage === null || stage >= (before.remindedDays ?? Infinity))) continue
      schedules.push({ ...price, resource_id: id, remindedDays: stage })
      draft('announced', price)
    }
    for (const before of known) {
      if (ahead.some(({ starts_on }) => starts_on === before.starts_on)) continue
      endedSchedules.push({ resource_id: id, starts_on: before.starts_on })
      if (before.starts_on > today) draft('withdrawn', before)
    }
  }
  return { schedules, endedSchedules, drafts: [...drafts.values()] }
}

/** The reminder that is due, in days ahead: the nearest of those that have come. */
function stageOf(today: string, startsOn: string, { reminderDays }: FeedPolicy): number | null {
  const daysLeft = daysBetween(today, startsOn)
  const reached = reminderDays.filter((days) => daysLeft <= days)
  return reached.length === 0 ? null : Math.min(...reached)
}

function draftOf(
  status: 'announced' | 'withdrawn',
  { starts_on, amounts }: ScheduledPrice,
  now: FeedRecord,
  state: FeedState,
  observedAt: string,
  policy: FeedPolicy,
): (ChangeDraft & { rows: MovedRow[] }) | null {
  const columns = pricedMoves(amountsOf(now.accepted), amounts)
  if (columns.length === 0) return null
  const witnesses = (state.others.get(now.resource_id) ?? []).filter(({ source }) =>
    areIndependent(source, state.source, now.accepted.platform),
  )
  return {
    category: direction(now.accepted, amounts, columns),
    product: now.accepted.product_id ?? now.resource_id,
    rows: [
      {
        resource_id: now.resource_id,
        before: stateOf(now.accepted),
        after: stateOf({ ...now.accepted, ...amounts, effective_at: starts_on }),
      },
    ],
    firstSeen: observedAt,
    lastSeen: observedAt,
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
    same.verified &&= draft.verified
  }
}
