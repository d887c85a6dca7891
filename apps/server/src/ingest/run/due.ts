import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import type { AlertOptions } from '../../features/webhooks/publish-alerts.ts'
import { lockRuns, readFeedState, readSourceState, writeDecision } from '../publish/feed-store.ts'
import { decideDue } from '../changes/decide-run.ts'
import { draftDecision } from '../changes/draft-decision.ts'
import { feedPolicy } from '../policy.ts'
import { publishDrafts, type PublishedDrafts } from '../publish/publish-drafts.ts'
import { readClock } from './run-clock.ts'

export interface DueReport extends PublishedDrafts {
  /** UTC. */
  observed_at: string
  /** Prices that began. */
  applied: string[]
}

/**
 * Applies dated prices whose day has come, sends reminders of those that are near, and decides what time alone brings,
 * without reading any source. A further run at the same time does nothing.
 */
export async function runDue(
  db: Db,
  { observedAt: given, alerts }: { observedAt?: string; alerts: AlertOptions | null },
): Promise<DueReport> {
  const observedAt = await readClock(db, given)
  return db.transaction().execute(async (trx) => {
    await lockRuns(trx)
    const { rows: sources } = await sql<{ source: string; last_run: string; has_dated: boolean }>`
      select source, last_run, exists (select from scheduled_prices where source = feed_sources.source) as has_dated
      from feed_sources order by source`.execute(trx)
    const dated = sources.filter(({ has_dated }) => has_dated)
    // One decision is of all sources: without dated prices any of them brings what time decides.
    const waiting = dated.length > 0 ? dated : sources.slice(0, 1)
    const report: DueReport = { observed_at: observedAt, applied: [], changes: [], deliveries: 0 }
    for (const { source, last_run: runId } of waiting) {
      const state = await readSourceState(trx, source)
      const decision = decideDue(state, await readFeedState(trx), { observedAt, policy: feedPolicy })
      const publishing = { runId, observedAt, policy: feedPolicy, alerts }
      const drafts = await draftDecision(trx, decision, { at: observedAt, policy: feedPolicy })
      await writeDecision(trx, decision, { source, runId, observedAt })
      const { changes, deliveries } = await publishDrafts(trx, drafts, publishing)
      report.applied.push(...decision.served.map(({ record }) => record.resource_id))
      report.changes.push(...changes)
      report.deliveries += deliveries
    }
    return report
  })
}
