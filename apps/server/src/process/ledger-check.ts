import { logFailure, type Db } from '../database/connect.ts'
import { verifyLedger } from '../features/metering/verify-ledger.ts'
import { startPolling, type Polling } from '../jobs/poll.ts'
import type { Logger } from '../platform/logger.ts'
import type { Metrics } from '../platform/metrics.ts'

interface LedgerCheckOptions {
  db: Db
  logger: Logger
  metrics: Pick<Metrics, 'observeLedger'>
  firstMs?: number
  everyMs?: number
}

// A year of 5,000 keys takes 5 s: seldom enough that nobody notices, often enough that a wrong balance is found before
// the invoice. Not at the start, or a worker that is restarted again and again would do nothing else.
const firstMsMin = 600_000
const firstMsSpread = 600_000
const everyMsUsual = 24 * 3_600_000

/** Compares all balances with the ledger from time to time, for the operator's figures. */
export function startLedgerCheck({
  db,
  logger,
  metrics,
  firstMs = firstMsMin + Math.random() * firstMsSpread,
  everyMs = everyMsUsual,
}: LedgerCheckOptions): Polling {
  const work = async () => {
    const { differences } = await verifyLedger(db)
    metrics.observeLedger(differences.length, Date.now())
    // Which ones: `ledger verify` says so. They may be many.
    if (differences.length > 0)
      logger.error({ differences: differences.length }, 'balances differ from the ledger')
  }
  const onError = (error: unknown) => logFailure(logger, error, 'the ledger could not be checked')
  return startPolling(work, { pollMs: everyMs, firstMs, onError })
}
