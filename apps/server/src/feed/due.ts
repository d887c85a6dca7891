import type { Db } from '../database/connect.ts'
import type { AlertOptions } from '../features/webhooks/publish-alerts.ts'
import { lockRuns, readFeedState, readSourceState, writeDecision } from './feed-store.ts'
import { decideDue } from './decide-run.ts'
import { draftDecision } from './draft-decision.ts'
import { feedPolicy } from './policy.ts'
import { publishDrafts, type PublishedDrafts } from './publish-drafts.ts'
import { clockOf } from './run-clock.ts'

export interface DueReport extends PublishedDrafts {
  /** UTC. */
  observed_at: string
  /** Prices that began. */
  applied: string[]
}

/**
 * Applies dated prices whose day has come, and sends reminders of those that are near, without reading their sources.
 * Once a day is enough. A further run on the same day does nothing.
 */
export async function runDue(
  db: Db,
  { observedAt: given, alerts }: { observedAt?: string; alerts: AlertOptions | null },
): Promise<DueReport> {
  const observedAt = await clockOf(db, given)
  return db.transaction().execute(async (trx) => {
    await lockRuns(trx)
    const waiting = await trx
      .selectFrom('scheduled_prices')
      .innerJoin('feed_sources', 'feed_sources.source', 'scheduled_prices.source')
      .select(['scheduled_prices.source', 'last_run'])
      .distinct()
      .orderBy('scheduled_prices.source')
      .execute()
    const report: DueReport = { observed_at: observedAt, applied: [], changes: [], deliveries: 0 }
    for (const { source, last_run: runId } of waiting) {
      const state = await readSourceState(trx, source)
      const decision = decideDue(state, await readFeedState(trx), { observedAt, policy: feedPolicy })
      await writeDecision(trx, decision, { source, runId, observedAt })
      const publishing = { runId, observedAt, policy: feedPolicy, alerts }
      const drafts = await draftDecision(trx, decision, { at: observedAt, policy: feedPolicy })
      const { changes, deliveries } = await publishDrafts(trx, drafts, publishing)
      report.applied.push(...decision.served.map(({ record }) => record.resource_id))
      report.changes.push(...changes)
      report.deliveries += deliveries
    }
    return report
  })
}
