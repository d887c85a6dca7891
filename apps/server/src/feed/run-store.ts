import { sql } from 'kysely'
import type { Trx } from '../database/connect.ts'
import { storableText } from '../platform/storable-text.ts'
import type { RunReport } from './run-report.ts'

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
  report: RunReport,
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
        where source = ${source} and version = ${report.version} and outcome <> 'refused'
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
  // A run that waits, or was refused, is asked for again whole.
  const taken = outcome === 'applied' ? origin : null
  const columns = {
    last_run: runId,
    url: origin?.url ?? null,
    etag: taken?.etag ?? null,
    last_modified: taken?.lastModified ?? null,
    ...(outcome !== 'refused' && {
      last_observed_at: observedAt,
      rejections: JSON.stringify(report.rejected),
      unknown_fields: JSON.stringify(report.unknown_fields),
      held_run: outcome === 'held' ? runId : null,
      held_gone: outcome === 'held' ? report.gone : [],
    }),
  }
  await trx
    .insertInto('feed_sources')
    .values({ source, ...columns })
    .onConflict((conflict) => conflict.column('source').doUpdateSet(columns))
    .execute()
}
