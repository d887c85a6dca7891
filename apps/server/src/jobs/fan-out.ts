import { logFailure, type Db } from '../database/connect.ts'
import { fanOutAnnounced, listUntold, type FanOutOptions } from '../features/webhooks/fan-out.ts'
import type { Logger } from '../platform/logger.ts'
import { startPolling, type Polling } from './poll.ts'

export interface FanOutJobOptions extends FanOutOptions {
  db: Db
  logger: Logger
}

const pollMs = 1_000
const atOnceMax = 100

/** In a cell, makes the alerts of what its hub has announced, until stopped. Elsewhere it finds nothing. */
export function startFanOut({ db, logger, ...options }: FanOutJobOptions): Polling {
  const work = async (signal: AbortSignal) => {
    const untold = await listUntold(db, atOnceMax)
    for (const { id } of untold) {
      if (signal.aborted) return false
      // Each by itself: one that fails keeps none that came before it.
      const deliveries = await db.transaction().execute((trx) => fanOutAnnounced(trx, id, options))
      if (deliveries !== null) logger.info({ announcement: id, deliveries }, 'alerts of the hub are queued')
    }
    return untold.length === atOnceMax
  }
  return startPolling(work, {
    pollMs,
    onError: (error) => logFailure(logger, error, 'alerts of the hub are not queued yet'),
  })
}
