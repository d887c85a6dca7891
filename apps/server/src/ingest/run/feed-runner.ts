import { computeJobTimeout } from '../../alert-queue.ts'
import type { Db } from '../../database/connect.ts'
import type { DueFigures, RunFigures } from './figures.ts'
import { recordRefusal } from './run-feed.ts'
import type { ScheduledFeed } from './schedule.ts'
import type { HoldDecision, ReviewDesk } from '../../http/dashboard/review-desk.ts'
import type { FeedRunner } from '../../jobs/feed.ts'
import type { Config } from '../../platform/config.ts'
import { inThread, ThreadEnded, type ThreadLimits } from '../../threads/in-thread.ts'

// Runs of sources and decisions of operators, apart from the requests that are served. Parsing a file, comparing it with what is stored and
// writing what moved takes seconds for thousands of rows, and a hostile file may take any time: none of it may hold the
// event loop that answers customers. So a thread does all of it, with connections of its own, and reports its figures.

/** What a thread is started with. */
export interface ThreadTask {
  connectionString: string
  jobTimeoutSeconds: number
  publicUrl: string
  severityMin: number
  logLevel: string
  /** Said to the hosts that are asked. */
  contact: string | undefined
  /** Of sources that answer with a key alone. */
  keys: Readonly<Record<string, string>> | undefined
  work:
    | ({ kind: 'source' } & Pick<ScheduledFeed, 'source' | 'url'>)
    /** Dated prices whose day has come. */
    | { kind: 'due' }
    | ({ kind: 'review' } & HoldDecision)
}

export interface RunnerOptions {
  /** For recording a run whose thread has ended. */
  db: Db
  config: Config
  connectionString: string
  publicUrl: string
  limits?: Partial<ThreadLimits>
}

// The largest real file, of 5,276 models, takes less than 150 MB and some seconds.
const standardLimits: ThreadLimits = { memoryMb: 512, timeoutMs: 15 * 60_000 }

const file = new URL('./feed-thread.ts', import.meta.url)

export function createFeedRunner({ db, limits, ...options }: RunnerOptions): FeedRunner {
  const bounds = { ...standardLimits, ...limits }
  const task = buildTask(options)
  return {
    async run({ source, url }, signal) {
      try {
        return await inThread<RunFigures>(
          file,
          { ...task, work: { kind: 'source', source, url } },
          bounds,
          signal,
        )
      } catch (error) {
        // The thread was cut off in the middle, and could not record its outcome itself.
        if (error instanceof ThreadEnded) await recordRefusal(db, source, error.message)
        throw error
      }
    },
    runDue: (signal) => inThread<DueFigures>(file, { ...task, work: { kind: 'due' } }, bounds, signal),
  }
}

// An operator's request is blocked on this. Judging 10,000 claims takes 2 s.
const reviewLimits: ThreadLimits = { memoryMb: 512, timeoutMs: 60_000 }

/** Decides holds as an operator, in a thread. */
export function createReviewRunner(options: Omit<RunnerOptions, 'db' | 'limits'>): ReviewDesk['decide'] {
  const task = buildTask(options)
  return (decision) =>
    inThread(
      file,
      { ...task, work: { kind: 'review', ...decision } },
      reviewLimits,
      new AbortController().signal,
    )
}

function buildTask({
  config,
  connectionString,
  publicUrl,
}: Omit<RunnerOptions, 'db' | 'limits'>): Omit<ThreadTask, 'work'> {
  return {
    connectionString,
    publicUrl,
    jobTimeoutSeconds: computeJobTimeout(config),
    severityMin: config.ALERT_MIN_SEVERITY,
    logLevel: config.LOG_LEVEL,
    contact: config.PUBLIC_URL,
    keys: config.FEED_KEYS,
  }
}
