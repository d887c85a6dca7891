import { randomUUID } from 'node:crypto'
import { openSession, type Timeline } from '../../database/session.ts'
import type { Loss } from './lost-commits.ts'
import type { BatchSession } from './reservation-batcher.ts'
import { readOutcome, releaseArguments, reserveArguments, type DailyLimits } from './unit-store.ts'

/** Half of the time for which the row of a batcher that counts nothing is kept (`deleteOldBatchers`). */
const rowKeptMsMin = 3.5 * 86_400_000

/** Read by the statement of a batch as it was before the batch. */
const batchBefore = '(select batch from meter_batchers where id = $1)'

/**
 * Opens the connections of one batcher of this process, one after the other.
 * @param options.lockTimeoutMs how long a statement waits for a counter that another session holds
 * @param options.onLoss called when the database lacks a batch that it had confirmed
 */
export function batchSessionConnector({
  connectionString,
  limits,
  lockTimeoutMs,
  onLoss,
}: {
  connectionString: string
  limits: DailyLimits
  lockTimeoutMs: number
  onLoss: (loss: Loss) => void
}): () => Promise<BatchSession> {
  const batcher = randomUUID()
  let confirmed = 0
  let confirmedMs = 0
  let newest: Timeline | null = null

  const isOfNewest = (timeline: Timeline) => timeline.system === newest?.system
  /** What the database had before a batch, held against what it confirmed over any number of connections. */
  function check(before: number | null, timeline: Timeline | null): void {
    const isMissing = before === null && performance.now() - confirmedMs < rowKeptMsMin
    if (confirmed > 0 && (isMissing || (before !== null && before < confirmed)))
      onLoss({
        what: `batch ${confirmed} of the batcher ${batcher} was confirmed, and the database had ${before ?? 'none'}`,
        batches: confirmed - (before ?? 0),
      })
    if (!timeline || !newest) return
    // Of a primary that was replaced no commit is confirmed, or the one that replaced it is given up.
    if (isOfNewest(timeline) && timeline.number < newest.number)
      onLoss({ what: `timeline ${newest.number} was in use, and ${timeline.number} is again`, batches: 0 })
    newest = timeline
  }

  return async () => {
    const session = await openSession(connectionString, lockTimeoutMs)
    let { timeline } = session
    if (timeline && (!isOfNewest(timeline) || timeline.number > newest!.number)) newest = timeline
    const call = async (name: string, number: number, values: unknown[]) => {
      const { result, beside } = await session.call(name, values, batchBefore)
      check(beside === null ? null : Number(beside), timeline)
      confirmed = number
      confirmedMs = performance.now()
      timeline = null
      return result
    }
    return {
      async reserve(number, items) {
        const text = await call('reserve_units', number, reserveArguments({ batcher, number }, limits, items))
        return readOutcome(text ?? '')
      },
      async release(number, releases) {
        await call('release_units', number, releaseArguments({ batcher, number }, releases))
      },
      recover: (number) => call('recover_batch', number, [batcher, number]),
      close: () => session.close(),
    }
  }
}
