import type { Db } from '../../database/connect.ts'
import { decide } from '../changes/decide.ts'
import { draftDecision } from '../changes/draft-decision.ts'
import { emptyDecision } from '../changes/feed-state.ts'
import { lockRuns, readFeedState, writeDecision } from '../publish/feed-store.ts'
import { feedPolicy } from '../policy.ts'
import { publishDrafts, type PublishedDrafts } from '../publish/publish-drafts.ts'
import { readClock } from './run-clock.ts'

export interface RedecideReport extends PublishedDrafts {
  /** Prices that are served otherwise than before. */
  changed: string[]
  /** Prices that are no longer served. */
  left: string[]
}

/**
 * Decides everything again from the stored claims: after a new version of the program, whose rules or links may be
 * others. What differs is published as corrections, and never alerted. The same claims give the same prices, so a second
 * time changes nothing.
 */
export async function redecide(
  db: Db,
  { dryRun = false, observedAt: given }: { dryRun?: boolean; observedAt?: string },
): Promise<RedecideReport> {
  const observedAt = await readClock(db, given)
  return db.transaction().execute(async (trx) => {
    await lockRuns(trx)
    const state = await readFeedState(trx)
    const options = { at: observedAt, policy: feedPolicy, as: 'correction' } as const
    const { verdicts: _, ...outcome } = decide(state.claims, state, options)
    const drafted = await draftDecision(trx, { ...outcome, drafts: [] }, options)
    const drafts = drafted.filter(({ category }) => category === 'correction')
    const changed = outcome.served.map(({ record }) => record.resource_id)
    if (dryRun) return { changed, left: outcome.left, changes: [], deliveries: 0 }
    const last = await trx
      .selectFrom('feed_runs')
      .select(['id', 'source'])
      .orderBy('created_at', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (!last) return { changed: [], left: [], changes: [], deliveries: 0 }
    const context = { source: last.source, runId: last.id, observedAt }
    await writeDecision(trx, { ...emptyDecision(), ...outcome }, context)
    const publishing = { runId: null, observedAt, policy: feedPolicy, alerts: null }
    const published = await publishDrafts(trx, drafts, publishing)
    return { changed, left: outcome.left, ...published }
  })
}
