import type { Db, Trx } from '../../database/connect.ts'
import type { AlertOptions } from '../../features/webhooks/publish-alerts.ts'
import { amountColumns } from '../../catalog/price-record.ts'
import { FeatureError } from '../../features/feature-error.ts'
import { movedColumns } from '../amounts.ts'
import { decide } from '../changes/decide.ts'
import { draftDecision } from '../changes/draft-decision.ts'
import { emptyDecision } from '../changes/feed-state.ts'
import { lockRuns, readFeedState, writeDecision } from '../publish/feed-store.ts'
import { endHolds, listHolds, type StoredHold } from '../publish/hold-store.ts'
import type { Claim, Moves } from '../claims/claim.ts'
import { feedPolicy } from '../policy.ts'
import { publishDrafts, type PublishedDrafts } from '../publish/publish-drafts.ts'
import { readClock } from '../run/run-clock.ts'

export { listHolds, type StoredHold } from '../publish/hold-store.ts'

export type AcceptedAs = 'move' | 'correction'

export interface ReviewDecision extends PublishedDrafts {
  /** The holds that were decided. */
  holds: StoredHold[]
}

/**
 * An operator believes held claims: they are served from now on, and published as the moves they are or as corrections,
 * which are never alerted. The decision stands with the claim, as long as its source states the same.
 * @throws FeatureError when one of them does not wait; nothing is decided then
 */
export function acceptHolds(
  db: Db,
  ids: readonly string[],
  options: {
    as: AcceptedAs
    note?: string | null
    by?: string | null
    alerts: AlertOptions | null
    observedAt?: string
  },
): Promise<ReviewDecision> {
  const { as, note = null, by = null, alerts, observedAt } = options
  return settle(db, ids, { state: 'accepted', as, note, by, alerts, observedAt })
}

/**
 * An operator does not believe held claims: what is served stays, and the same amounts are not held again.
 * @throws FeatureError when one of them does not wait; nothing is decided then
 */
export async function rejectHolds(
  db: Db,
  ids: readonly string[],
  { reason, by = null, observedAt }: { reason: string; by?: string | null; observedAt?: string },
): Promise<StoredHold[]> {
  const settled = { state: 'rejected', as: 'move', note: reason, by, alerts: null, observedAt } as const
  return (await settle(db, ids, settled)).holds
}

interface Settling {
  state: 'accepted' | 'rejected'
  as: AcceptedAs
  note: string | null
  /** The address of the operator, where it is known. */
  by: string | null
  alerts: AlertOptions | null
  observedAt: string | undefined
}

async function settle(db: Db, ids: readonly string[], settling: Settling): Promise<ReviewDecision> {
  const { state: decided, as, note, by, alerts } = settling
  const observedAt = await readClock(db, settling.observedAt)
  return db.transaction().execute(async (trx) => {
    await lockRuns(trx)
    const holds = await openHolds(trx, ids)
    const state = await readFeedState(trx)
    await endHolds(trx, ids, decided, observedAt, { note, by })
    const byClaim = new Map(holds.map((hold) => [`${hold.source}\n${hold.resource_id}`, hold]))
    const changed: Claim[] = []
    const claims = state.claims.map((claim) => {
      const hold = byClaim.get(`${claim.source}\n${claim.stated.resource_id}`)
      if (!hold) return claim
      const next = withDecision(claim, hold, decided)
      changed.push(next)
      return next
    })
    const waiting = state.holds.filter(({ id }) => !ids.includes(id))
    const options = { at: observedAt, policy: feedPolicy, as }
    const { verdicts: _, ...outcome } = decide(claims, { ...state, holds: waiting }, options)
    const drafts = await draftDecision(trx, { ...outcome, drafts: [] }, options)
    const decision = { ...emptyDecision(), ...outcome, claims: changed }
    const { source, run_id: runId } = holds[0] ?? { source: '', run_id: '' }
    await writeDecision(trx, decision, { source, runId, observedAt })
    const publishing = { runId: null, observedAt, policy: feedPolicy, alerts }
    return { holds, ...(await publishDrafts(trx, drafts, publishing)) }
  })
}

/** A person decides on the amounts that differ from what is served, or on the rate card where none does. */
function withDecision(claim: Claim, hold: StoredHold, decided: 'accepted' | 'rejected'): Claim {
  const columns = movedColumns(hold.before, hold.after)
  const moves: Moves = { ...claim.moves }
  for (const column of amountColumns.filter((name) => columns.includes(name))) {
    const first = {
      since: claim.firstSeen,
      before: null,
      beforeEffectiveAt: null,
      isBulk: false,
    }
    moves[column] = { ...(moves[column] ?? first), decided }
  }
  const cardMove = claim.cardMove && { ...claim.cardMove, decided }
  return { ...claim, moves, cardMove }
}

async function openHolds(db: Trx, ids: readonly string[]): Promise<StoredHold[]> {
  const holds = await listHolds(db, { ids })
  for (const id of ids) {
    const hold = holds.find((one) => one.id === id)
    if (!hold) throw new FeatureError(`No hold has the id "${id}".`, { code: 'not_found', what: 'hold' })
    if (hold.state !== 'open')
      throw new FeatureError(`The hold "${id}" does not wait: it is ${hold.state}.`, { code: 'conflict' })
  }
  return holds
}
