import { createLogger } from '../../platform/logger.ts'
import { connect, type Db } from '../../database/connect.ts'
import { FeatureError } from '../../features/feature-error.ts'
import { createBodyCheck } from '../../features/webhooks/alert-schema.ts'
import { runDue } from './due.ts'
import { toDueFigures, toFigures, type DueFigures, type RunFigures } from './figures.ts'
import { acceptHolds, rejectHolds } from '../review/review.ts'
import { runSource } from './run-source.ts'
import type { AlertOptions } from '../../features/webhooks/publish-alerts.ts'
import type { ReviewDesk } from '../../http/dashboard/review-desk.ts'
import { loadContract } from '../../platform/contract.ts'
import type { Queue } from '../../queue/queue.ts'
import type { ThreadTask } from './feed-runner.ts'
import { answerInThread } from '../../threads/in-thread.ts'

// One run of a source, what dated prices bring, or an operator's decision, in a thread and on connections of its own: `feed-runner.ts` starts it.

async function work(task: ThreadTask, signal: AbortSignal): Promise<RunFigures | DueFigures | ReviewOutcome> {
  const { connectionString, jobTimeoutSeconds, publicUrl, severityMin, contact, keys, work: job } = task
  const logger = createLogger(task.logLevel)
  await using resources = new AsyncDisposableStack()
  const settings = job.kind === 'review' ? { lock_timeout: String(reviewLockMs) } : {}
  const db = resources.use(connect({ connectionString, connectionsMax: 2, settings }))
  // Most runs alert no subscription, and need not load it.
  let opened: Promise<Queue> | null = null
  resources.defer(async () => (await opened)?.stop())
  const queue: Pick<Queue, 'enqueue'> = {
    async enqueue(...jobs) {
      const { openQueue } = await import('../../queue/queue.ts')
      opened ??= openQueue({ connectionString, jobTimeoutSeconds, logger, supervise: false })
      return (await opened).enqueue(...jobs)
    },
  }
  if (job.kind === 'review' && job.as !== 'move') return await decide(db, job, null)
  const check = createBodyCheck((await loadContract()).document)
  const alerts = { queue, publicUrl, check, severityMin }
  if (job.kind === 'due') return toDueFigures(await runDue(db, { alerts }))
  if (job.kind === 'review') return await decide(db, job, alerts)
  const { source, url } = job
  return toFigures(
    await runSource(db, { source, location: url === null ? null : { url }, contact, keys, alerts, signal }),
  )
}

type ReviewOutcome = Awaited<ReturnType<ReviewDesk['decide']>>

// A run of a large list holds the lock of runs for some seconds, and somebody waits for the answer.
const reviewLockMs = 10_000
const lockNotAvailable = '55P03'

async function decide(
  db: Db,
  { ids, as, note, by }: Extract<ThreadTask['work'], { kind: 'review' }>,
  alerts: AlertOptions | null,
): Promise<ReviewOutcome> {
  try {
    if (as === null) {
      const holds = await rejectHolds(db, ids, { reason: note ?? '', by })
      return { decided: holds.length, changes: [], deliveries: 0 }
    }
    const decided = await acceptHolds(db, ids, { as, note, by, alerts })
    const changes = decided.changes.flatMap(({ id }) => id ?? [])
    return { decided: decided.holds.length, changes, deliveries: decided.deliveries }
  } catch (error) {
    if ((error as { code?: unknown }).code !== lockNotAvailable) throw error
    throw new FeatureError('A source is being read. Nothing was decided: try again in a minute.', {
      code: 'conflict',
    })
  }
}

await answerInThread(work)
