import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import {
  connectForRequests,
  connectForWork,
  createApi,
  enforceContract,
  openSecrets,
  openStore,
  type Store,
} from './app.ts'
import { isDatabaseUnavailable } from './database/connect.ts'
import { migrate, pendingMigrations } from './database/migrate.ts'
import { createAdminApp } from './http/admin.ts'
import { createLimitedServer, drain, listen } from './http/listen.ts'
import { createMetrics } from './http/metrics.ts'
import { answerParserErrors } from './http/parser-errors.ts'
import { watchLauncher } from './platform/launcher.ts'
import { publicUrls, type Config, type PublicUrls } from './platform/config.ts'
import type { Logger } from './platform/logger.ts'
import { UserError } from './platform/user-error.ts'

const drainTimeoutMs = 10_000
const retryMs = 500
const reviveMs = 2_000

export interface ServeOptions {
  config: Config
  logger: Logger
  /** Bring the schema up to date, or refuse to serve an old one. */
  migrate: boolean
  /** Runs once the schema is there and before the first request is let in. */
  prepare?: (store: Store) => Promise<void>
  /** Told when requests are served. */
  onListening?: (addresses: { urls: PublicUrls; adminPort: number; store: Store }) => void
}

/**
 * Runs the server until SIGINT, SIGTERM or SIGHUP. It listens at once and answers 503 while the database is away; with
 * `prepare` it listens when that is done.
 */
export async function serve({
  config,
  logger,
  prepare,
  onListening,
  ...options
}: ServeOptions): Promise<void> {
  const stop = stopSignal()
  const enforcement = await enforceContract()
  await using resources = new AsyncDisposableStack()
  const store = await openStore(config)
  // First in, last out: the database outlives everything that uses it.
  resources.defer(() => store.close())
  if (store.embedded?.movedFrom !== undefined) {
    logger.warn(
      { data_dir: store.embedded.dataDir },
      'root runs the database as another user, who cannot enter DATA_DIR: its files are here instead',
    )
  }
  const secrets = await openSecrets(config, store)

  let ready = false
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
  const whyNotReady = async () => {
    if (stop.aborted) return 'stopping'
    if (!ready) return 'waiting for the database'
    return sql`select 1`.execute(db).then(
      () => null,
      () => 'the database does not answer',
    )
  }
  const admin = createLimitedServer(createAdminApp({ metrics, whyNotReady }))

  const adminPort = await listen(admin, {
    host: config.ADMIN_HOST,
    port: config.ADMIN_PORT,
    portName: 'ADMIN_PORT',
  })
  resources.defer(() => void admin.close().closeAllConnections())
  const server = createLimitedServer()
  const port = await listen(server, { host: config.HOST, port: config.PORT, portName: 'PORT' })
  const urls = publicUrls(config, port)
  server.on(
    'request',
    createApi({
      ...enforcement,
      config,
      db,
      secrets,
      logger,
      metrics,
      urls,
      isReady: () => ready,
      isStopping: () => stop.aborted,
    }),
  )
  answerParserErrors(server)
  resources.defer(() => drain(server, { timeoutMs: drainTimeoutMs }))
  logger.info({ host: config.HOST, port, admin_port: adminPort }, 'listening')
  onListening?.({ urls, adminPort, store })

  const failure = prepare ? Promise.resolve() : prepareDatabase()
  const failed = failure.then(() => new Promise<never>(() => {}))
  const watch = keepAlive(store, logger, stop)
  await Promise.race([once(stop, 'abort'), failed])
  logger.info('stopping: no new connections, requests in flight are answered')
  await watch
}

/** Aborts at the first SIGINT, SIGTERM, or SIGHUP of a terminal that closes. At the second the process ends at once, by the system's default. */
function stopSignal(): AbortSignal {
  const controller = new AbortController()
  void watchLauncher(() => controller.abort())
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => controller.abort())
  return controller.signal
}

/** Waits until the database answers and has our schema. */
async function reachSchema(
  store: Store,
  { migrate: mayMigrate, logger, signal }: { migrate: boolean; logger: Logger; signal: AbortSignal },
): Promise<void> {
  const db = connectForWork(store)
  try {
    for (let attempt = 1; !signal.aborted; attempt += 1) {
      try {
        const names = mayMigrate ? await migrate(db) : await assertSchema(() => pendingMigrations(db))
        if (names.length > 0) logger.info({ migrations: names }, 'database migrated')
        return
      } catch (error) {
        if (!isDatabaseUnavailable(error)) throw error
        if (attempt === 1) logger.warn({ err: error }, 'the database is away: answering 503 until it comes')
        await setTimeout(retryMs, undefined, { signal }).catch(() => undefined)
      }
    }
  } finally {
    await db.destroy()
  }
}

async function assertSchema(listPending: () => Promise<string[]>): Promise<string[]> {
  const pending = await listPending()
  if (pending.length === 0) return []
  throw new UserError(
    `The database lacks migrations: ${pending.join(', ')}. Run "ratecard migrate", or serve without --no-migrate.`,
  )
}

/** Looks after an embedded database until we stop: one that is killed is started again. */
async function keepAlive(store: Store, logger: Logger, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && store.embedded) {
    await setTimeout(reviveMs, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
    await store
      .revive()
      .catch((error: unknown) => logger.error({ err: error }, 'the embedded database does not start'))
  }
}
