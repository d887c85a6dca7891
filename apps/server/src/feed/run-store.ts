import type { Trx } from '../database/connect.ts'
import type { RunReport } from './run-report.ts'

/** Where a reading came from, and what a conditional request asks with the next time. */
export interface Origin {
  url: string
  etag: string | null
  lastModified: string | null
}

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
      outcome,
      message: report.message,
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
