import { randomUUID } from 'node:crypto'
import { openSession } from '../../database/session.ts'
import { budgets } from '../../platform/budgets.ts'
import type { BatchSession } from './reservation-batcher.ts'
import { readOutcome, releaseArguments, reserveArguments, type DailyLimits } from './unit-store.ts'

export interface BatchConnection {
  connectionString: string
  limits: DailyLimits
  /** How long a statement waits for a counter that another session holds. */
  lockTimeoutMs: number
}

/** Opens the connections of one batcher of this process, one after the other. */
export function batchSessionConnector({
  connectionString,
  limits,
  lockTimeoutMs,
}: BatchConnection): () => Promise<BatchSession> {
  const batcher = randomUUID()
  return async () => {
    const session = await openSession({
      connectionString,
      name: 'ratecard-meter',
      statementTimeoutMs: budgets.batchStatementMs,
      lockTimeoutMs,
    })
    return {
      async reserve(number, items) {
        const text = await session.call('reserve_units', reserveArguments({ batcher, number }, limits, items))
        return readOutcome(text ?? '')
      },
      async release(number, releases) {
        await session.call('release_units', releaseArguments({ batcher, number }, releases))
      },
      recover: (number) => session.call('recover_batch', [batcher, number]),
      close: () => session.close(),
    }
  }
}
