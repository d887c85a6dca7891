import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { connectForWork, type Store } from './store.ts'
import { isDatabaseUnavailable } from './database/connect.ts'
import { pendingMigrations } from './database/migrate.ts'
import { readRole } from './database/roles.ts'
import { watchLauncher } from './platform/launcher.ts'
import type { Logger } from './platform/logger.ts'
import { UserError } from './platform/user-error.ts'
import { bringUpToDate } from './schema.ts'

// What every long-running process has in common: when it stops, and how it comes to a database.

const retryMs = 500
const reviveMs = 2_000

/** Aborts at the first SIGINT, SIGTERM, or SIGHUP of a terminal that closes. At the second the process ends at once, by the system's default. */
export function stopSignal(): AbortSignal {
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

/** Resolves when we are to stop: at once if that was said before anyone waited, as it is in a start that is called off. */
export async function stopped(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort')
}

/** Waits until the database answers and has our schema. */
export async function reachSchema(
  store: Store,
  { migrate: mayMigrate, logger, signal }: { migrate: boolean; logger: Logger; signal: AbortSignal },
): Promise<void> {
  const db = connectForWork(store)
  try {
    await whenAvailable(
      async () => {
        const names = mayMigrate
          ? await bringUpToDate(store, db)
          : await assertSchema(() => pendingMigrations(db))
        if (names.length > 0) logger.info({ migrations: names }, 'database migrated')
        const role = await readRole(db)
        if (role.isSuperuser) {
          logger.warn(
            { role: role.name },
            'DATABASE_URL names a superuser: serve as a role that may only read and write rows, and migrate as DATABASE_OWNER_URL; see "Two roles" in docs/operations.md',
          )
        }
      },
      { logger, signal, waiting: 'the database is away: answering 503 until it comes' },
    )
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

/** Does `work` when the database allows it: while it is away, or takes no writes, again and again. */
export async function whenAvailable<T>(
  work: () => Promise<T>,
  { logger, signal, waiting }: { logger: Logger; signal: AbortSignal; waiting: string },
): Promise<T | null> {
  for (let attempt = 1; !signal.aborted; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error
      if (attempt === 1) logger.warn({ err: error }, waiting)
      await setTimeout(retryMs, undefined, { signal }).catch(() => undefined)
    }
  }
  return null
}

/** Looks after an embedded database until we stop: one that is killed is started again. */
export async function keepAlive(store: Store, logger: Logger, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && store.embedded) {
    await setTimeout(reviveMs, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
    await store
      .revive()
      .catch((error: unknown) => logger.error({ err: error }, 'the embedded database does not start'))
  }
}
