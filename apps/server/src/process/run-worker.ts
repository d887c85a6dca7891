import { openProcessAdmin, reachSchema, runProcess, startWorkerWhenAvailable } from './process-life.ts'
import { publicUrls, type Config } from '../platform/config.ts'
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
    const adminPort = await openProcessAdmin(context, () =>
      Promise.resolve(ready ? null : 'waiting for the database'),
    )
    return async () => {
      await reachSchema(context, { migrate: true })
      const worker = await startWorkerWhenAvailable(context, publicUrls(config, config.PORT).base)
      if (!worker) return
      context.resources.defer(() => worker.stop())
      ready = true
      onReady?.({ adminPort })
    }
  })
}
