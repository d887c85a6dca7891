import { connectForReaders } from '../database-server.ts'
import { unavailable, ok } from '../platform/readiness.ts'
import { DatabaseWatch } from './database-watch.ts'
import {
  openProcessAdmin,
  reachSchema,
  runProcess,
  startWorkerWhenAvailable,
  watchSchema,
} from './process-life.ts'
import { publicUrl, type Config } from '../platform/config.ts'
import type { Logger } from '../platform/logger.ts'

export interface RunWorkerOptions {
  config: Config
  logger: Logger
  /** Called when alerts are sent. */
  onReady?: (addresses: { adminPort: number }) => void
}

/** Sends alerts and serves no API, until SIGINT or SIGTERM. Any number of these may run. */
export function runWorker({ config, logger, onReady }: RunWorkerOptions): Promise<void> {
  return runProcess(config, logger, async (context) => {
    let ready = false
    const db = context.resources.use(connectForReaders(context.databaseServer, logger, 1))
    const watch = new DatabaseWatch(db)
    const schemaWatch = watchSchema(db)
    context.metrics.watchDatabase(() => watch.state())
    context.metrics.watchServerSlots(() => watch.slots())
    // No balancer sends it anything: what asks is a rollout, which should not go on when new workers cannot work.
    const readiness = async () => {
      const reason = ready
        ? ((await watch.whyNot()) ?? (await schemaWatch.whyNot()))
        : 'waiting for the database'
      return reason === null ? ok : unavailable(reason)
    }
    const adminPort = await openProcessAdmin(context, { readiness, whyNoDatabase: () => watch.whyNot() })
    return async () => {
      await reachSchema(context, { migrate: true })
      const worker = await startWorkerWhenAvailable(context, publicUrl(config, config.PORT))
      if (!worker) return
      context.resources.defer(() => worker.stop())
      ready = true
      onReady?.({ adminPort })
    }
  })
}
