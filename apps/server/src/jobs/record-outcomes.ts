import { isDatabaseUnavailable, logFailure, type Db } from '../database/connect.ts'
import { finishAttempts, type AttemptEnd, type SwitchOffRule } from '../features/webhooks/attempt-store.ts'
import type { Logger } from '../platform/logger.ts'
import { deliveryQueues, type DeliveryQueue } from '../queue/job-types.ts'
import type { JobAttempt, NewJob, Queue } from '../queue/queue.ts'
import { Batcher } from './batcher.ts'

/** What to write when a job is over: the end of the attempt, if there was one, and the job that follows, if one does. */
export interface JobOutcome {
  queueName: DeliveryQueue
  job: JobAttempt
  end: AttemptEnd | null
  /** A new job for the same delivery, and its queue. */
  next: { queueName: DeliveryQueue; job: NewJob<DeliveryQueue> } | null
}

export interface RecordOptions {
  db: Db
  queue: Queue
  switchOff: SwitchOffRule
  logger: Logger
}

/** Writes outcomes, many at once: the ends of attempts, the next ones, and the ends of jobs, all in one transaction. */
export function createOutcomeRecorder(options: RecordOptions): Batcher<JobOutcome> {
  return new Batcher({
    write: (outcomes) => record(options, outcomes),
    isOutage: isDatabaseUnavailable,
    onError: (error) => logFailure(options.logger, error, 'the outcome of deliveries could not be written'),
  })
}

async function record(
  { db, queue, switchOff }: RecordOptions,
  outcomes: readonly JobOutcome[],
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const ends = pickFirsts(outcomes.flatMap(({ end }) => end ?? []))
    const counted = new Set(ends)
    const recorded = ends.length > 0 ? await finishAttempts(trx, ends, switchOff) : new Set<string>()
    for (const queueName of deliveryQueues) {
      const own = outcomes.filter((outcome) => outcome.queueName === queueName)
      const jobs = own.map(({ job }) => job)
      const ended = await queue.complete(trx, queueName, jobs)
      // The worker that recorded the attempt makes the next one, and the worker that ended the job puts it off. One
      // that came too late makes none, nor does one that writes again because it did not learn that it had.
      const continued = own.filter(({ end, job }) =>
        end ? counted.has(end) && recorded.has(end.deliveryId) : ended.has(job.id),
      )
      for (const target of deliveryQueues) {
        const next = continued.flatMap((outcome) =>
          outcome.next?.queueName === target ? outcome.next.job : [],
        )
        if (next.length > 0) await queue.enqueue(trx, target, next)
      }
    }
  })
}

/** One end per delivery: a job that was taken over while this process stood still may have ended here twice. */
function pickFirsts(ends: readonly AttemptEnd[]): AttemptEnd[] {
  const seen = new Set<string>()
  return ends.filter(({ deliveryId }) => !seen.has(deliveryId) && seen.add(deliveryId))
}
