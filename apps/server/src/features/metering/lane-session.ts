import { randomUUID } from 'node:crypto'
import { openSession } from '../../database/session.ts'
import { budgets } from '../../platform/budgets.ts'
import type { LaneSession } from './lane.ts'
import { readOutcome, releaseArguments, reserveArguments, type DailyLimits } from './unit-store.ts'

export interface LaneConnection {
  connectionString: string
  limits: DailyLimits
  /** How long a counter may be held by somebody else. */
  lockTimeoutMs: number
}

/** Opens the connections of one lane of this process, one after the other. */
export function laneConnector({
  connectionString,
  limits,
  lockTimeoutMs,
}: LaneConnection): () => Promise<LaneSession> {
  const lane = randomUUID()
  return async () => {
    const session = await openSession({
      connectionString,
      name: 'ratecard-meter',
      statementTimeoutMs: budgets.batchStatementMs,
      lockTimeoutMs,
    })
    return {
      async reserve(number, items) {
        const text = await session.call('reserve_units', reserveArguments({ lane, number }, limits, items))
        return readOutcome(text ?? '')
      },
      async release(number, releases) {
        await session.call('release_units', releaseArguments({ lane, number }, releases))
      },
      settle: (number) => session.call('settle_batch', [lane, number]),
      close: () => session.close(),
    }
  }
}
