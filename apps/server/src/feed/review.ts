import type { Db } from '../database/connect.ts'
import type { AlertOptions } from '../features/webhooks/publish-alerts.ts'
import { FeatureError } from '../features/feature-error.ts'
import { endHolds, listHolds, lockRuns, readFeedState, writeDecision, type StoredHold } from './feed-store.ts'
import type { ChangeDraft } from './change-draft.ts'
import { decideAcceptance, type AcceptedAs } from './decide-acceptance.ts'
import { feedPolicy } from './policy.ts'
import { publishDrafts, type PublishedDrafts } from './publish-drafts.ts'
import { clockOf } from './run-clock.ts'

export { listHolds, type StoredHold } from './feed-store.ts'

export interface Decision extends PublishedDrafts {
  /** The holds that were decided. */
  holds: StoredHold[]
}

/**
 * An operator believes held moves: they are served from now on, and told as corrections, of which nobody is alerted,
 * or as the moves they are.
 * @throws FeatureError when one of them does not wait; nothing is decided then
 */
export async function acceptHolds(
  db: Db,
  ids: readonly string[],
  {
    as,
    note = null,
    alerts,
    observedAt: given,
  }: { as: AcceptedAs; note?: string | null; alerts: AlertOptions | null; observedAt?: string },
): Promise<Decision> {
  const observedAt = await clockOf(db, given)
  return db.transaction().execute(async (trx) => {
    await lockRuns(trx)
    const holds = await openHolds(trx, ids)
    const drafts: ChangeDraft[] = []
    for (const runId of new Set(holds.map((hold) => hold.runId))) {
      const ofRun = holds.filter((hold) => hold.runId === runId)
      const source = ofRun[0]!.source
      const state = await readFeedState(trx, source, [])
      const decision = decideAcceptance(state, ofRun, { as, observedAt })
      await writeDecision(trx, decision, { source, runId, observedAt })
      drafts.push(...decision.drafts)
    }
    await endHolds(trx, ids, 'accepted', observedAt, note)
    const publishing = { runId: null, observedAt, policy: feedPolicy, alerts }
    return { holds, ...(await publishDrafts(trx, drafts, publishing)) }
  })
}

/**
 * An operator does not believe held moves: what was accepted before stays, and the same amounts are not held again.
 * @throws FeatureError when one of them does not wait; nothing is decided then
 */
export async function rejectHolds(
  db: Db,
  ids: readonly string[],
  { reason, observedAt: given }: { reason: string; observedAt?: string },
): Promise<StoredHold[]> {
  const observedAt = await clockOf(db, given)
  return db.transaction().execute(async (trx) => {
    await lockRuns(trx)
    const holds = await openHolds(trx, ids)
    await endHolds(trx, ids, 'rejected', observedAt, reason)
    return holds
  })
}

async function openHolds(db: Db, ids: readonly string[]): Promise<StoredHold[]> {
  const holds = await listHolds(db, { ids })
  for (const id of ids) {
    const hold = holds.find((one) => one.id === id)
    if (!hold) throw new FeatureError(`No hold has the id "${id}".`, { code: 'not_found', what: 'hold' })
    if (hold.state !== 'open')
      throw new FeatureError(`The hold "${id}" does not wait: it is ${hold.state}.`, { code: 'conflict' })
  }
  return holds
}
