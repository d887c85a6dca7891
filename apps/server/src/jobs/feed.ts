import { isDatabaseUnavailable, logFailure, type Db } from '../database/connect.ts'
import type { FeedRunner } from '../ingest/run/feed-runner.ts'
import type { RunFigures } from '../ingest/run/figures.ts'
import { countFailures, readLoads } from '../ingest/publish/run-store.ts'
import { nextDueAt, type ScheduledFeed } from '../ingest/run/schedule.ts'
import type { Clock } from '../platform/clock.ts'
import type { Logger } from '../platform/logger.ts'
import { traced } from '../platform/tracing.ts'
import { UserError } from '../platform/user-error.ts'
import type { FetchedJob, Queue } from '../queue/queue.ts'
import { startPolling, type Polling } from './poll.ts'
import { dayMs } from '../platform/day.ts'

export interface FeedJobOptions {
  db: Db
  queue: Queue
  feeds: readonly ScheduledFeed[]
  /** Whether prices that begin on a later day are applied here. Default: they are. */
  appliesDatedPrices?: boolean
  /** Does the work that takes long. */
  runner: FeedRunner
  clock: Clock
  logger: Logger
  /** Called when a run of a source has ended. */
  onRun?: (source: string, outcome: RunFigures['outcome'] | 'failed') => void
}

/** The task beside the sources: prices that a source has dated ahead. */
const datedPrices = 'dated prices'
const pollMs = 1_000
const heartbeatMs = 10_000
/** The first run of all waits until the process has started up. */
const firstRunDelayMs = 1_000

/**
 * Runs each source at its interval, until stopped: one run of a source at a time over all processes, taken up by another
 * when its process is killed. A run that fails is logged, and the next one comes at its time.
 */
export async function startFeed(options: FeedJobOptions): Promise<Polling> {
  const { queue, logger } = options
  await arrangeRuns(options)
  const runNext = async (signal: AbortSignal) => {
    const [job] = await queue.fetch('feed', { jobsMax: 1, perGroupMax: 1, ignoreGroups: [] })
    if (job) await work(options, job, signal)
    return job !== undefined
  }
  return startPolling(runNext, { pollMs, onError: (error) => logFailure(logger, error, 'the feed waits') })
}

/** Queues the next run of each source, by when it was last run and by the interval that is asked for now. */
async function arrangeRuns({
  db,
  queue,
  feeds,
  appliesDatedPrices = true,
  clock,
}: FeedJobOptions): Promise<void> {
  const loads = await readLoads(db)
  const soonMs = clock.now().getTime() + firstRunDelayMs
  const arrange = (task: string, dueMs: number) =>
    queue.arrange('feed', {
      ...{ key: task, group: chooseGroup(feeds, task) },
      ...{ data: { task }, dueAt: new Date(dueMs) },
    })
  for (const { source, everyMs } of feeds) {
    const last = loads.get(source)?.lastObservedAt
    const dueMs = last == null ? soonMs : Math.max(soonMs, Date.parse(last) + everyMs)
    await arrange(source, dueMs)
  }
  if (appliesDatedPrices) await arrange(datedPrices, soonMs)
}

/** Runs of one group come one after the other over all processes: a host is asked one thing at a time. */
function chooseGroup(feeds: readonly ScheduledFeed[], task: string): string {
  const url = feeds.find(({ source }) => source === task)?.url ?? null
  return url === null ? task : new URL(url).host || task
}

/** Does one task and queues the next of its kind; while the database is away, or when we stop, the task is given back. */
async function work(options: FeedJobOptions, job: FetchedJob<'feed'>, signal: AbortSignal): Promise<void> {
  const { db, queue, clock, logger } = options
  const beat = setInterval(() => {
    queue.heartbeat('feed', job).catch((error: unknown) => logFailure(logger, error, 'a run is not heard of'))
  }, heartbeatMs)
  try {
    const nextAt = await doTask(options, job.data.task, signal)
    await db.transaction().execute(async (trx) => {
      const ended = await queue.complete(trx, 'feed', [job])
      if (!ended.has(job.id) || nextAt === null) return
      const { task } = job.data
      const delayMs = Math.max(1, nextAt.getTime() - clock.now().getTime())
      await queue.enqueue(trx, 'feed', [
        { data: { task }, key: task, group: chooseGroup(options.feeds, task), delayMs },
      ])
    })
  } catch (error) {
    // Where the queue is away as well, the job is taken up when its worker's heartbeat has been missing for long
    // enough.
    await queue.release('feed', [job]).catch(() => undefined)
    if (!signal.aborted) throw error
  } finally {
    clearInterval(beat)
  }
}

/** @returns when to do it again; null: never */
async function doTask(options: FeedJobOptions, task: string, signal: AbortSignal): Promise<Date | null> {
  const { feeds, clock } = options
  if (task === datedPrices) {
    // It was queued before this was a cell.
    if (options.appliesDatedPrices === false) return null
    await applyDatedPrices(options, signal)
    return nextDueAt(clock.now())
  }
  const feed = feeds.find(({ source }) => source === task)
  // It is not in FEED_SOURCES any more.
  if (!feed) return null
  await runOnce(options, feed, signal)
  const waitMs = backOffMs(feed.everyMs, await countFailures(options.db, task))
  return new Date(clock.now().getTime() + waitMs)
}

/** A source that fails again and again is asked half as often each time, and once a day at least. */
function backOffMs(everyMs: number, failures: number): number {
  return Math.min(everyMs * 2 ** Math.max(0, failures - 1), Math.max(everyMs, dayMs))
}

async function runOnce(
  { runner, logger, onRun }: FeedJobOptions,
  { source, url }: ScheduledFeed,
  signal: AbortSignal,
): Promise<void> {
  try {
    const figures = await traced(
      { name: 'feed run', kind: 'internal', parent: 'none', attributes: { 'ratecard.source': source } },
      async (span) => {
        const done = await runner.run({ source, url }, signal)
        span?.set({ 'ratecard.outcome': done.outcome })
        return done
      },
    )
    const level = figures.outcome === 'refused' ? 'warn' : 'info'
    logger[level](figures, 'feed run')
    if (figures.unknown_fields.length > 0)
      logger.warn(
        { source, unknown_fields: figures.unknown_fields },
        'feed fields with prices that are not read',
      )
    onRun?.(source, figures.outcome)
  } catch (error) {
    if (signal.aborted || isDatabaseUnavailable(error)) throw error
    if (error instanceof UserError) logger.warn({ source, reason: error.message }, 'feed run failed')
    else logger.error({ source, err: error }, 'feed run failed')
    onRun?.(source, 'failed')
  }
}

async function applyDatedPrices({ runner, logger }: FeedJobOptions, signal: AbortSignal): Promise<void> {
  try {
    const figures = await runner.runDue(signal)
    if (figures.applied > 0 || figures.changes > 0) logger.info(figures, 'dated prices')
  } catch (error) {
    if (signal.aborted || isDatabaseUnavailable(error)) throw error
    logger.error({ err: error }, 'dated prices could not be applied')
  }
}
