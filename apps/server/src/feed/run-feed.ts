import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Trx } from '../database/connect.ts'
import { utcTextOrNull } from '../database/keyset.ts'
import type { AmountColumn, RejectedRow } from '../features/prices/price-record.ts'
import { listProducts } from '../features/prices/price-store.ts'
import type { AlertOptions } from '../features/webhooks/publish-alerts.ts'
import { newId } from '../platform/ids.ts'
import { parseInstant } from '../platform/instant.ts'
import { UserError } from '../platform/user-error.ts'
import { movedColumns } from './amounts.ts'
import { confirmChanges, confirmHolds } from './confirm.ts'
import { lockRuns, readFeedState, writeFeedPlan } from './feed-store.ts'
import type { FeedState, NewHold } from './feed-state.ts'
import { planRun, type RunPlan } from './plan-run.ts'
import { linkToNew } from './relink.ts'
import { feedPolicy, type FeedPolicy } from './policy.ts'
import { readSource } from './read-source.ts'
import { publishFound, toPublished, wordDrafts, type PublishedChange } from './publish-drafts.ts'
import { recordRun, type Origin } from './run-store.ts'
import type { SourceReading } from './source-record.ts'
import type { SourceInput, SourceName } from './sources/index.ts'

export interface FeedRunOptions {
  source: SourceName
  /** What the source holds; without text, what the installation carries. */
  input: Omit<SourceInput, 'now' | 'knownProducts'>
  /** The clock of the run, RFC 3339; default: now. Never earlier than the source's last run. */
  observedAt?: string
  /** Where the text came from. */
  origin?: Origin
  /** Null: nobody is alerted. */
  alerts: AlertOptions | null
  /** Plan only; write nothing. */
  dryRun?: boolean
  /** The operator says that rows which are gone are gone: no reason to refuse the run or to wait. */
  acceptGone?: boolean
  policy?: FeedPolicy
}

export interface PriceMove {
  id: string
  /** The served fields that move; all of them for a new record. */
  fields: string[]
  before: Record<string, unknown>
  after: Record<string, unknown>
}

export interface RunReport {
  /** Null in a dry run. */
  run_id: string | null
  source: string
  /** UTC. */
  observed_at: string
  version: string
  outcome: 'applied' | 'held' | 'refused'
  /** Why it was held or refused. */
  message: string | null
  /** Rows of the source: `added`, `changed`, `unchanged` and `rejected` together. */
  rows: number
  added: PriceMove[]
  changed: PriceMove[]
  /** Served as before: what another source outranks, and what is held, included. */
  unchanged: number
  rejected: RejectedRow[]
  /** Rows that are served without what cannot be shown. */
  mended: RejectedRow[]
  gone: string[]
  /** Moves that wait for a review from this run on. */
  held: (NewHold & { fields: AmountColumn[] })[]
  changes: PublishedChange[]
  /** Alerts queued. */
  deliveries: number
}

/**
 * Takes a source in: what it says now becomes what is served, what moved is published and alerted, what cannot be
 * believed is held. One transaction: a run that is interrupted has not been.
 * @throws UserError when the file is not the source's; the refusal is written down
 */
export async function runFeed(db: Db, options: FeedRunOptions): Promise<RunReport> {
  const observedAt = await clockOf(db, options.observedAt)
  let reading: SourceReading
  try {
    reading = await readSource(options.source, {
      ...options.input,
      now: new Date(observedAt),
      knownProducts: await listProducts(db),
    })
  } catch (error) {
    if (error instanceof UserError && !options.dryRun)
      await recordRefusal(db, options.source, error.message, observedAt)
    throw error
  }
  reading.version ??= digestOf(options.input)
  return takeIn(db, reading, options, observedAt)
}

/** What names a state of a source that does not name it itself. */
function digestOf({ text, bytes }: FeedRunOptions['input']): string {
  return createHash('sha256')
    .update(bytes ?? text ?? '')
    .digest('hex')
    .slice(0, 12)
}

/**
 * A run of a source that has nothing new to say. Time has passed: removals and dated prices may be due.
 */
export async function repeatRun(
  db: Db,
  options: Pick<FeedRunOptions, 'source' | 'observedAt' | 'alerts' | 'origin' | 'policy'>,
): Promise<RunReport> {
  const observedAt = await clockOf(db, options.observedAt)
  const state = await readFeedState(db, options.source, [])
  const last = await db
    .selectFrom('feed_sources')
    .innerJoin('feed_runs', 'feed_runs.id', 'feed_sources.last_run')
    .select(['version', 'rejections'])
    .where('feed_sources.source', '=', options.source)
    .executeTakeFirst()
  const reading: SourceReading = {
    records: [...state.records.values()].flatMap(({ goneSince, stated }) =>
      goneSince === null ? [stated] : [],
    ),
    rejected: (last?.rejections ?? []) as unknown as RejectedRow[],
    mended: [],
    version: last?.version ?? null,
  }
  return takeIn(db, reading, { ...options, input: {} }, observedAt)
}

async function takeIn(
  db: Db,
  reading: SourceReading,
  options: FeedRunOptions,
  observedAt: string,
): Promise<RunReport> {
  const ids = reading.records.map((record) => record.resource_id)
  const policy = options.policy ?? feedPolicy
  const plan = (state: FeedState) => {
    refuseEarlier(state, observedAt)
    return planRun(reading, state, { observedAt, policy, acceptGone: options.acceptGone ?? false })
  }
  if (options.dryRun) {
    const state = await readFeedState(db, options.source, ids)
    const planned = plan(state)
    const inputs = await wordDrafts(db, planned.drafts, { observedAt, policy })
    const changes = inputs.map((input) => toPublished(input, null))
    return reportOf({ reading, state, planned, options, observedAt, runId: null, changes, deliveries: 0 })
  }
  return db.transaction().execute(async (trx) => {
    await lockRuns(trx)
    const knownProducts = await listProducts(trx)
    const state = await readFeedState(trx, options.source, ids)
    const planned = plan(state)
    const runId = newId('run')
    const report = (changes: PublishedChange[], deliveries: number) =>
      reportOf({ reading, state, planned, options, observedAt, runId, changes, deliveries })
    await recordRun(trx, report([], 0), options.origin ?? null)
    if (planned.outcome !== 'applied') return report([], 0)

    await writeFeedPlan(trx, planned, { source: options.source, runId, observedAt })
    await linkToNew(trx, knownProducts, runId)
    const confirmed = await confirmHolds(trx, reading, { source: options.source, runId, observedAt, policy })
    await confirmChanges(trx, reading, { source: options.source, observedAt, policy })
    const inputs = await wordDrafts(trx, [...planned.drafts, ...confirmed], { observedAt, policy })
    const { changes, deliveries } = await publishFound(trx, inputs, runId, options.alerts)
    if (changes.length > 0) {
      await trx.updateTable('feed_runs').set({ published: changes.length }).where('id', '=', runId).execute()
    }
    return report(changes, deliveries)
  })
}

/** The instant in UTC, as all are stored. */
export async function clockOf(db: Db, observedAt: string | undefined): Promise<string> {
  if (observedAt !== undefined) {
    const instant = parseInstant(observedAt)
    if (instant === null)
      throw new UserError(`"${observedAt}" is no time: write it as 2026-01-31T12:00:00Z.`, { exitCode: 2 })
    return instant
  }
  const { rows } = await sql<{ now: string }>`
    select to_char(ratecard_now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as now`.execute(db)
  return rows[0]!.now
}

function refuseEarlier({ source, lastObservedAt }: FeedState, observedAt: string): void {
  if (lastObservedAt !== null && observedAt < lastObservedAt) {
    throw new UserError(
      `${source} was last observed at ${lastObservedAt}; a run of ${observedAt} would go back in time.`,
      { exitCode: 2 },
    )
  }
}

/** Writes down that a source could not be read. */
export async function recordRefusal(db: Db, source: SourceName, message: string, at?: string): Promise<void> {
  const observedAt = await clockOf(db, at)
  await db.transaction().execute(async (trx: Trx) => {
    await lockRuns(trx)
    const last = await trx
      .selectFrom('feed_sources')
      .select(utcTextOrNull('last_observed_at').as('observed_at'))
      .where('source', '=', source)
      .executeTakeFirst()
    if (last?.observed_at != null && observedAt < last.observed_at) return
    const nothing = { added: [], changed: [], rejected: [], mended: [], gone: [], held: [], changes: [] }
    const report = { ...nothing, source, message, observed_at: observedAt, outcome: 'refused' as const }
    await recordRun(
      trx,
      { ...report, run_id: newId('run'), version: 'unknown', rows: 0, unchanged: 0, deliveries: 0 },
      null,
    )
  })
}

function reportOf({
  reading,
  state,
  planned,
  options,
  observedAt,
  runId,
  changes,
  deliveries,
}: {
  reading: SourceReading
  state: FeedState
  planned: RunPlan
  options: FeedRunOptions
  observedAt: string
  runId: string | null
  changes: PublishedChange[]
  deliveries: number
}): RunReport {
  const read = new Set(reading.records.map((record) => record.resource_id))
  const moves = planned.served.flatMap(({ record }) => {
    const before = state.served.get(record.resource_id) as Record<string, unknown> | undefined
    const after: Record<string, unknown> = { ...record }
    const fields = Object.keys(after).filter((field) => before?.[field] !== after[field])
    return fields.length === 0
      ? []
      : [{ id: record.resource_id, fields, before: before ?? {}, after, isNew: !before }]
  })
  const of = (isNew: boolean): PriceMove[] =>
    moves.flatMap(({ isNew: is, ...move }) => (is === isNew ? [move] : []))
  const [added, changed] = [of(true), of(false)]
  const movedRows = moves.filter(({ id }) => read.has(id)).length
  return {
    run_id: runId,
    source: options.source,
    observed_at: observedAt,
    version: reading.version ?? 'unknown',
    outcome: planned.outcome,
    message: planned.message,
    rows: reading.records.length + reading.rejected.length,
    added,
    changed,
    unchanged: reading.records.length - movedRows,
    rejected: reading.rejected,
    mended: reading.mended,
    gone: planned.gone,
    held: planned.newHolds.map((hold) => ({ ...hold, fields: movedColumns(hold.before, hold.after) })),
    changes,
    deliveries,
  }
}
