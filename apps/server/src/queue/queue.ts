import { sql } from 'kysely'
import { fromKysely, PgBoss } from 'pg-boss'
import type { Db } from '../database/connect.ts'
import type { Logger } from '../platform/logger.ts'
import { queueOptions, type JobData, type QueueName } from './job-types.ts'

// pg-boss behind a few functions. Jobs are born and finished in the transaction of their cause: each function that
// writes takes the `db` or `trx` to write with.

/** One fetch of a job. `retryCount` tells it from a later one, after its worker was given up. */
export interface JobAttempt {
  id: string
  retryCount: number
}

export interface FetchedJob<Name extends QueueName> extends JobAttempt {
  data: JobData[Name]
}

export interface NewJob<Name extends QueueName> {
  data: JobData[Name]
  /** Jobs of one group are bounded together when they are fetched. */
  group: string
  /** Default: at once. */
  delayMs?: number
}

export interface FetchOptions {
  jobsMax: number
  /** Jobs of one group in progress at a time, over all processes. */
  perGroupMax: number
  /** Groups to pass over. */
  ignoreGroups: readonly string[]
}

export interface Queue {
  enqueue: <Name extends QueueName>(db: Db, name: Name, jobs: readonly NewJob<Name>[]) => Promise<void>
  fetch: <Name extends QueueName>(name: Name, options: FetchOptions) => Promise<FetchedJob<Name>[]>
  /** Ends jobs, unless they were taken over by somebody else since they were fetched. */
  complete: (db: Db, name: QueueName, jobs: readonly JobAttempt[]) => Promise<void>
  /** Gives jobs back that were fetched and not begun. */
  release: (name: QueueName, jobs: readonly JobAttempt[]) => Promise<void>
  /** Calls `wake` when jobs come that may start at once, and after every loss of the connection. */
  onJobs: (wake: () => void) => Promise<{ close: () => Promise<void> }>
  stop: () => Promise<void>
}

export interface QueueOptions {
  connectionString: string
  /** Longest a job may take before another worker takes it over. */
  jobTimeoutSeconds: number
  logger: Logger
  /** Looks after expired and finished jobs. Needed in workers; a command that only enqueues leaves it out. */
  supervise: boolean
}

const channel = 'ratecard_jobs'
const schema = 'pgboss'
// A worker that was killed is noticed within this and the job's time-out: together under a minute.
const superviseSeconds = 10
const keepFinishedSeconds = 3_600
const insertChunk = 1_000

export async function openQueue({
  connectionString,
  jobTimeoutSeconds,
  logger,
  supervise,
}: QueueOptions): Promise<Queue> {
  const boss = new PgBoss({
    connectionString,
    schema,
    max: 3,
    application_name: 'ratecard-queue',
    supervise,
    schedule: false,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
  })
  boss.on('error', (error) => logger.warn({ err: error }, 'queue'))
  await boss.start()
  for (const name of Object.keys(queueOptions) as QueueName[]) {
    const options = {
      ...queueOptions[name],
      expireInSeconds: jobTimeoutSeconds,
      deleteAfterSeconds: keepFinishedSeconds,
    }
    await boss.createQueue(name, options)
    await boss.updateQueue(name, options)
  }

  return {
    async enqueue(db, name, jobs) {
      for (let start = 0; start < jobs.length; start += insertChunk) {
        const rows = jobs.slice(start, start + insertChunk).map(({ data, group, delayMs = 0 }) => ({
          data: data,
          group: { id: group },
          expireInSeconds: jobTimeoutSeconds,
          ...(delayMs > 0 && { startAfter: new Date(Date.now() + delayMs) }),
        }))
        await boss.insert(name, rows, { db: fromKysely(db) })
      }
      if (jobs.some(({ delayMs = 0 }) => delayMs === 0))
        await sql`select pg_notify(${channel}, ${name})`.execute(db)
    },
    async fetch<Name extends QueueName>(name: Name, { jobsMax, perGroupMax, ignoreGroups }: FetchOptions) {
      const jobs = await boss.fetch<JobData[Name]>(name, {
        batchSize: jobsMax,
        groupConcurrency: perGroupMax,
        ignoreGroups: [...ignoreGroups],
        includeMetadata: true,
      })
      return jobs.map(({ id, retryCount, data }) => ({ id, retryCount, data }))
    },
    async complete(db, name, jobs) {
      if (jobs.length > 0) await boss.complete(name, [...jobs], null, { db: fromKysely(db) })
    },
    async release(name, jobs) {
      if (jobs.length > 0) await boss.fail(name, [...jobs], { released: true })
    },
    async onJobs(wake) {
      const db = boss.getDb()
      if (!db.listen) throw new Error('The queue has no listener.')
      return db.listen(channel, wake, wake)
    },
    stop: () => boss.stop({ graceful: false, close: true }),
  }
}
