import type { RequestListener } from 'node:http'
import {
  createApi,
  compileContracts,
  openMeter,
  openPayments,
  openReplica,
  openRequestRecorder,
} from '../app.ts'
import { loadAuth } from '../features/members/auth.ts'
import { poolFigures } from '../database/connect.ts'
import { connectForDashboard, connectForReaders, type DatabaseServer } from '../database-server.ts'
import { readFeedAge, whyBehind } from '../features/cells/pulse.ts'
import type { SecretBox } from '../features/webhooks/secret-box.ts'
import { adviseOnPages } from '../http/dashboard/pages.ts'
import { PageSource } from '../http/html/page-source.ts'
import { createLimitedServer, drain, listen } from '../http/socket/listen.ts'
import { drainDelayMs, publicUrl, type Config } from '../platform/config.ts'
import type { Logger } from '../platform/logger.ts'
import { createRangeCheck } from '../platform/network.ts'
import { answerReports } from '../platform/process-reports.ts'
import { degradedBy, unavailable } from '../platform/readiness.ts'
import { DatabaseWatch } from './database-watch.ts'
import {
  openProcessAdmin,
  reachSchema,
  runProcess,
  startWorkerWhenAvailable,
  untilLeaving,
  watchSchema,
  type ProcessContext,
} from './process-life.ts'
import { createLazyAlertQueue } from '../alert-queue.ts'
import { Watch } from './watch.ts'
import type { Worker } from './worker.ts'

export interface ServeOptions {
  config: Config
  logger: Logger
  /** Bring the schema up to date, or refuse to serve an old one. */
  migrate: boolean
  /** Send alerts from this process. */
  worker: boolean
  /** Answer on the admin port; else the first process asks for what it answers there. */
  admin?: boolean
  /** Where Stripe is reached, when not at Stripe itself. */
  stripeUrl?: string | undefined
  /** Runs once the schema is there and before the first request is let in. */
  prepare?: (databaseServer: DatabaseServer, secrets: SecretBox) => Promise<void>
  /** Called when requests are served. */
  onListening?: (addresses: { url: string; adminPort: number | null; databaseServer: DatabaseServer }) => void
}

/**
 * Runs the server until SIGINT or SIGTERM. It listens when it can serve, or when it has found that the database is away,
 * and answers 503 meanwhile: a proxy that asks the next server where nobody listens never meets one that still starts.
 * With `prepare` it listens when that is done.
 */
export function serve(options: ServeOptions): Promise<void> {
  return runProcess(options.config, options.logger, (context) => startServer(context, options), loadAuth)
}

async function startServer(
  context: ProcessContext,
  { prepare, onListening, admin: answersAdmin = true, ...options }: ServeOptions,
): Promise<(() => Promise<void>) | null> {
  const { config, logger, databaseServer, metrics, resources, ending, stop } = context
  const { connectionString } = databaseServer
  const contracts = await compileContracts()
  let ready = false
  let worker: Worker | null = null
  const away = Promise.withResolvers<void>()
  const givingUp = new AbortController()
  const preparing = async () => {
    const signal = AbortSignal.any([stop, givingUp.signal])
    await reachSchema({ ...context, stop: signal }, options, () => away.resolve())
    if (signal.aborted) return
    await prepare?.(databaseServer, context.secrets)
    ready = true
  }
  const prepared = preparing()
  prepared.catch(() => undefined)
  resources.defer(async () => {
    givingUp.abort()
    await prepared.catch(() => undefined)
  })
  if (prepare) await prepared
  if (stop.aborted) return null

  const db = resources.use(connectForReaders(databaseServer, logger, config.DATABASE_POOL_SIZE))
  const dashboardDb = resources.use(connectForDashboard(databaseServer, logger))
  const replica = openReplica(config, logger)
  resources.defer(() => replica?.close())
  const meter = openMeter(databaseServer, { ...context, db })
  resources.defer(() => meter.close())
  const requestLog = openRequestRecorder(databaseServer, { ...contracts, logger, metrics })
  resources.defer(() => requestLog.close())
  const alertQueue = createLazyAlertQueue(config, databaseServer, logger)
  resources.defer(() => alertQueue.close())
  const watch = new DatabaseWatch(db, () => meter.whyNoWrites())
  const whyNoDatabase = () => watch.whyNot()
  const schemaWatch = watchSchema(db)
  const feedWatch = new Watch(() => readFeedAge(db).then(whyBehind))
  metrics.watchDatabase(() => watch.state())
  metrics.watchServerSlots(() => watch.slots())
  metrics.watchPool('api', () => poolFigures(db))
  metrics.watchPool('dashboard', () => poolFigures(dashboardDb))
  if (replica) metrics.watchPool('replica', () => replica.pool())
  const state = {
    readiness: async () =>
      ready
        ? degradedBy((await whyNoDatabase()) ?? (await schemaWatch.whyNot()) ?? (await feedWatch.whyNot()))
        : unavailable('waiting for the database'),
    whyNoDatabase,
  }
  const adminPort = answersAdmin ? await openProcessAdmin(context, state) : null
  if (!answersAdmin) {
    const { readiness } = untilLeaving(context, state)
    answerReports(async () => {
      const [said, reason, figures] = await Promise.all([readiness(), whyNoDatabase(), metrics.collect()])
      return { readiness: said, whyNoDatabase: reason, metrics: figures }
    })
  }
  const pageSource = new PageSource(dashboardDb)
  const payments = await openPayments(config, context, options.stripeUrl)
  let handle: RequestListener = (_req, res) => void res.destroy()
  const limited = createLimitedServer((req, res) => handle(req, res), {
    connectionsMax: config.CONNECTIONS_MAX,
    perNetworkMax: config.CONNECTIONS_PER_CLIENT_MAX,
    isTrusted: createRangeCheck(config.TRUSTED_PROXIES),
  })
  await Promise.race([prepared, away.promise])
  if (stop.aborted) return null
  const port = await listen(limited.server, { host: config.HOST, port: config.PORT, portName: 'PORT' })
  const url = publicUrl(config, port)
  handle = createApi({
    ...contracts,
    ...context,
    db,
    dashboardDb,
    replica,
    meter,
    recorder: requestLog.recorder,
    publicUrl: url,
    payments,
    openAlertQueue: alertQueue.open,
    connectionString,
    pageSource,
    isReady: () => ready,
    // Connections are given up while new ones still find the server.
    isStopping: () => ending.leaving.aborted,
  })
  resources.defer(() => worker?.stop())
  resources.defer(() => drain(limited))
  ending.delayBy(drainDelayMs(config))
  logger.info({ host: config.HOST, port, admin_port: adminPort }, 'listening')
  const advice = adviseOnPages()
  if (advice !== null) logger.warn(advice)
  onListening?.({ url, adminPort, databaseServer })

  return async () => {
    await prepared
    pageSource.warmUp().catch(() => undefined)
    if (options.worker) worker = await startWorkerWhenAvailable(context, url)
  }
}
