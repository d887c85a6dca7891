import type { RequestListener } from 'node:http'
import { sql } from 'kysely'
import { createApi, enforceContract, loadSignIn, openMeter, openPayments, openReplica } from './app.ts'
import { connectForDashboard, connectForRequests, openSecrets, openStore, type Store } from './store.ts'
import { openAdmin } from './http/admin.ts'
import { createLimitedServer, drain, listen } from './http/listen.ts'
import { createMetrics } from './platform/metrics.ts'
import { publicUrls, type Config, type PublicUrls } from './platform/config.ts'
import type { Logger } from './platform/logger.ts'
import { createRangeCheck } from './platform/network.ts'
import { answerReports } from './platform/process-reports.ts'
import { keepAlive, reachSchema, stopped, stopSignal, whenAvailable } from './process-life.ts'
import { createLazyAlertQueue } from './alert-queue.ts'
import type { Worker } from './worker.ts'

const drainTimeoutMs = 10_000

export interface ServeOptions {
  config: Config
  logger: Logger
  /** Bring the schema up to date, or refuse to serve an old one. */
  migrate: boolean
  /** Send alerts from this process. */
  worker: boolean
  /** Answer on the admin port; else the first process asks for what it answers there. */
  admin?: boolean
  /** Runs once the schema is there and before the first request is let in. */
  prepare?: (store: Store) => Promise<void>
  /** Told when requests are served. */
  onListening?: (addresses: { urls: PublicUrls; adminPort: number | null; store: Store }) => void
}

/**
 * Runs the server until SIGINT or SIGTERM. It listens at once and answers 503 while the database is away; with
 * `prepare` it listens when that is done.
 */
export async function serve({
  config,
  logger,
  prepare,
  onListening,
  admin: answersAdmin = true,
  ...options
}: ServeOptions): Promise<void> {
  const stop = stopSignal()
  const enforcement = await enforceContract()
  await using resources = new AsyncDisposableStack()
  // An embedded database takes a second to start: meanwhile the processor has time.
  const [store] = await Promise.all([openStore(config, (text) => logger.warn(text)), loadSignIn()])
  // First in, last out: the database outlives everything that uses it.
  resources.defer(() => store.close())
  const secrets = await openSecrets(config, store)

  let ready = false
  let worker: Worker | null = null
  const prepareDatabase = async () => {
    await reachSchema(store, { migrate: options.migrate, logger, signal: stop })
    await prepare?.(store)
    ready = true
  }
  if (prepare) await prepareDatabase()
  if (stop.aborted) return

  const metrics = createMetrics()
  const db = connectForRequests(config, store, logger)
  resources.defer(() => db.destroy())
  const dashboardDb = connectForDashboard(config, store, logger)
  resources.defer(() => dashboardDb.destroy())
  const replica = openReplica(config, logger)
  resources.defer(() => replica?.close())
  const meter = openMeter(config, store, logger)
  resources.defer(() => meter.close())
  const alertQueue = createLazyAlertQueue(config, store, logger)
  resources.defer(() => alertQueue.close())
  const whyNotReady = async () => {
    if (stop.aborted) return 'stopping'
    if (!ready) return 'waiting for the database'
    return sql`select 1`.execute(db).then(
      () => null,
      () => 'the database does not answer',
    )
  }
  let adminPort: number | null = null
  if (answersAdmin) {
    const admin = await openAdmin({ metrics, whyNotReady }, config)
    adminPort = admin.port
    resources.defer(() => admin.close())
  } else {
    answerReports(async () => ({ whyNotReady: await whyNotReady(), metrics: await metrics.collect() }))
  }
  const payments = await openPayments(config)
  let handle: RequestListener = (_req, res) => void res.destroy()
  const limited = createLimitedServer((req, res) => handle(req, res), {
    connectionsMax: config.CONNECTIONS_MAX,
    perNetworkMax: config.CONNECTIONS_PER_CLIENT_MAX,
    isTrusted: createRangeCheck(config.TRUSTED_PROXIES),
  })
  const port = await listen(limited.server, { host: config.HOST, port: config.PORT, portName: 'PORT' })
  const urls = publicUrls(config, port)
  handle = createApi({
    ...enforcement,
    config,
    db,
    dashboardDb,
    replica,
    meter,
    secrets,
    logger,
    metrics,
    urls,
    payments,
    openAlertQueue: alertQueue.open,
    isReady: () => ready,
    isStopping: () => stop.aborted,
  })
  resources.defer(() => worker?.stop())
  resources.defer(() => drain(limited, { timeoutMs: drainTimeoutMs }))
  logger.info({ host: config.HOST, port, admin_port: adminPort }, 'listening')
  onListening?.({ urls, adminPort, store })

  const begin = async () => {
    if (!ready) await prepareDatabase()
    if (!options.worker || stop.aborted) return
    const { document } = enforcement.contract
    const { startWorker } = await import('./worker.ts')
    worker = await whenAvailable(
      () => startWorker({ config, store, secrets, logger, metrics, publicUrl: urls.base, document }),
      { logger, signal: stop, waiting: 'alerts are not sent yet: the database does not allow it' },
    )
  }
  const begun = begin()
  const watch = keepAlive(store, logger, stop)
  await Promise.race([stopped(stop), begun.then(() => stopped(stop))])
  logger.info('stopping: no new connections, requests in flight are answered')
  await Promise.all([watch, begun])
}
