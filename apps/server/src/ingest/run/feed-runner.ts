import type { Db } from '../../database/connect.ts'
import type { Config } from '../../platform/config.ts'
import { inThread, ThreadEnded, type ThreadLimits } from '../../threads/thread.ts'
import { toPublishingTask, type PublishingTask } from '../publish/publishing-task.ts'
import type { DueFigures, RunFigures } from './figures.ts'
import { recordRefusal } from './run-feed.ts'
import type { ScheduledFeed } from './schedule.ts'

// Runs of sources, apart from the requests that are served. Parsing a file, comparing it with what is stored and writing
// what moved takes seconds for thousands of rows, and a hostile file may take any time: none of it may hold the event loop
// that answers customers. So a thread does all of it, with connections of its own, and reports its figures.

/** What a thread is told. */
export interface FeedTask {
  publishing: PublishingTask
  /** Said to the hosts that are asked. */
  contact: string | undefined
  /** Of sources that answer with a key alone. */
  keys: Readonly<Record<string, string>> | undefined
  /** Null: dated prices whose day has come. */
  feed: Pick<ScheduledFeed, 'source' | 'url'> | null
}

export interface FeedRunnerOptions {
  /** For recording a run whose thread has ended. */
  db: Db
  config: Config
  connectionString: string
  publicUrl: string
  limits?: Partial<ThreadLimits>
}

export type FeedRunner = ReturnType<typeof createFeedRunner>

// The largest real file, of 5,276 models, takes less than 150 MB and some seconds.
const standardLimits: ThreadLimits = { memoryMb: 512, timeoutMs: 15 * 60_000 }

const file = new URL('./feed-thread.ts', import.meta.url)

export function createFeedRunner({ db, limits, ...options }: FeedRunnerOptions) {
  const { PUBLIC_URL: contact, FEED_KEYS: keys } = options.config
  const runThread = <Figures>(feed: FeedTask['feed'], signal: AbortSignal) => {
    const task: FeedTask = { publishing: toPublishingTask(options), contact, keys, feed }
    return inThread<Figures>(file, task, { ...standardLimits, ...limits }, signal)
  }
  return {
    /** Gives up reading when the signal aborts. What is being written is written to its end. */
    async run({ source, url }: Pick<ScheduledFeed, 'source' | 'url'>, signal: AbortSignal) {
      try {
        return await runThread<RunFigures>({ source, url }, signal)
      } catch (error) {
        // The thread was cut off in the middle, and could not record its outcome itself.
        if (error instanceof ThreadEnded) await recordRefusal(db, source, error.message)
        throw error
      }
    },
    runDue: (signal: AbortSignal) => runThread<DueFigures>(null, signal),
  }
}
