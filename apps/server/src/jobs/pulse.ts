import { logFailure, type Db } from '../database/connect.ts'
import { beat, pulseMs } from '../features/cells/pulse.ts'
import type { Logger } from '../platform/logger.ts'
import { startPolling, type Polling } from './poll.ts'

/** In a hub, tells its cells from time to time that it lives, until stopped. Elsewhere it does nothing. */
export function startPulse({ db, logger }: { db: Db; logger: Logger }): Polling {
  return startPolling(() => beat(db), {
    pollMs: pulseMs,
    onError: (error) => logFailure(logger, error, 'the cells are not told that their hub lives'),
  })
}
