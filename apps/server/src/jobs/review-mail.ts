import { logFailure, type Db } from '../database/connect.ts'
import { takeNews } from '../ingest/review/review-mail.ts'
import { requestMail } from '../features/members/mail-queue.ts'
import type { Clock } from '../platform/clock.ts'
import type { Logger } from '../platform/logger.ts'
import type { Queue } from '../queue/queue.ts'
import { startPolling, type Polling } from './poll.ts'

export interface ReviewMailOptions {
  db: Db
  queue: Pick<Queue, 'enqueue'>
  /** The addresses that are mailed. */
  operators: readonly string[]
  clock: Clock
  logger: Logger
}

const pollMs = 60_000

/** Mails operators when something waits for them, until stopped: `jobs/mail.ts` sends what is queued here. */
export function startReviewMails(options: ReviewMailOptions): Polling {
  return startPolling(
    async () => {
      await tellOperators(options)
      return false
    },
    { pollMs, onError: (error) => logFailure(options.logger, error, 'operators are not told what waits') },
  )
}

/**
 * Queues a mail to each operator when there is news: in one transaction with the note that it was told, so neither a
 * restart nor another worker tells it again.
 * @returns how many mails
 */
export async function tellOperators({
  db,
  queue,
  operators,
  clock,
  logger,
}: ReviewMailOptions): Promise<number> {
  if (operators.length === 0) return 0
  const news = await db.transaction().execute(async (trx) => {
    const taken = await takeNews(trx)
    if (taken === null) return null
    for (const email of operators)
      await requestMail(trx, queue, { kind: 'review', email }, { now: clock.now() })
    return taken
  })
  if (news === null) return 0
  logger.info({ ...news, operators: operators.length }, 'operators are mailed what waits')
  return operators.length
}
