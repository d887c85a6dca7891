import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { connectForWork, openSecrets, openDatabaseServer, type DatabaseServer } from '../database-server.ts'
import { explainCertificate, isDatabaseUnavailable, type Db } from '../database/connect.ts'
import { newerMigrations, pendingMigrations } from '../database/migrate.ts'
import { readRole } from '../database/roles.ts'
import { requireReadableSecrets } from '../features/webhooks/reseal-secrets.ts'
import type { SecretBox } from '../features/webhooks/secret-box.ts'
import { openAdmin } from '../http/socket/admin.ts'
import type { Config } from '../platform/config.ts'
import { watchLauncher } from '../platform/launcher.ts'
import type { Logger } from '../platform/logger.ts'
import { createMetrics, type Metrics } from '../platform/metrics.ts'
import { UserError } from '../platform/user-error.ts'
import { bringUpToDate } from '../schema.ts'
import { startTracing } from './start-tracing.ts'
import type { Worker } from './worker.ts'

// What every long-running process has in common: what it works with, how it opens a database, and when it stops.

const retryMs = 500
const reviveMs = 2_000

/** What a long-running process works with. */
export interface ProcessContext {
  config: Config
  logger: Logger
  databaseServer: DatabaseServer
  secrets: SecretBox
  metrics: Metrics
  /** Closed when the process stops, the last one first. */
  resources: AsyncDisposableStack
  /** Aborts when the process is to stop. */
  stop: AbortSignal
}

/**
 * Runs a process until SIGINT or SIGTERM.
 * @param start brings the process up. Resolves to what it does from then on, whose failure ends the process; to null
 *   when the process is to stop before
 * @param meanwhile what is done while the database is opened
 */
export async function runProcess(
  config: Config,
  logger: Logger,
  start: (context: ProcessContext) => Promise<(() => Promise<unknown>) | null>,
  meanwhile: () => Promise<unknown> = () => Promise.resolve(),
): Promise<void> {
  const stop = stopSignal()
  await using resources = new AsyncDisposableStack()
  // An embedded database takes a second to start: meanwhile the processor has time.
  const [databaseServer] = await Promise.all([
    openDatabaseServer(config, (text) => logger.warn(text)),
    meanwhile(),
  ])
  // First in, last out: the database outlives everything that uses it.
  resources.defer(() => databaseServer.close())
  const secrets = await openSecrets(config, databaseServer)
  const metrics = createMetrics()
  await startTracing({ config, logger, metrics, resources })
  const run = await start({ config, logger, databaseServer, secrets, metrics, resources, stop })
  if (!run) return
  const running = run()
  const failed = new AbortController()
  const supervision = superviseDatabase(databaseServer, logger, AbortSignal.any([stop, failed.signal]))
  try {
    await Promise.race([stopped(stop), running.then(() => stopped(stop))])
  } catch (error) {
    // Or the database would be started again as soon as it is closed.
    failed.abort()
    await supervision
    throw error
  }
  logger.info('stopping: what is in flight comes to its end')
  await Promise.all([supervision, running])
}

/** Aborts at the first SIGINT, SIGTERM, or SIGHUP of a terminal that closes. At the second the process ends at once, by the system's default. */
function stopSignal(): AbortSignal {
  const controller = new AbortController()
  void watchLauncher(() => controller.abort())
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => controller.abort())
  // How the first of several processes stops the others.
  process.on('message', (message) => {
    if (message === 'stop') controller.abort()
  })
  return controller.signal
}

/** Resolves when the process is to stop: at once if that was said before, as it is in a start that is called off. */
export async function stopped(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort')
}

/** Why the database that this process reaches cannot serve, or null when it can. */
export async function whyNotWritable(db: Db): Promise<string | null> {
  const asked = sql<{ transaction_read_only: 'on' | 'off' }>`show transaction_read_only`.execute(db)
  return asked.then(
    ({ rows: [row] }) =>
      row?.transaction_read_only === 'off'
        ? null
        : 'the database takes no writes: the name in DATABASE_URL leads to a standby, or it is read-only',
    () => 'the database does not answer',
  )
}

/** Opens the private port, which also says that the process is stopping. */
export async function openProcessAdmin(
  { config, metrics, resources, stop }: ProcessContext,
  whyNotReady: () => Promise<string | null>,
  render = metrics.render,
): Promise<number> {
  const whyNot = async () => (stop.aborted ? 'stopping' : whyNotReady())
  const admin = await openAdmin({ metrics: { ...metrics, render }, whyNotReady: whyNot }, config)
  resources.defer(() => admin.close())
  return admin.port
}

/** Sends alerts and reads sources from this process, once the database allows it; null: the process stops before. */
export async function startWorkerWhenAvailable(
  { stop, ...context }: ProcessContext,
  publicUrl: string,
): Promise<Worker | null> {
  if (stop.aborted) return null
  const { startWorker } = await import('./worker.ts')
  return whenAvailable(() => startWorker({ ...context, publicUrl }), {
    logger: context.logger,
    signal: stop,
    waiting: 'alerts are not sent yet: the database does not allow it',
  })
}

/** Waits until the database answers and has our schema, and we can read the secrets in it. */
export async function reachSchema(
  { databaseServer, secrets, logger, stop }: ProcessContext,
  { migrate: mayMigrate }: { migrate: boolean },
): Promise<void> {
  await using db = connectForWork(databaseServer)
  await whenAvailable(
    async () => {
      if (!mayMigrate) await requireSchema(db)
      const names = mayMigrate ? await bringUpToDate(databaseServer, db) : []
      if (names.length > 0) logger.info({ migrations: names }, 'database migrated')
      const newer = await newerMigrations(db)
      if (newer.length > 0) logger.warn({ migrations: newer }, 'a newer release has migrated the database')
      await requireReadableSecrets(db, secrets)
      const role = await readRole(db)
      if (role.isSuperuser) {
        logger.warn(
          { role: role.name },
          'DATABASE_URL names a superuser: serve as a role that may only read and write rows, and migrate as DATABASE_OWNER_URL; see "Two roles" in docs/operations.md',
        )
      }
    },
    { logger, signal: stop, waiting: 'the database is away: answering 503 until it comes' },
  )
}

async function requireSchema(db: Db): Promise<void> {
  const pending = await pendingMigrations(db)
  if (pending.length === 0) return
  throw new UserError(
    `The database lacks migrations: ${pending.join(', ')}. Run "ratecard migrate", or serve without --no-migrate.`,
  )
}

/** Does `work` when the database allows it: while it is away, or takes no writes, again and again. */
async function whenAvailable<T>(
  work: () => Promise<T>,
  { logger, signal, waiting }: { logger: Logger; signal: AbortSignal; waiting: string },
): Promise<T | null> {
  for (let attempt = 1; !signal.aborted; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      const certificate = explainCertificate(error)
      if (certificate !== null) throw new UserError(certificate, { cause: error })
      if (!isDatabaseUnavailable(error)) throw error
      if (attempt === 1) logger.warn({ err: error }, waiting)
      await setTimeout(retryMs, undefined, { signal }).catch(() => undefined)
    }
  }
  return null
}

/** Starts an embedded database that was killed again, until the process stops. */
async function superviseDatabase(
  databaseServer: DatabaseServer,
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && databaseServer.embedded) {
    await setTimeout(reviveMs, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
    await databaseServer
      .revive()
      .catch((error: unknown) => logger.error({ err: error }, 'the embedded database does not start'))
  }
}
