import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { deleteAged, readOldestSeconds, chooseStep, type AgedRows } from '../database/aged-rows.ts'
import { alwaysByIndex } from '../database/client.ts'
import { logFailure, type Db, type Trx } from '../database/connect.ts'
import { deletedAtATime } from '../database/steps.ts'
import { idleRuns } from '../ingest/run/old-runs.ts'
import { deleteExcessEntries, ownEntries, ownEntryDays } from '../features/audit/old-entries.ts'
import { deleteExpired, type ExpiringTable } from '../features/members/expired-rows.ts'
import { deleteOldBatchers } from '../features/metering/batcher-store.ts'
import {
  deleteOldUsage,
  endedKeys,
  readOldestUsageSeconds,
  usageStepRows,
} from '../features/metering/old-usage.ts'
import {
  deleteExcessCounts,
  deleteExcessLines,
  oldCounts,
  oldLines,
} from '../features/metering/request-store.ts'
import { noticeDays, notices } from '../features/notices/notice-store.ts'
import { oldReports, reportDays } from '../features/price-reports/report-store.ts'
import { deleteExcessExchanges, exchangeDays, exchanges } from '../features/webhooks/exchange-store.ts'
import {
  alertsWithoutDelivery,
  fanOutDaysMore,
  finishedDeliveries,
  oldFanOuts,
  toldAnnouncements,
} from '../features/webhooks/old-deliveries.ts'
import type { Config } from '../platform/config.ts'
import type { Logger } from '../platform/logger.ts'
import type { Metrics } from '../platform/metrics.ts'

// What grows and is forgotten (docs/decisions/032-growth.md), by the workers: one step of one table at a time.

/** How rows of a table are forgotten. */
interface Forgetting {
  table: string
  /** Deletes a bounded number of rows. @returns how many */
  step: (trx: Trx) => Promise<number>
  /** As many as a step deletes at most: then the next one follows. */
  stepRows: number
  /** Where rows go by their age. */
  limitSeconds?: number
  readOldestSeconds?: (trx: Trx) => Promise<number | null>
  /** It looks at each account of late, so once an hour is enough. */
  isSeldom?: true
}

export interface RetentionOptions {
  db: Db
  config: Pick<
    Config,
    'DELIVERY_RETENTION_DAYS' | 'USAGE_RETENTION_DAYS' | 'REQUEST_RETENTION_DAYS' | 'FEED_RUN_RETENTION_DAYS'
  >
  logger: Logger
  metrics: Pick<Metrics, 'watchRetention' | 'observeRetention' | 'countDeletedRows' | 'countRetentionFailure'>
  everyMs?: number
}

const daySeconds = 86_400
const everyMsUsual = 600_000
const seldomRounds = 6
// After a step it rests so many times as long as the step took: a year's arrears take a fifth of one core of the
// database, and of its disk.
const restShare = 4
const expiring: readonly ExpiringTable[] = [
  'attempts',
  'auth_sessions',
  'auth_verifications',
  'followers',
  'invitations',
  'mailed_links',
]

/** All that is forgotten. */
export function listForgettings(config: RetentionOptions['config']): Forgetting[] {
  const byAge = (rows: AgedRows, days: number): Forgetting => ({
    table: rows.table,
    step: (trx) => deleteAged(trx, rows, days),
    stepRows: chooseStep(rows),
  })
  // Where the oldest that goes is found at once.
  const aged = (rows: AgedRows, days: number): Forgetting => ({
    ...byAge(rows, days),
    limitSeconds: days * daySeconds,
    readOldestSeconds: (trx) => readOldestSeconds(trx, rows),
  })
  const other = (table: string, step: Forgetting['step']): Forgetting => ({
    ...{ table, step },
    stepRows: deletedAtATime,
  })
  const beyondShare = (table: string, step: Forgetting['step']): Forgetting => ({
    ...other(table, step),
    isSeldom: true,
  })
  const usageDays = config.USAGE_RETENTION_DAYS
  return [
    aged(finishedDeliveries, config.DELIVERY_RETENTION_DAYS),
    byAge(alertsWithoutDelivery, config.DELIVERY_RETENTION_DAYS),
    byAge(toldAnnouncements, config.DELIVERY_RETENTION_DAYS),
    byAge(oldFanOuts, config.DELIVERY_RETENTION_DAYS + fanOutDaysMore),
    aged(exchanges, exchangeDays),
    beyondShare('delivery_exchanges', (trx) => deleteExcessExchanges(trx)),
    {
      ...other('usage_days', (trx) => deleteOldUsage(trx, usageDays)),
      stepRows: usageStepRows,
      limitSeconds: (usageDays + 1) * daySeconds,
      readOldestSeconds: (trx) => readOldestUsageSeconds(trx, usageDays),
    },
    byAge(endedKeys, usageDays),
    aged(oldLines, config.REQUEST_RETENTION_DAYS),
    beyondShare('request_lines', (trx) => deleteExcessLines(trx)),
    aged(oldCounts, config.REQUEST_RETENTION_DAYS),
    beyondShare('request_counts', (trx) => deleteExcessCounts(trx)),
    aged(ownEntries, ownEntryDays),
    beyondShare('audit_entries', (trx) => deleteExcessEntries(trx)),
    aged(notices, noticeDays),
    aged(oldReports, reportDays),
    byAge(idleRuns, config.FEED_RUN_RETENTION_DAYS),
    other('meter_batchers', deleteOldBatchers),
    ...expiring.map((table) => other(table, (trx) => deleteExpired(trx, table))),
  ]
}

/** Forgets what is too old or too much, from time to time. */
export function startRetention({ db, config, logger, metrics, everyMs = everyMsUsual }: RetentionOptions): {
  stop: () => Promise<void>
} {
  const stopping = new AbortController()
  const { signal } = stopping
  const pause = (ms: number) => setTimeout(ms, undefined, { signal }).catch(() => undefined)
  const forgettings = listForgettings(config)
  for (const { table } of forgettings) metrics.watchRetention(table)

  /** A step. @returns whether there may be more */
  const forget = async ({ table, step, stepRows, limitSeconds, readOldestSeconds }: Forgetting) => {
    const beganAtMs = performance.now()
    try {
      const rows = await inStep(db, step)
      const tookMs = performance.now() - beganAtMs
      metrics.countDeletedRows(table, rows)
      if (limitSeconds !== undefined && readOldestSeconds)
        metrics.observeRetention(table, { oldestSeconds: await inStep(db, readOldestSeconds), limitSeconds })
      if (rows > 0) {
        logger.info({ table, rows }, 'old rows forgotten')
        await pause(restShare * tookMs)
      }
      return rows >= stepRows
    } catch (error) {
      metrics.countRetentionFailure(table)
      logFailure(logger, error, `old rows of ${table} could not be forgotten`)
      return false
    }
  }
  const run = async () => {
    for (let round = 0; !signal.aborted; round += 1) {
      const beganAtMs = performance.now()
      let left = forgettings.filter(({ isSeldom }) => isSeldom === undefined || round % seldomRounds === 0)
      // In turns: arrears of one table keep no other waiting.
      while (left.length > 0 && !signal.aborted && performance.now() - beganAtMs < everyMs) {
        const more: Forgetting[] = []
        for (const forgetting of left)
          if (!signal.aborted && (await forget(forgetting))) more.push(forgetting)
        left = more
      }
      if (left.length === 0) await pause(everyMs)
    }
  }
  const running = run()
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}

/** In a transaction of its own, by indexes: statistics of tables that shrink would have it read them from end to end. */
async function inStep<T>(db: Db, work: (trx: Trx) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (trx) => {
    const settings = Object.entries(alwaysByIndex).map(
      ([name, value]) => sql`set_config(${name}, ${value}, true)`,
    )
    await sql`select ${sql.join(settings)}`.execute(trx)
    return work(trx)
  })
}
