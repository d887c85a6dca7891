import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { createLogger } from '../platform/logger.ts'
import { connect, isDatabaseUnavailable, type Db } from '../database/connect.ts'
import { FeatureError } from '../features/feature-error.ts'
import { createBodyCheck } from '../features/webhooks/alert-schema.ts'
import { runDue } from '../feed/due.ts'
import { toDueFigures, toFigures } from '../feed/figures.ts'
import { acceptHolds, rejectHolds } from '../feed/review.ts'
import { runSource } from '../feed/run-source.ts'
import type { AlertOptions } from '../features/webhooks/publish-alerts.ts'
import { loadContract } from '../platform/contract.ts'
import { UserError } from '../platform/user-error.ts'
import type { Queue } from '../queue/queue.ts'
import type { ThreadAnswer, ThreadTask } from './feed-runner.ts'

// One run of a source, what dated prices bring, or an operator's decision, in a thread and on connections of its own: `feed-runner.ts` starts it.

async function work(task: ThreadTask, signal: AbortSignal): Promise<ThreadAnswer> {
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
      const { openQueue } = await import('../queue/queue.ts')
      opened ??= openQueue({ connectionString, jobTimeoutSeconds, logger, supervise: false })
      return (await opened).enqueue(...jobs)
    },
  }
  if (job.kind === 'review' && job.as !== 'move') return { review: await decide(db, job, null) }
  const check = createBodyCheck((await loadContract()).document)
  const alerts = { queue, publicUrl, check, severityMin }
  if (job.kind === 'due') return { due: toDueFigures(await runDue(db, { alerts })) }
  if (job.kind === 'review') return { review: await decide(db, job, alerts) }
  const { source, url } = job
  return {
    figures: toFigures(
      await runSource(db, { source, location: url === null ? null : { url }, contact, keys, alerts, signal }),
    ),
  }
}

// A run of a large list holds the lock of runs for some seconds, and somebody waits for the answer.
const reviewLockMs = 10_000
const lockNotAvailable = '55P03'

async function decide(
  db: Db,
  { ids, as, note, by }: Extract<ThreadTask['work'], { kind: 'review' }>,
  alerts: AlertOptions | null,
): Promise<Extract<ThreadAnswer, { review: unknown }>['review']> {
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

function toFailure(error: unknown): ThreadAnswer {
  if (error instanceof FeatureError) {
    const { message, refusal } = error
    return { failure: { kind: 'refused', message, refusal } }
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  if (error instanceof UserError) return { failure: { kind: 'user', message } }
  return { failure: { kind: isDatabaseUnavailable(error) ? 'database' : 'fault', message: stack ?? message } }
}

if (!isMainThread && parentPort) {
  const stopping = new AbortController()
  parentPort.once('message', () => stopping.abort(new Error('The worker stops.'))).unref()
  parentPort.postMessage(await work(workerData as ThreadTask, stopping.signal).catch(toFailure))
}
