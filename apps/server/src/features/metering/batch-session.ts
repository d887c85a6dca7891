import { randomUUID } from 'node:crypto'
import { openSession } from '../../database/session.ts'
import type { BatchSession } from './reservation-batcher.ts'
import { readOutcome, releaseArguments, reserveArguments, type DailyLimits } from './unit-store.ts'

/**
 * Opens the connections of one batcher of this process, one after the other.
 * @param options.lockTimeoutMs how long a statement waits for a counter that another session holds
 */
export function batchSessionConnector({
  connectionString,
  limits,
  lockTimeoutMs,
}: {
  connectionString: string
  limits: DailyLimits
  lockTimeoutMs: number
}): () => Promise<BatchSession> {
  const batcher = randomUUID()
  return async () => {
    const session = await openSession(connectionString, lockTimeoutMs)
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
