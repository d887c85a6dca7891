import { sql } from 'kysely'
import type { Db } from '../database/connect.ts'
import { utcText } from '../database/keyset.ts'
import type { RejectedRow } from '../features/prices/price-record.ts'

/** Where a source stands. */
export interface SourceStatus {
  id: string
  /** The last run: when the source said so, how it ended and why. */
  run_id: string
  observed_at: string
  outcome: string
  message: string | null
  version: string
  rows: number
  rejected: number
  added: number
  changed: number
  gone: number
  published: number
  /** Moves that wait for a person, of all its runs. */
  held: number
  /** Seconds since the last run. */
  age_seconds: number
  /** Where it was read from, if from an address. */
  url: string | null
  rejections: RejectedRow[]
}

/** Every source that has been run, by name. */
export async function listSourceStatus(db: Db): Promise<SourceStatus[]> {
  const rows = await db
    .selectFrom('feed_sources')
    .innerJoin('feed_runs as run', 'run.id', 'feed_sources.last_run')
    .select(['feed_sources.source as id', 'run.id as run_id', 'run.outcome', 'run.message', 'run.version'])
    .select(['run.rows', 'run.rejected', 'run.added', 'run.changed', 'run.gone', 'run.published'])
    .select(['feed_sources.url', 'feed_sources.rejections'])
    .select(utcText('run.observed_at').as('observed_at'))
    .select(
      sql<number>`(
        select count(*)::int from feed_holds where feed_holds.source = feed_sources.source and state = 'open'
      )`.as('held'),
    )
    .select(
      sql<number>`greatest(0, extract(epoch from ratecard_now() - run.observed_at))::float8`.as(
        'age_seconds',
      ),
    )
    .orderBy('feed_sources.source')
    .execute()
  return rows.map((row) => ({
    ...row,
    age_seconds: Math.round(row.age_seconds),
    rejections: row.rejections as unknown as RejectedRow[],
  }))
}
