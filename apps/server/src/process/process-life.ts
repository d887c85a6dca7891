import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { connectForWork, openSecrets, openDatabaseServer, type DatabaseServer } from '../database-server.ts'
import { explainTls, isDatabaseUnavailable, type Db } from '../database/connect.ts'
import { readCellMark } from '../database/feed-role.ts'
import {
  compareMigrations,
  namesIn,
  whyOtherSchema,
  type MigrationState,
} from '../database/compare-migrations.ts'
import { readMigrations } from '../database/migrations.ts'
import { readRole } from '../database/roles.ts'
import { requireReadableSecrets } from '../features/webhooks/reseal-secrets.ts'
import type { SecretBox } from '../features/webhooks/secret-box.ts'
import { openAdmin } from '../http/socket/admin.ts'
import type { Config } from '../platform/config.ts'
import type { Logger } from '../platform/logger.ts'
import { createMetrics, type Metrics } from '../platform/metrics.ts'
import { unavailable, type Readiness } from '../platform/readiness.ts'
import { UserError } from '../platform/user-error.ts'
import { readCommit, readVersion } from '../platform/version.ts'
import { bringUpToDate } from '../schema.ts'
import { requireGoodConnections } from './connections.ts'
import { watchSignals, type Ending } from './ending.ts'
import { Watch } from './watch.ts'
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
  ending: Ending
  /** Aborts when the process is to stop: that of `ending`. */
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
  const ending = watchSignals()
  logger.info({ version: readVersion(), commit: readCommit() }, 'starting')
  const { stop } = ending
  ending.leaving.addEventListener('abort', () => logger.info('leaving: /ready says so'))
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
  const run = await start({ config, logger, databaseServer, secrets, metrics, resources, ending, stop })
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

/** Resolves when the process is to stop: at once if that was said before, as it is in a start that is called off. */
export async function stopped(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort')
}

/** What a process says of itself on the private port. */
interface ProcessState {
  readiness: () => Promise<Readiness>
  /** Why its database cannot serve, or null when it can. */
  whyNoDatabase: () => Promise<string | null>
}

/** The same state until the process leaves. */
export function untilLeaving({ ending }: ProcessContext, state: ProcessState): ProcessState {
  const readiness = async () => (ending.leaving.aborted ? unavailable('stopping') : state.readiness())
  return { ...state, readiness }
}

/** Opens the private port. */
export async function openProcessAdmin(
  context: ProcessContext,
  state: ProcessState,
  render = context.metrics.render,
): Promise<number> {
  const { config, metrics, resources } = context
  const admin = await openAdmin({ ...untilLeaving(context, state), metrics: { ...metrics, render } }, config)
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

/**
 * Waits until the database answers and has our schema, and we can read the secrets in it.
 * @param onAway called when it is found that this will take a while, because the database does not allow it
 */
export async function reachSchema(
  {
    config,
    databaseServer,
    secrets,
    logger,
    stop,
  }: Pick<ProcessContext, 'config' | 'databaseServer' | 'secrets' | 'logger' | 'stop'>,
  { migrate: mayMigrate }: { migrate: boolean },
  onAway: () => void = () => undefined,
): Promise<void> {
  await using db = connectForWork(databaseServer)
  await whenAvailable(
    async () => {
      await requireGoodConnections(databaseServer, logger)
      const names = mayMigrate ? await bringUpToDate(databaseServer, db, config) : []
      if (names.length > 0) logger.info({ migrations: names }, 'database migrated')
      const migrations = await compareMigrations(db)
      requireSchema(migrations)
      const newer = namesIn(migrations, 'newer')
      if (newer.length > 0) logger.warn({ migrations: newer }, 'a newer release has migrated the database')
      await requireReadableSecrets(db, secrets)
      await requireMark(db, config.CELL_MARK)
      const role = await readRole(db)
      if (role.isSuperuser) {
        logger.warn(
          { role: role.name },
          'DATABASE_URL names a superuser: serve as a role that may only read and write rows, and migrate as DATABASE_OWNER_URL; see "Two roles" in docs/operations.md',
        )
      }
    },
    { logger, signal: stop, waiting: 'the database is away: answering 503 until it comes', onAway },
  )
}

/** What is in the database counts: keys are made with it. A server that is told otherwise is at the wrong database. */
async function requireMark(db: Db, mark: string | undefined): Promise<void> {
  if (mark === undefined) return
  const known = await readCellMark(db)
  if (known === mark) return
  throw new UserError(
    known === ''
      ? `CELL_MARK is "${mark}", and this database has no mark yet. Run "ratecard cells join" with it, or "ratecard cells publish" at the hub.`
      : `CELL_MARK is "${mark}", and this database is "${known}": one of CELL_MARK and DATABASE_URL is another cell's.`,
  )
}

function requireSchema(migrations: readonly MigrationState[]): void {
  const why = whyOtherSchema(migrations)
  if (why !== null) throw new UserError(why)
  const pending = namesIn(migrations, 'pending')
  if (pending.length === 0) return
  throw new UserError(
    `The database lacks migrations: ${pending.join(', ')}. Run "ratecard migrate", or serve without --no-migrate.`,
  )
}

/** Looks whether the database still has the schema of this program: it may be replaced under a running process. */
export function watchSchema(db: Db): Watch {
  const files = readMigrations()
  return new Watch(async () => whyOtherSchema(await compareMigrations(db, await files)))
}

/** Does `work` when the database allows it: while it is away, or takes no writes, again and again. */
async function whenAvailable<T>(
  work: () => Promise<T>,
  {
    logger,
    signal,
    waiting,
    onAway,
  }: { logger: Logger; signal: AbortSignal; waiting: string; onAway?: () => void },
): Promise<T | null> {
  for (let attempt = 1; !signal.aborted; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      const advice = explainTls(error)
      if (advice !== null) throw new UserError(advice, { cause: error })
      if (!isDatabaseUnavailable(error)) throw error
      if (attempt === 1) logger.warn({ err: error }, waiting)
      onAway?.()
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
