import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import { utcText, utcTextOrNull } from '../../database/keyset.ts'
import type { RejectedRow, UnknownField } from '../../catalog/price-record.ts'
import { lastAppliedRun } from '../../catalog/product-store.ts'

/** The state of a source. */
export interface SourceStatus {
  id: string
  /** The last run: when the source stated it, its outcome and the reason. */
  run_id: string
  observed_at: string
  outcome: string
  message: string | null
  /** Since when every run has brought nothing; null: the last one brought what is loaded. */
  failing_since: string | null
  /** What is loaded: the last run that was applied; null: none was. */
  loaded_at: string | null
  version: string | null
  /** The newest day that the loaded data itself states, and the seconds since it began; null: it states none. */
  data_at: string | null
  data_age_seconds: number | null
  rows: number | null
  rejected: number | null
  added: number | null
  changed: number | null
  gone: number | null
  published: number | null
  /** Moves of all its runs that wait for a person. */
  held: number
  /** Seconds since the last run that found something to read: the age of the reading, not of the data. */
  age_seconds: number
  /** The address that it was read from, if it was an address. */
  url: string | null
  rejections: RejectedRow[]
  /** Fields of the last run with prices that its importer does not know. */
  unknown_fields: UnknownField[]
}

/** Every source that has been run, with its last run and the one that brought what is loaded. */
export function selectRunSources(db: Db) {
  return db
    .selectFrom('feed_sources')
    .innerJoin('feed_runs as run', 'run.id', 'feed_sources.last_run')
    .leftJoinLateral(
      () => lastAppliedRun(db),
      (join) => join.onTrue(),
    )
}

/** Every source that has been run, by name. */
export async function listSourceStatus(db: Db): Promise<SourceStatus[]> {
  const rows = await selectRunSources(db)
    .leftJoinLateral(
      (from) =>
        from
          .selectFrom('feed_runs as failed')
          .select(sql<string | null>`min(failed.observed_at)`.as('since'))
          .whereRef('failed.source', '=', 'feed_sources.source')
          .where('failed.outcome', '<>', 'applied')
          .where(sql<boolean>`run.outcome <> 'applied'`)
          .where(sql<boolean>`failed.observed_at >= coalesce(loaded.observed_at, '-infinity')`)
          .as('failing'),
      (join) => join.onTrue(),
    )
    .select(['feed_sources.source as id', 'run.id as run_id', 'run.outcome', 'run.message'])
    .select(['loaded.version', 'loaded.rows', 'loaded.rejected', 'loaded.added', 'loaded.changed'])
    .select(['loaded.gone', 'loaded.published'])
    .select(utcTextOrNull('loaded.observed_at').as('loaded_at'))
    .select(['feed_sources.url', 'feed_sources.rejections', 'feed_sources.unknown_fields'])
    .select(sql<string | null>`loaded.data_at::text`.as('data_at'))
    .select(
      sql<number | null>`case when loaded.data_at is not null then greatest(0, extract(epoch from
        ratecard_now() - loaded.data_at::timestamp at time zone 'UTC'))::float8 end`.as('data_age_seconds'),
    )
    .select(utcText('run.observed_at').as('observed_at'))
    .select(utcTextOrNull('failing.since').as('failing_since'))
    .select(
      sql<number>`(
        select count(*)::int from feed_holds where feed_holds.source = feed_sources.source and state = 'open'
      )`.as('held'),
    )
    .select(
      sql<number>`greatest(0, extract(epoch from ratecard_now() - case when run.outcome = 'unreachable'
        then coalesce(loaded.observed_at, run.observed_at) else run.observed_at end))::float8`.as(
        'age_seconds',
      ),
    )
    .orderBy('feed_sources.source')
    .execute()
  return rows.map((row) => ({
    ...row,
    age_seconds: Math.round(row.age_seconds),
    data_age_seconds: row.data_age_seconds === null ? null : Math.round(row.data_age_seconds),
    rejections: row.rejections as unknown as RejectedRow[],
    unknown_fields: row.unknown_fields as unknown as UnknownField[],
  }))
}
