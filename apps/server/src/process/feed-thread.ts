import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { createLogger } from '../platform/logger.ts'
import { connect, isDatabaseUnavailable } from '../database/connect.ts'
import { createBodyCheck } from '../features/webhooks/alert-schema.ts'
import { runDue } from '../feed/due.ts'
import { dueFiguresOf, figuresOf } from '../feed/figures.ts'
import { runSource } from '../feed/run-source.ts'
import { loadContract } from '../platform/contract.ts'
import { UserError } from '../platform/user-error.ts'
import type { Queue } from '../queue/queue.ts'
import type { ThreadAnswer, ThreadTask } from './feed-runner.ts'

// One run of a source, or what dated prices bring, in a thread and on connections of its own: `feed-runner.ts` starts it.

async function work(task: ThreadTask, signal: AbortSignal): Promise<ThreadAnswer> {
  const { connectionString, jobTimeoutSeconds, publicUrl, severityMin, feed } = task
  const logger = createLogger(task.logLevel)
  await using resources = new AsyncDisposableStack()
  const db = resources.use(connect({ connectionString, connectionsMax: 2 }))
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
  const check = createBodyCheck((await loadContract()).document)
  const alerts = { queue, publicUrl, check, severityMin }
  if (feed === null) {
    return { due: dueFiguresOf(await runDue(db, { alerts })) }
  }
  const { source, url } = feed
  return {
    figures: figuresOf(
      await runSource(db, { source, location: url === null ? null : { url }, alerts, signal }),
    ),
  }
}

function failureOf(error: unknown): ThreadAnswer {
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  if (error instanceof UserError) return { failure: { kind: 'user', message } }
  return { failure: { kind: isDatabaseUnavailable(error) ? 'database' : 'fault', message: stack ?? message } }
}

if (!isMainThread && parentPort) {
  const stopping = new AbortController()
  parentPort.once('message', () => stopping.abort(new Error('The worker stops.'))).unref()
  parentPort.postMessage(await work(workerData as ThreadTask, stopping.signal).catch(failureOf))
}
