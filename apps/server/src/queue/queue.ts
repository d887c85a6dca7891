import { sql } from 'kysely'
import { fromKysely, PgBoss, type CommandResponse } from 'pg-boss'
import { alwaysByIndex, Client, type Settings } from '../database/client.ts'
import type { Db } from '../database/connect.ts'
import { readSessions } from '../database/sessions.ts'
import { readDatabaseUrl } from '../platform/database-url.ts'
import type { Logger } from '../platform/logger.ts'
import { UserError } from '../platform/user-error.ts'
import { deliveryQueues, queueOptions, queuePolicies, type JobData, type QueueName } from './job-types.ts'
import { schema } from './queue-schema.ts'

// pg-boss behind a few functions. Jobs are made and ended in the transaction of their cause: each function that writes
// takes the `db` or `trx` to write with.

/** One fetch of a job. `retryCount` distinguishes it from a later one, after its worker was given up. */
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
  /** In a queue that has one job per key, queued or under way: the key. A second job of a key is not added. */
  key?: string
  /** Default: at once. */
  delayMs?: number
}

interface FetchOptions {
  jobsMax: number
  /** Jobs of one group in progress at a time, over all processes. */
  perGroupMax: number
  /** Groups to pass over. */
  ignoreGroups: readonly string[]
}

export type Queue = Awaited<ReturnType<typeof openQueue>>

interface Due {
  count: number
  /** How long the oldest has waited; 0 when there is none. */
  oldestSeconds: number
  /** Those that wait for a later attempt. */
  scheduled: number
}

export interface QueueOptions {
  connectionString: string
  /** Whether the operator says that nothing shares the sessions behind it. Default: it is found out. */
  isDirect?: boolean
  /** Longest a job may take before another worker takes it over. */
  jobTimeoutSeconds: number
  logger: Logger
  /** Looks after expired and finished jobs. Needed in workers; a command that only enqueues leaves it out. */
  supervise: boolean
}

/** What pg-boss answers, and its types leave out: the ids of the jobs that it changed. */
type Settled = CommandResponse & { settled: string[] }

const channel = 'ratecard_jobs'
const superviseSeconds = 5
const insufficientPrivilege = '42501'
const keepFinishedSeconds = 3_600
const insertChunk = 1_000
// Walking the index in the order of the queue ends with the batch. Sorting begins with all that is queued, and is what
// PostgreSQL thinks best of a queue that its statistics call empty: half the time of a fetch with 4,200 queued.
const settings: Settings = { ...alwaysByIndex, enable_sort: 'off' }

/**
 * When the job of a worker that was killed is taken up again at the latest: its time-out is over, one look at the queue
 * has just missed that, and the process that was to look next was killed as well.
 */
export function takeOverSecondsMax(jobTimeoutSeconds: number): number {
  return jobTimeoutSeconds + 2 * superviseSeconds
}

export async function openQueue({
  connectionString,
  isDirect = false,
  jobTimeoutSeconds,
  logger,
  supervise,
}: QueueOptions) {
  // Its pool passes on what it does not know.
  const pool = { connectionString, Client, settings }
  const boss = new PgBoss({
    ...pool,
    schema,
    max: 3,
    application_name: 'ratecard-queue',
    supervise,
    schedule: false,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
  })
  boss.on('error', (error) => logger.warn({ err: error }, 'queue'))
  try {
    await boss.start()
    for (const name of Object.keys(queueOptions) as QueueName[]) {
      const options = {
        expireInSeconds: jobTimeoutSeconds,
        deleteAfterSeconds: keepFinishedSeconds,
        ...queueOptions[name],
      }
      const policy = queuePolicies[name]
      await boss.createQueue(name, { ...options, ...(policy && { policy }) })
      await boss.updateQueue(name, options)
    }
  } catch (error) {
    await boss.stop({ graceful: false, close: true }).catch(() => undefined)
    if ((error as { code?: unknown }).code !== insufficientPrivilege) throw error
    throw new UserError(
      'The role of DATABASE_URL may not use the tables of the queue, or there are none yet. Run "ratecard migrate" with DATABASE_OWNER_URL set to the role that owns the database.',
      { cause: error },
    )
  }

  /** In a session that others share, LISTEN would stay behind. And pg-boss's listener knows one host. */
  const mayListen = async () => {
    if ((readDatabaseUrl(connectionString)?.hosts.length ?? 1) > 1) return false
    return isDirect || (await readSessions(connectionString)).kind === 'own'
  }

  return {
    async enqueue<Name extends QueueName>(db: Db, name: Name, jobs: readonly NewJob<Name>[]): Promise<void> {
      for (let start = 0; start < jobs.length; start += insertChunk) {
        const rows = jobs.slice(start, start + insertChunk).map(({ data, group, key, delayMs = 0 }) => ({
          data,
          group: { id: group },
          expireInSeconds: queueOptions[name].expireInSeconds ?? jobTimeoutSeconds,
          ...(key !== undefined && { singletonKey: key }),
          // By the database's clock: that of a worker may be wrong by hours.
          ...(delayMs > 0 && { startAfter: `${Math.ceil(delayMs)} milliseconds` }),
        }))
        await boss.insert(name, rows, { db: fromKysely(db) })
      }
      if (jobs.some(({ delayMs = 0 }) => delayMs === 0))
        await sql`select pg_notify(${channel}, ${name})`.execute(db)
    },
    /** Adds the job of a key, or moves the one that is queued. One under way is left to its worker, which goes on. */
    async arrange<Name extends QueueName>(
      name: Name,
      { key, group, data, dueAt }: { key: string; group: string; data: JobData[Name]; dueAt: Date },
    ): Promise<void> {
      await boss.upsert(name, data, { singletonKey: key, startAfter: dueAt, group: { id: group } })
    },
    async fetch<Name extends QueueName>(
      name: Name,
      { jobsMax, perGroupMax, ignoreGroups }: FetchOptions,
    ): Promise<FetchedJob<Name>[]> {
      const jobs = await boss.fetch<JobData[Name]>(name, {
        batchSize: jobsMax,
        groupConcurrency: perGroupMax,
        ignoreGroups: [...ignoreGroups],
      })
      return jobs.map(({ id, retryCount, data }) => ({ id, retryCount, data }))
    },
    /** Ends jobs, unless another worker took them over since they were fetched. Returns the ids of those it ended. */
    async complete(db: Db, name: QueueName, jobs: readonly JobAttempt[]): Promise<Set<string>> {
      if (jobs.length === 0) return new Set()
      // Deleted: what became of a delivery is in its own table. That takes 2 ms for 200 jobs; marking them as completed
      // takes 4, and they are to be deleted later all the same.
      const ended = await boss.deleteJob(name, [...jobs], { db: fromKysely(db) })
      return new Set((ended as Settled).settled)
    },
    /** Gives jobs back that were fetched and not begun. */
    async release(name: QueueName, jobs: readonly JobAttempt[]): Promise<void> {
      if (jobs.length > 0) await boss.fail(name, [...jobs], { released: true })
    },
    /** Says that a job is still being worked on. */
    async heartbeat(name: QueueName, job: JobAttempt): Promise<void> {
      await boss.touch(name, [job])
    },
    /** Deliveries that may start by now and have not, and those that may start later. */
    async readDue(): Promise<Due> {
      const { rows } = await boss.getDb().executeSql(
        `select count(*) filter (where start_after <= now())::int as count,
          greatest(coalesce(extract(epoch from now() - min(start_after)), 0), 0)::float8 as oldest_seconds,
          count(*) filter (where start_after > now())::int as scheduled
        from ${schema}.job
        where name = any($1) and state < 'active' and not blocked`,
        [deliveryQueues],
      )
      const [row] = rows as { count: number; oldest_seconds: number; scheduled: number }[]
      return {
        count: row?.count ?? 0,
        oldestSeconds: row?.oldest_seconds ?? 0,
        scheduled: row?.scheduled ?? 0,
      }
    },
    /**
     * Calls `wake` when jobs come that may start at once, and after every loss of the connection. Behind a pooler it
     * never does: whoever looks at the queue looks from time to time.
     */
    async onJobs(wake: () => void): Promise<{ close: () => Promise<void> }> {
      if (!(await mayListen())) {
        logger.warn(
          'DATABASE_URL leads to a pooler or names several hosts, and nothing can listen there: the queue is looked at every second. Set DATABASE_DIRECT_URL to the database itself, by one host.',
        )
        return { close: () => Promise.resolve() }
      }
      const db = boss.getDb()
      if (!db.listen) throw new Error('The queue has no listener.')
      return db.listen(channel, wake, wake)
    },
    stop: (): Promise<void> => boss.stop({ graceful: false, close: true }),
  }
}
