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
import { connectForReaders, type DatabaseServer } from '../database-server.ts'
import { createLimitedServer, drain, listen } from '../http/socket/listen.ts'
import { publicUrls, type Config, type PublicUrls } from '../platform/config.ts'
import type { Logger } from '../platform/logger.ts'
import { createRangeCheck } from '../platform/network.ts'
import { answerReports } from '../platform/process-reports.ts'
import {
  openProcessAdmin,
  reachSchema,
  runProcess,
  startWorkerWhenAvailable,
  whyNotWritable,
  type ProcessContext,
} from './process-life.ts'
import { createLazyAlertQueue } from '../alert-queue.ts'
import { stateOf } from './database-state.ts'
import { createPriceFiles } from './price-file-maker.ts'
import { createReviewDesk } from './review-desk.ts'
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
  /** Runs once the schema is there and before the first request is let in. */
  prepare?: (databaseServer: DatabaseServer) => Promise<void>
  /** Called when requests are served. */
  onListening?: (addresses: {
    urls: PublicUrls
    adminPort: number | null
    databaseServer: DatabaseServer
  }) => void
}

/**
 * Runs the server until SIGINT or SIGTERM. It listens at once and answers 503 while the database is away; with
 * `prepare` it listens when that is done.
 */
export function serve(options: ServeOptions): Promise<void> {
  return runProcess(options.config, options.logger, (context) => startServer(context, options), loadAuth)
}

async function startServer(
  context: ProcessContext,
  { prepare, onListening, admin: answersAdmin = true, ...options }: ServeOptions,
): Promise<(() => Promise<void>) | null> {
  const { config, logger, databaseServer, metrics, resources, stop } = context
  const contracts = await compileContracts()
  let ready = false
  let worker: Worker | null = null
  const prepareDatabase = async () => {
    await reachSchema(context, options)
    await prepare?.(databaseServer)
    ready = true
  }
  if (prepare) await prepareDatabase()
  if (stop.aborted) return null

  const db = resources.use(connectForReaders(databaseServer, logger, config.DATABASE_POOL_SIZE))
  const dashboardDb = resources.use(connectForReaders(databaseServer, logger, config.DASHBOARD_POOL_SIZE))
  const replica = openReplica(config, logger)
  resources.defer(() => replica?.close())
  const meter = openMeter(config, databaseServer, context)
  resources.defer(() => meter.close())
  const requestLog = openRequestRecorder(databaseServer, { ...contracts, logger, metrics })
  resources.defer(() => requestLog.close())
  const alertQueue = createLazyAlertQueue(config, databaseServer, logger)
  resources.defer(() => alertQueue.close())
  metrics.watchDatabase(() => stateOf(db))
  metrics.watchPool('api', () => poolFigures(db))
  metrics.watchPool('dashboard', () => poolFigures(dashboardDb))
  if (replica) metrics.watchPool('replica', () => replica.pool())
  const whyNotReady = async () => {
    if (!ready) return 'waiting for the database'
    return whyNotWritable(db)
  }
  const adminPort = answersAdmin ? await openProcessAdmin(context, whyNotReady) : null
  if (!answersAdmin) {
    const whyNot = async () => (stop.aborted ? 'stopping' : whyNotReady())
    answerReports(async () => ({ whyNotReady: await whyNot(), metrics: await metrics.collect() }))
  }
  const files = createPriceFiles({ db: dashboardDb, connectionString: databaseServer.connectionString })
  resources.defer(() => files.close())
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
    ...contracts,
    ...context,
    db,
    dashboardDb,
    replica,
    meter,
    recorder: requestLog.recorder,
    urls,
    payments,
    openAlertQueue: alertQueue.open,
    review: createReviewDesk({
      config,
      connectionString: databaseServer.connectionString,
      publicUrl: urls.base,
    }),
    files,
    isReady: () => ready,
    isStopping: () => stop.aborted,
  })
  resources.defer(() => worker?.stop())
  resources.defer(() => drain(limited))
  logger.info({ host: config.HOST, port, admin_port: adminPort }, 'listening')
  onListening?.({ urls, adminPort, databaseServer })

  return async () => {
    if (!ready) await prepareDatabase()
    if (options.worker) worker = await startWorkerWhenAvailable(context, urls.base)
  }
}
