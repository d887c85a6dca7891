import type { MailQueue } from './features/members/mail-queue.ts'
import type { AlertQueue } from './features/webhooks/actions.ts'
import type { Config } from './platform/config.ts'
import type { Logger } from './platform/logger.ts'
import { computeJobTimeout } from './queue/job-types.ts'
import type { Queue } from './queue/queue.ts'
import { directUrl, type DatabaseServer } from './database-server.ts'

/** The queue of deliveries, mails and runs of sources. */
export async function openAlertQueue(
  config: Config,
  databaseServer: DatabaseServer,
  logger: Logger,
  { supervise }: { supervise: boolean },
): Promise<Queue> {
  const jobTimeoutSeconds = computeJobTimeout(config)
  const { openQueue } = await import('./queue/queue.ts')
  return openQueue({
    connectionString: directUrl(databaseServer),
    isDirect: databaseServer.directConnectionString !== undefined,
    jobTimeoutSeconds,
    logger,
    supervise,
  })
}

/** The queue for requests, which seldom put something into it. */
export function createLazyAlertQueue(config: Config, databaseServer: DatabaseServer, logger: Logger) {
  let queue: Promise<Queue> | null = null
  return {
    /** Opens it unless it is open already. */
    open: (): Promise<AlertQueue & MailQueue> => {
      const opening = (queue ??= openAlertQueue(config, databaseServer, logger, { supervise: false }))
      // The next caller tries again.
      opening.catch(() => {
        if (queue === opening) queue = null
      })
      return opening
    },
    async close(): Promise<void> {
      const opened = await queue?.catch(() => null)
      await opened?.stop()
    },
  }
}
