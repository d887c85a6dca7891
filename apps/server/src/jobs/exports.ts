import { logFailure, type Db } from '../database/connect.ts'
import { areExportsOld } from '../exports/make-exports.ts'
import { makeExportsInThread, type ExportsTask } from '../exports/make-in-thread.ts'
import { createSigner } from '../exports/signature.ts'
import type { Logger } from '../platform/logger.ts'
import { startPolling, type Polling } from './poll.ts'

const pollMs = 2_000
/** They are not made anew for so many times as long as it took: an import of many small steps moves the list often. */
const restFactor = 5

/** Makes the files that other programs load whenever the list has moved, until stopped. */
export function startExports({ db, logger, ...task }: ExportsTask & { db: Db; logger: Logger }): Polling {
  const signer = createSigner(task.secret)
  let restsUntilMs = 0
  const work = async (signal: AbortSignal) => {
    if (performance.now() < restsUntilMs || !(await areExportsOld(db, signer))) return false
    const begunAtMs = performance.now()
    try {
      await makeExportsInThread(task, signal)
    } catch (error) {
      // Who stops it wants no files; the next to start makes them.
      if (!signal.aborted) throw error
    } finally {
      const tookMs = performance.now() - begunAtMs
      restsUntilMs = performance.now() + restFactor * tookMs
    }
    return false
  }
  return startPolling(work, {
    pollMs,
    onError: (error) => logFailure(logger, error, 'the exports are not made'),
  })
}
