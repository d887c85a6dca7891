import { createFeedRunner, type FeedRunner } from '../../src/ingest/run/feed-runner.ts'
import type { ThreadLimits } from '../../src/threads/thread.ts'
import { readConfig } from '../../src/platform/config.ts'
import type { TestDatabase } from './postgres.ts'

/** Runs sources as a worker does, each in a thread. */
export function testRunner({ db, url }: TestDatabase, limits: Partial<ThreadLimits> = {}): FeedRunner {
  return createFeedRunner({
    db,
    config: readConfig({}),
    connectionString: url,
    publicUrl: 'https://ratecard.example',
    limits,
  })
}
