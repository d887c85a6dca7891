import { connect, type Db } from '../../database/connect.ts'
import { createBodyCheck } from '../../features/webhooks/alert-schema.ts'
import type { AlertOptions } from '../../features/webhooks/publish-alerts.ts'
import type { Config } from '../../platform/config.ts'
import { loadContract } from '../../platform/contract.ts'
import { createLogger } from '../../platform/logger.ts'
import { computeJobTimeout } from '../../queue/job-types.ts'
import type { Queue } from '../../queue/queue.ts'

// What a thread takes in or decides is written and alerted on connections of its own.

/** What a thread is told to publish by. */
export type PublishingTask = ReturnType<typeof toPublishingTask>

export function toPublishingTask(options: { config: Config; connectionString: string; publicUrl: string }) {
  const { config, connectionString, publicUrl } = options
  return {
    connectionString,
    publicUrl,
    jobTimeoutSeconds: computeJobTimeout(config),
    severityMin: config.ALERT_MIN_SEVERITY,
    logLevel: config.LOG_LEVEL,
  }
}

export function connectForPublishing(
  { connectionString }: PublishingTask,
  settings: Record<string, string> = {},
): Db {
  return connect({ connectionString, connectionsMax: 2, settings })
}

/** Most runs alert no subscription, and need not load the queue: the first job opens it. */
export async function openAlerts(
  { connectionString, jobTimeoutSeconds, publicUrl, severityMin, logLevel }: PublishingTask,
  resources: AsyncDisposableStack,
): Promise<AlertOptions> {
  let opened: Promise<Queue> | null = null
  resources.defer(async () => (await opened)?.stop())
  const queue: Pick<Queue, 'enqueue'> = {
    async enqueue(...jobs) {
      const { openQueue } = await import('../../queue/queue.ts')
      const logger = createLogger(logLevel)
      opened ??= openQueue({ connectionString, jobTimeoutSeconds, logger, supervise: false })
      return (await opened).enqueue(...jobs)
    },
  }
  const check = createBodyCheck((await loadContract()).document)
  return { queue, publicUrl, check, severityMin }
}
