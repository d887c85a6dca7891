import { sql } from 'kysely'
import type { Db, Trx } from '../../database/connect.ts'
import type { Scheduler } from '../../platform/scheduler.ts'
import { Deadlines, type UnitRequest, type Waiter } from './deadlines.ts'
import { Lane, type LaneSession } from './lane.ts'
import { shareOut, type Verdict } from './share-out.ts'
import { readOutcome, reserveArguments, type DailyLimits, type Release, type UnitItem } from './unit-store.ts'

export type { UnitRequest } from './deadlines.ts'
export type { UnitVerdict, Verdict } from './share-out.ts'

/** Takes units for requests: decided and durable in the database before the verdict. */
export interface Meter {
  /** @throws MeterTimeout, or the database's error; nothing is charged then */
  reserve: (request: UnitRequest) => Promise<Verdict>
  /** In a transaction of the caller's: a rollback gives the unit back. */
  reserveIn: (trx: Trx, request: UnitRequest) => Promise<Verdict>
  /** Takes a unit back that a request was granted and cannot be answered for. It may take a while. */
  giveBack: (unit: Release) => void
  /** Finishes what is waiting. */
  close: () => Promise<void>
}

export interface BatchingMeterOptions {
  limits: DailyLimits
  /** Opens a connection that waits for a counter at most so long. */
  connector: (lockTimeoutMs: number) => () => Promise<LaneSession>
  scheduler: Scheduler
  onFailure: (error: unknown, message: string) => void
  /** Most items of one batch. */
  itemsMax?: number
}

/** With the time to connect it keeps a 503 under 2.5 s. */
const waitMsMax = 2_000
const itemsMaxDefault = 512
/** Long beside what another batch or a write holds a counter, a few milliseconds; short beside what everybody may wait. */
const lockTimeoutMs = 100
const slowLockTimeoutMs = 1_000
/** How long the requests of a key go by the slow lane once its counter was held. */
const suspectMs = 5_000

/**
 * All requests that wait share a statement. A key whose counter somebody holds goes by a lane of its own for a while, so
 * that the others do not wait with it.
 */
export function createBatchingMeter({
  limits,
  connector,
  scheduler,
  onFailure,
  itemsMax = itemsMaxDefault,
}: BatchingMeterOptions): Meter {
  const suspects = new Map<string, number>()
  const deadlines = new Deadlines(scheduler, waitMsMax)
  const common = { scheduler, deadlines, onFailure }
  const slow = new Lane({ ...common, connect: connector(slowLockTimeoutMs), itemsMax: 1, onStuck: null })
  const fast = new Lane({ ...common, connect: connector(lockTimeoutMs), itemsMax, onStuck: suspect })

  function suspect(waiters: readonly Waiter[]): void {
    const nowMs = scheduler.nowMs()
    for (const [keyHash, untilMs] of suspects) if (untilMs <= nowMs) suspects.delete(keyHash)
    for (const { request } of waiters) suspects.set(request.keyHash, nowMs + suspectMs)
    slow.take(waiters)
  }

  function isSuspect(keyHash: string): boolean {
    const untilMs = suspects.get(keyHash)
    if (untilMs === undefined) return false
    if (untilMs > scheduler.nowMs()) return true
    suspects.delete(keyHash)
    return false
  }

  return {
    reserve: (request) => (suspects.size > 0 && isSuspect(request.keyHash) ? slow : fast).reserve(request),
    reserveIn: (trx, request) => reserveOne(trx, limits, request),
    giveBack: (unit) => fast.giveBack(unit),
    async close() {
      // In this order: what is stuck in the first goes on in the second.
      await fast.close()
      await slow.close()
      deadlines.close()
    },
  }
}

async function reserveOne(db: Db, limits: DailyLimits, request: UnitRequest): Promise<Verdict> {
  const item: UnitItem = { ...request, want: 1 }
  const values = reserveArguments(null, limits, [item])
  const { rows } = await sql<{ result: string }>`
    select reserve_units(${sql.join(values)}) as result`.execute(db)
  const outcome = readOutcome(rows[0]?.result ?? '')
  const verdicts: Verdict[] = []
  for (const grant of outcome.items)
    shareOut(request.endpoint, grant, outcome, [
      { isOver: false, resolve: (verdict) => verdicts.push(verdict) },
    ])
  const [verdict] = verdicts
  if (!verdict) throw new Error('The reservation returned no item.')
  return verdict
}
