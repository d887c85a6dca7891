import { sql } from 'kysely'
import type { Db, Trx } from '../../database/connect.ts'
import { budgets } from '../../platform/budgets.ts'
import type { MeterObserver } from '../../platform/figures/meter.ts'
import type { RequestTimes } from '../../platform/request-times.ts'
import type { Scheduler } from '../../platform/scheduler.ts'
import { distributeUnits, type Verdict } from './distribute-units.ts'
import { ReservationBatcher, type BatchSession } from './reservation-batcher.ts'
import { readOutcome, reserveArguments, type DailyLimits, type Release, type UnitItem } from './unit-store.ts'
import { Waiter, type UnitRequest } from './waiter.ts'

export type { UnitVerdict, Verdict } from './distribute-units.ts'
export type { UnitRequest } from './waiter.ts'

/** Takes units for requests: decided and durable in the database before the verdict. */
export interface Meter {
  /**
   * @param times of a request that begins with this; default: those around the caller
   * @throws MeterTimeout, or the database's error; nothing is charged then
   */
  reserve: (request: UnitRequest, times?: RequestTimes) => Promise<Verdict>
  /** In a transaction of the caller's: a rollback gives the unit back. */
  reserveIn: (trx: Trx, request: UnitRequest) => Promise<Verdict>
  /** Gives a granted unit back when its request cannot be answered. It may take a while. */
  giveBack: (unit: Release) => void
  /** How it stands. */
  state: () => { waiting: number; unsettled: number }
  /** Why the database carries out no reservation, as the last ones tell; null: it does, or it does not answer. */
  whyNoWrites: () => string | null
  /** Finishes what is waiting. */
  close: () => Promise<void>
}

export interface BatchingMeterOptions {
  limits: DailyLimits
  /** For each batcher; what it returns opens the batcher's connections. */
  connector: () => () => Promise<BatchSession>
  scheduler: Scheduler
  onFailure: (error: unknown, message: string) => void
  observer?: MeterObserver
  /** Most items of one batch. */
  itemsMax?: number
}

const itemsMaxDefault = 512
/** How long the requests of a key use the slow batcher after its counter was held. */
const contendedMs = 5_000

/**
 * All requests that wait share a statement. Keys whose counters another session holds, if only because its batch waits
 * for a third one's, use a second batcher for a while, one by one and in turn: the others do not wait for them.
 */
export function createBatchingMeter({
  limits,
  connector,
  scheduler,
  onFailure,
  observer,
  itemsMax = itemsMaxDefault,
}: BatchingMeterOptions): Meter {
  /** Until when, by hash. */
  const contendedKeys = new Map<string, number>()
  const common = { scheduler, onFailure, ...(observer && { observer }) }
  const slow = new ReservationBatcher({
    ...common,
    connect: connector(),
    itemsMax: 1,
    onContended: null,
  })
  const fast = new ReservationBatcher({
    ...common,
    connect: connector(),
    itemsMax,
    onContended,
  })

  function onContended(waiters: readonly Waiter[]): void {
    const nowMs = scheduler.nowMs()
    for (const [keyHash, untilMs] of contendedKeys) if (untilMs <= nowMs) contendedKeys.delete(keyHash)
    for (const { request } of waiters) contendedKeys.set(request.keyHash, nowMs + contendedMs)
    slow.add(waiters)
  }

  function isContended(keyHash: string): boolean {
    const untilMs = contendedKeys.get(keyHash)
    if (untilMs === undefined) return false
    if (untilMs > scheduler.nowMs()) return true
    contendedKeys.delete(keyHash)
    return false
  }

  return {
    reserve(request, times) {
      const waiter = new Waiter(request, { scheduler, waitMsMax: budgets.unitMs, times })
      const batcher = contendedKeys.size > 0 && isContended(request.keyHash) ? slow : fast
      batcher.add([waiter])
      return waiter.result
    },
    reserveIn: (trx, request) => reserveOne(trx, limits, request),
    giveBack: (unit) => fast.giveBack(unit),
    state: () => ({
      waiting: fast.waiting + slow.waiting,
      unsettled: Number(fast.isUnsettled) + Number(slow.isUnsettled),
    }),
    whyNoWrites: () => fast.shortage ?? slow.shortage,
    async close() {
      // In this order: what is contended in the first goes on in the second.
      await fast.close()
      await slow.close()
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
    distributeUnits(request.endpoint, grant, outcome, [
      { isOver: false, answer: (verdict) => verdicts.push(verdict) },
    ])
  const [verdict] = verdicts
  if (!verdict) throw new Error('The reservation returned no item.')
  return verdict
}
