import { createHash } from 'node:crypto'
import type { Db } from '../../database/connect.ts'
import { utcTextOrNull } from '../../database/keyset.ts'
import type { RejectedRow } from '../../catalog/price-record.ts'
import type { AlertOptions } from '../../features/webhooks/publish-alerts.ts'
import { newId } from '../../platform/ids.ts'
import { UserError } from '../../platform/user-error.ts'
import { confirmChanges } from '../publish/confirm.ts'
import { lockRuns, readClaims, readFeedState, readSourceState, writeDecision } from '../publish/feed-store.ts'
import { emptyDecision, type SourceState } from '../changes/feed-state.ts'
import { decideRun } from '../changes/decide-run.ts'
import { isKept, storeSourceFile } from './source-files.ts'
import { draftDecision } from '../changes/draft-decision.ts'
import { feedPolicy, type FeedPolicy } from '../policy.ts'
import { storeQuotes } from '../publish/quote-store.ts'
import { readSource } from './read-source.ts'
import { readClock } from './run-clock.ts'
import { publishDrafts, toPublished, wordDrafts, type PublishedDrafts } from '../publish/publish-drafts.ts'
import { buildReport, type RunReport } from '../publish/run-report.ts'
import { readLoads, recordRun, type Origin, type RunOutcome } from '../publish/run-store.ts'
import type { SourceReading, UnknownField } from '../source-record.ts'
import type { SourceInput, SourceName } from '../sources/index.ts'

export interface FeedRunOptions {
  source: SourceName
  /** What the source holds; without text, what the installation carries. */
  input: Omit<SourceInput, 'now'>
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
  /** The operator has looked at the file: no guard refuses it. */
  acceptAll?: boolean
  policy?: FeedPolicy
}

/**
 * Takes a source in: what it says now becomes what is served, what moved is published and alerted, what cannot be
 * believed is held. One transaction: a run that is interrupted has not been.
 * @throws UserError when the file is not the source's; the refusal is written down
 */
export async function runFeed(db: Db, options: FeedRunOptions): Promise<RunReport> {
  const observedAt = await readClock(db, options.observedAt)
  let reading: SourceReading
  try {
    const now = new Date(observedAt)
    reading = await readSource(options.source, { ...options.input, now })
  } catch (error) {
    if (error instanceof UserError && !options.dryRun)
      await recordRefusal(db, options.source, error.message, { at: observedAt })
    throw error
  }
  const { text, bytes } = options.input
  const sha256 = createHash('sha256')
    .update(bytes ?? text ?? '')
    .digest('hex')
  // What names a state of a source that does not name it itself.
  reading.version ??= sha256.slice(0, 12)
  return takeIn(db, reading, { ...options, sha256 }, observedAt)
}

/**
 * A run of a source that has nothing new to say. Time has passed: removals and dated prices may be due. What is loaded
 * is of the last run that was applied; one that was refused since has brought nothing.
 */
export async function repeatRun(
  db: Db,
  options: Pick<FeedRunOptions, 'source' | 'observedAt' | 'alerts' | 'origin' | 'policy'>,
): Promise<RunReport> {
  const observedAt = await readClock(db, options.observedAt)
  const claims = await readClaims(db, { source: options.source })
  const loaded = (await readLoads(db)).get(options.source)
  const last = await db
    .selectFrom('feed_sources')
    .select(['rejections', 'unknown_fields', 'url', 'etag', 'last_modified'])
    .where('source', '=', options.source)
    .executeTakeFirst()
  // What is loaded keeps its address when the run asked nobody.
  const known =
    last?.url == null ? null : { url: last.url, etag: last.etag, lastModified: last.last_modified }
  const origin = options.origin ?? known ?? undefined
  const reading: SourceReading = {
    records: claims.flatMap(({ goneSince, stated }) => (goneSince === null ? [stated] : [])),
    rejected: (last?.rejections ?? []) as unknown as RejectedRow[],
    mended: [],
    version: loaded?.version ?? null,
    data_at: loaded?.dataAt ?? null,
    unknown_fields: (last?.unknown_fields ?? []) as unknown as UnknownField[],
  }
  return takeIn(db, reading, { ...options, ...(origin && { origin }), input: {} }, observedAt)
}

async function takeIn(
  db: Db,
  reading: SourceReading,
  options: FeedRunOptions & { sha256?: string },
  observedAt: string,
): Promise<RunReport> {
  const { source, acceptGone = false, acceptAll = false, policy = feedPolicy } = options
  const decide = async (db: Db) => {
    const sourceState = await readSourceState(db, source)
    refuseEarlier(sourceState, observedAt)
    const state = await readFeedState(db)
    const run = { observedAt, policy, acceptGone, acceptAll }
    const decided = decideRun(reading, sourceState, state, run)
    const firstOf = sourceState.isFirst ? source : null
    const drafts = await draftDecision(db, decided, { at: observedAt, policy, firstOf })
    return { source, observedAt, reading, served: state.served, decided: { ...decided, drafts } }
  }
  if (options.dryRun) {
    const run = await decide(db)
    const inputs = await wordDrafts(db, run.decided.drafts, { observedAt, policy })
    const changes = inputs.map(({ input }) => toPublished(input, null))
    return buildReport({ ...run, runId: null, changes, deliveries: 0 })
  }
  return db.transaction().execute(async (trx) => {
    await lockRuns(trx)
    const run = await decide(trx)
    const runId = newId('run')
    let publication: PublishedDrafts = { changes: [], deliveries: 0 }
    if (run.decided.outcome === 'applied') {
      await writeDecision(trx, run.decided, { source, runId, observedAt })
      const { sha256, origin } = options
      if (reading.quotes && sha256 !== undefined)
        await storeQuotes(trx, source, reading.quotes, {
          ...{ url: origin?.url ?? null, sha256, read_at: observedAt },
        })
      const { text } = options.input
      if (text !== undefined && isKept(source)) await storeSourceFile(trx, source, text, observedAt)
      await confirmChanges(trx, { observedAt, policy })
      const { version } = reading
      const publishing = { runId, observedAt, policy, alerts: options.alerts, reading: { source, version } }
      publication = await publishDrafts(trx, run.decided.drafts, publishing)
    }
    const report = buildReport({ ...run, runId, ...publication })
    await recordRun(trx, runId, report, options.origin ?? null)
    return report
  })
}

function refuseEarlier({ source, lastObservedAt }: SourceState, observedAt: string): void {
  if (lastObservedAt !== null && observedAt < lastObservedAt) {
    throw new UserError(
      `${source} was last observed at ${lastObservedAt}; a run of ${observedAt} would go back in time.`,
      { exitCode: 2 },
    )
  }
}

/** Writes down that a source could not be read, or not be reached. */
export async function recordRefusal(
  db: Db,
  source: SourceName,
  message: string,
  { at, outcome = 'refused' }: { at?: string | undefined; outcome?: RunOutcome } = {},
): Promise<void> {
  const observedAt = await readClock(db, at)
  await db.transaction().execute(async (trx) => {
    await lockRuns(trx)
    const last = await trx
      .selectFrom('feed_sources')
      .select(utcTextOrNull('last_observed_at').as('observed_at'))
      .where('source', '=', source)
      .executeTakeFirst()
    if (last?.observed_at != null && observedAt < last.observed_at) return
    const runId = newId('run')
    const report = buildReport({
      runId,
      source,
      observedAt,
      reading: { records: [], rejected: [], mended: [], version: null, data_at: null, unknown_fields: [] },
      served: new Map(),
      decided: { ...emptyDecision(), outcome: 'refused', message, gone: [] },
      changes: [],
      deliveries: 0,
    })
    await recordRun(trx, runId, { ...report, outcome }, null)
  })
}
