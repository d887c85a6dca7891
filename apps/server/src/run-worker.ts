import { openSecrets, openStore } from './store.ts'
import { openAdmin } from './http/admin.ts'
import { createMetrics } from './platform/metrics.ts'
import { publicUrls, type Config } from './platform/config.ts'
import type { Logger } from './platform/logger.ts'
import { keepAlive, reachSchema, stopped, stopSignal, whenAvailable } from './process-life.ts'
import { startWorker } from './worker.ts'

export interface RunWorkerOptions {
  config: Config
  logger: Logger
  /** Told when alerts are sent. */
  onReady?: (addresses: { adminPort: number }) => void
}

/** Sends alerts and serves no API, until SIGINT or SIGTERM. As many of these may run as one likes. */
export async function runWorker({ config, logger, onReady }: RunWorkerOptions): Promise<void> {
  const stop = stopSignal()
  await using resources = new AsyncDisposableStack()
  const store = await openStore(config, (text) => logger.warn(text))
  resources.defer(() => store.close())
  const secrets = await openSecrets(config, store)
  const metrics = createMetrics()
  let ready = false
  const whyNotReady = () =>
    Promise.resolve(stop.aborted ? 'stopping' : ready ? null : 'waiting for the database')
  const admin = await openAdmin({ metrics, whyNotReady }, config)
  resources.defer(() => admin.close())

  await reachSchema(store, { migrate: true, logger, signal: stop })
  if (stop.aborted) return
  const publicUrl = publicUrls(config, config.PORT).base
  const worker = await whenAvailable(
    () => startWorker({ config, store, secrets, logger, metrics, publicUrl }),
    { logger, signal: stop, waiting: 'alerts are not sent yet: the database does not allow it' },
  )
  if (!worker) return
  resources.defer(() => worker.stop())
  ready = true
  onReady?.({ adminPort: admin.port })
  const watch = keepAlive(store, logger, stop)
  await stopped(stop)
  logger.info('stopping: attempts in flight come to their end')
  await watch
}
