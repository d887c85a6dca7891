import { sql } from 'kysely'
import type { Db, Trx } from '../../database/connect.ts'
import { utcTextOrNull } from '../../database/keyset.ts'
import { lastAppliedRun } from '../../catalog/product-store.ts'
import { storableText } from '../../platform/storable-text.ts'
import type { RunReport } from './run-report.ts'

/** Unreachable: there was nothing to read. Earlier releases held whole runs. */
export type RunOutcome = RunReport['outcome'] | 'unreachable' | 'held'

/** Where a reading came from, and what a conditional request asks with the next time. */
export interface Origin {
  url: string
  etag: string | null
  lastModified: string | null
}

const messageLengthMax = 1_024

/**
 * Records a run, and where its source stands now. It comes last, when all is known of the run: what the run wrote refers
 * to it by foreign keys that are checked at the commit.
 */
export async function recordRun(
  trx: Trx,
  runId: string,
  report: Omit<RunReport, 'outcome'> & { outcome: RunOutcome },
  origin: Origin | null,
): Promise<void> {
  const { source, outcome, observed_at: observedAt } = report
  await trx
    .insertInto('feed_runs')
    .values({
      id: runId,
      source,
      observed_at: observedAt,
      version: report.version,
      // What is announced for later in one state of the data makes that state no newer when its day has come.
      data_at: sql<string | null>`coalesce((
        select data_at from feed_runs as first
        where source = ${source} and version = ${report.version} and outcome not in ('refused', 'unreachable')
        order by observed_at limit 1
      ), ${report.data_at}::date)`,
      outcome,
      // It may quote the file, with characters that PostgreSQL does not accept.
      message: report.message === null ? null : storableText(report.message, messageLengthMax),
      rows: report.rows,
      rejected: report.rejected.length,
      added: report.added.length,
      changed: report.changed.length,
      gone: report.gone.length,
      held: report.held.length,
      published: report.changes.length,
    })
    .execute()
  // A run that was refused is asked for again whole.
  const taken = outcome === 'applied' ? origin : null
  const columns = {
    last_run: runId,
    ...(outcome !== 'unreachable' && {
      etag: taken?.etag ?? null,
      last_modified: taken?.lastModified ?? null,
    }),
    // What is loaded does not come from what was refused.
    ...(outcome !== 'refused' &&
      outcome !== 'unreachable' && {
        url: origin?.url ?? null,
        last_observed_at: observedAt,
        rejections: JSON.stringify(report.rejected),
        unknown_fields: JSON.stringify(report.unknown_fields),
        // What an earlier release held as a whole.
        held_run: null,
        held_gone: [],
      }),
  }
  await trx
    .insertInto('feed_sources')
    .values({ source, ...columns })
    .onConflict((conflict) => conflict.column('source').doUpdateSet(columns))
    .execute()
}

/** What is loaded of a source: its last run that was applied. What was refused since has brought nothing. */
export interface Load {
  source: string
  /** The address that it is from; null: it is not from an address. */
  url: string | null
  lastObservedAt: string | null
  /** Null: no run was applied. */
  version: string | null
  /** The newest day that the data itself states; null: it states none. */
  dataAt: string | null
}

export async function readLoads(db: Db): Promise<ReadonlyMap<string, Load>> {
  const rows = await db
    .selectFrom('feed_sources')
    .leftJoinLateral(
      () => lastAppliedRun(db),
      (join) => join.onTrue(),
    )
    .select(['feed_sources.source', 'url', 'loaded.version'])
    .select(utcTextOrNull('last_observed_at').as('lastObservedAt'))
    .select(sql<string | null>`loaded.data_at::text`.as('dataAt'))
    .execute()
  return new Map(rows.map((row) => [row.source, row]))
}

/** Counting further changes nothing: half an hour, doubled six times, is more than a day. */
const failuresMax = 7

/** How many of the last runs of a source brought nothing, one after the other. */
export async function countFailures(db: Db, source: string): Promise<number> {
  const last = await db
    .selectFrom('feed_runs')
    .select('outcome')
    .where('source', '=', source)
    .orderBy('observed_at', 'desc')
    .orderBy('created_at', 'desc')
    .limit(failuresMax)
    .execute()
  const applied = last.findIndex(({ outcome }) => outcome === 'applied')
  return applied === -1 ? last.length : applied
}
