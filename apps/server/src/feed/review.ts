import type { Db } from '../database/connect.ts'
import type { AlertOptions } from '../features/webhooks/publish-alerts.ts'
import { UserError } from '../platform/user-error.ts'
import { endHolds, listHolds, lockRuns, readFeedState, writeFeedPlan, type StoredHold } from './feed-store.ts'
import type { ChangeDraft } from './change-draft.ts'
import { planAcceptance, type AcceptedAs } from './plan-acceptance.ts'
import { feedPolicy } from './policy.ts'
import { publishFound, wordDrafts, type PublishedChange } from './publish-drafts.ts'
import { clockOf } from './run-feed.ts'

export { listHolds, type StoredHold } from './feed-store.ts'

export interface Decision {
  /** The holds that were decided. */
  holds: StoredHold[]
  changes: PublishedChange[]
  deliveries: number
}

/**
 * An operator accepts held moves. They are served from now on, and published as corrections without alerts, or as the
 * moves that they are.
 * @throws UserError when one of them is not held; nothing is decided then
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
      const plan = planAcceptance(state, ofRun, { as, observedAt })
      await writeFeedPlan(trx, plan, { source, runId, observedAt })
      drafts.push(...plan.drafts)
    }
    await endHolds(trx, ids, 'accepted', observedAt, note)
    const inputs = await wordDrafts(trx, drafts, { observedAt, policy: feedPolicy })
    return { holds, ...(await publishFound(trx, inputs, null, alerts)) }
  })
}

/**
 * An operator refuses held moves. The amounts accepted before stay, and the same moves are not held again.
 * @throws UserError when one of them is not held; nothing is decided then
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
    if (!hold) throw new UserError(`No hold has the id "${id}": ratecard feed review lists them.`)
    if (hold.state !== 'open') throw new UserError(`The hold "${id}" does not wait: it is ${hold.state}.`)
  }
  return holds
}
