import { emptyDecision, type Decision, type FeedRecord, type FeedState } from './feed-state.ts'
import { bulkPlatformsOf, judgeRow } from './judge-row.ts'
import { dayOf } from './days.ts'
import { decideSchedules } from './decide-schedules.ts'
import type { FeedPolicy } from './policy.ts'
import type { SourceReading, SourceRecord } from './source-record.ts'
import { draftChanges, recordKey, servedMoves, type RowTransition } from './draft-changes.ts'

export interface RunDecision extends Decision {
  /** Held: written down, and nothing else, until the next run shows the same. Refused: not believable at all. */
  outcome: 'applied' | 'held' | 'refused'
  message: string | null
  /** Resources that the source has no more, those of earlier runs included. */
  gone: string[]
}

export interface RunOptions {
  observedAt: string
  policy: FeedPolicy
  /** The operator says that the rows are gone: neither a reason to refuse nor to wait. */
  acceptGone?: boolean
}

/**
 * What a reading of a source changes, compared with what the source said before. Pure: the same reading again plans
 * nothing, but for what time brings (removals that are old enough by now).
 */
export function decideRun(reading: SourceReading, state: FeedState, options: RunOptions): RunDecision {
  const gone = goneFrom(reading, state)
  const doubt = options.acceptGone ? null : doubtOfRun(reading, state, gone, options)
  if (doubt) return { ...emptyDecision(), ...doubt, gone }

  return { ...decideRecords(reading.records, gone, state, options), outcome: 'applied', message: null, gone }
}

/** Dated prices whose day has come, and reminders of those that are near, without a reading. */
export function decideDue(state: FeedState, options: RunOptions): Decision {
  const today = dayOf(options.observedAt)
  const records = [...state.schedules].flatMap(([id, schedules]) => {
    const known = state.records.get(id)
    if (!known || known.removedAt !== null) return []
    const due = schedules.findLast(({ starts_on }) => starts_on <= today)
    return [due ? { ...known.stated, ...due.amounts, effective_at: due.starts_on } : known.stated]
  })
  return decideRecords(records, [], state, options)
}

function decideRecords(
  records: readonly SourceRecord[],
  gone: readonly string[],
  state: FeedState,
  options: RunOptions,
): Decision {
  const { observedAt, policy } = options
  const decision = emptyDecision()
  const transitions: RowTransition[] = []
  const bulkPlatforms = bulkPlatformsOf(records, state.records, policy)
  for (const record of records) {
    const known = state.records.get(record.resource_id)
    const { accepted, hold, withdrawnHold, verified } = judgeRow(
      record,
      state,
      bulkPlatforms,
      observedAt,
      policy,
    )
    if (hold) decision.newHolds.push(hold)
    if (withdrawnHold !== null) decision.withdrawnHolds.push(withdrawnHold)
    const next: FeedRecord = {
      source: state.source,
      resource_id: record.resource_id,
      stated: record,
      accepted,
      firstSeen: known?.firstSeen ?? observedAt,
      goneSince: null,
      goneRuns: 0,
      removedAt: null,
    }
    if (!known || recordKey(known) !== recordKey(next)) decision.records.push(next)
    transitions.push({ before: known ?? null, after: next, verified })
  }
  for (const id of gone) {
    const known = state.records.get(id)
    if (!known) continue
    const next = oneRunLonger(known, state, options)
    if (recordKey(known) !== recordKey(next)) decision.records.push(next)
    transitions.push({ before: known, after: next, verified: false })
  }
  const scheduled = decideSchedules(records, decision.records, state, options)
  const drafts = state.isFirst ? [] : draftChanges(transitions, state, observedAt)
  return {
    ...decision,
    ...scheduled,
    served: servedMoves(transitions, state),
    drafts: [...drafts, ...scheduled.drafts],
  }
}

/** Known resources that the reading has neither as a record nor as a row that could not be read. */
function goneFrom(reading: SourceReading, state: FeedState): string[] {
  const read = new Set(reading.records.map((record) => record.resource_id))
  const unreadable = new Set(reading.rejected.map(({ id }) => id))
  return [...state.records.values()].flatMap(({ resource_id: id, stated, removedAt }) =>
    removedAt === null && !read.has(id) && !unreadable.has(stated.source_key) ? [id] : [],
  )
}

function doubtOfRun(
  reading: SourceReading,
  state: FeedState,
  gone: readonly string[],
  { observedAt, policy: { guards } }: RunOptions,
): Pick<RunDecision, 'outcome' | 'message'> | null {
  if (reading.records.length === 0) {
    return { outcome: 'refused', message: 'none of its rows can be served' }
  }
  const present = [...state.records.values()].filter(({ removedAt }) => removedAt === null).length
  if (gone.length > guards.goneShareMax * present) {
    return {
      outcome: 'refused',
      message: `${gone.length} of ${present} rows are gone, more than ${guards.goneShareMax * 100} %: is this the whole file?`,
    }
  }
  // The run that waits, begun again, does not confirm itself.
  const waiting = state.heldGone && state.heldGone.since < observedAt ? state.heldGone.ids : null
  const isKnownGone = (id: string) => state.records.get(id)?.goneSince !== null || waiting?.has(id) === true
  const unexpected = gone.filter((id) => !isKnownGone(id)).length
  if (unexpected > guards.goneRowsMax) {
    return {
      outcome: 'held',
      message: `${unexpected} rows are gone at once, more than ${guards.goneRowsMax}: the run waits until the next one shows the same`,
    }
  }
  return null
}

/** A removal is believed after long enough a time and enough runs: what went for a few hours has not gone. */
function oneRunLonger(
  known: FeedRecord,
  { heldGone, lastObservedAt }: FeedState,
  { observedAt, policy, acceptGone = false }: RunOptions,
): FeedRecord {
  // A run that is begun again is one run.
  if (known.goneSince !== null && lastObservedAt === observedAt && !acceptGone) return known
  const wasHeld = known.goneSince === null && heldGone?.ids.has(known.resource_id) === true
  const goneSince = known.goneSince ?? (wasHeld ? heldGone.since : observedAt)
  const goneRuns = known.goneRuns + (wasHeld ? 2 : 1)
  const goneMs = Date.parse(observedAt) - Date.parse(goneSince)
  const isBelieved =
    goneRuns >= policy.guards.removalRunsMin && goneMs >= policy.guards.removalHours * 3_600_000
  return { ...known, goneSince, goneRuns, removedAt: isBelieved || acceptGone ? observedAt : null }
}
