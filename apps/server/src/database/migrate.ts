import { readdir, readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { sql, type Kysely } from 'kysely'
import { Migrator, type Migration, type MigrationProvider } from 'kysely/migration'
import { UserError } from '../platform/user-error.ts'
import { isDatabaseUnavailable, isLockTimeout, type Db } from './connect.ts'

const folder = new URL('./migrations/', import.meta.url)

/** The numbered SQL files: frozen once released, forward only. */
const provider: MigrationProvider = {
  async getMigrations() {
    const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
    const migrations = await Promise.all(
      files.map(async (file): Promise<[string, Migration]> => {
        const text = await readFile(new URL(file, folder), 'utf8')
        const up = async (db: Kysely<unknown>) => {
          await sql`select set_config('lock_timeout', ${`${lockTimeoutMs}ms`}, true)`.execute(db)
          await sql.raw(text).execute(db)
        }
        return [file.slice(0, -'.sql'.length), { up }]
      }),
    )
    return Object.fromEntries(migrations)
  },
}

// Every request that wants the table waits behind a migration that waits for its lock: it waits briefly, and comes again.
const lockTimeoutMs = 2_000
const lockPauseMs = 3_000
const lockAttemptsMax = 40

// As long as Kysely waits.
const migrationLockTimeoutMs = 3_600_000

/** Oldest PostgreSQL that the migrations and queries are written for. */
const serverVersionMin = 15

/**
 * Brings the schema up to date and returns the names of the migrations that ran. Several processes may call
 * it at once: an advisory lock lets one migrate, and the others find nothing to do.
 */
export async function migrate(db: Db): Promise<string[]> {
  await assertServerVersion(db)
  if ((await newerMigrations(db)).length > 0) return []
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await migrateOnce(db)
    } catch (error) {
      if (!isLockTimeout(error)) throw error
      if (attempt === lockAttemptsMax)
        throw new UserError(
          `The migration waits for a table that another session keeps locked, ${lockAttemptsMax} times for ${lockTimeoutMs / 1_000} s. Look for long transactions in pg_stat_activity, such as a dump or a report, and try again.`,
          { cause: error },
        )
      await setTimeout(lockPauseMs)
    }
  }
}

/** In one transaction, which holds the lock: behind a pooler nothing else is sure to end. */
async function migrateOnce(db: Db): Promise<string[]> {
  return db.transaction().execute(async (trx) => {
    await sql`select set_config('lock_timeout', ${`${migrationLockTimeoutMs}ms`}, true)`.execute(trx)
    // The key of Kysely's own lock, which earlier releases take: see `dialect.ts`.
    await sql`select pg_advisory_xact_lock(3853314791062309107)`.execute(trx)
    const { error, results = [] } = await new Migrator({ db: trx, provider }).migrateToLatest()
    const failed = results.find((result) => result.status === 'Error')
    // A lock that another session holds, or a connection that broke, says nothing about the migration: it is tried again.
    if (failed && !isDatabaseUnavailable(error)) {
      const message = error instanceof Error ? error.message : String(error)
      throw new UserError(`Migration ${failed.migrationName} failed: ${message}`, { cause: error })
    }
    if (error) throw error instanceof Error ? error : new Error('The migration failed.', { cause: error })
    return results.map((result) => result.migrationName)
  })
}

export interface MigrationState {
  id: string
  executed_at: string | null
}

/** Every known migration in order, and when it ran on this database. */
export async function listMigrations(db: Db): Promise<MigrationState[]> {
  const migrations = await new Migrator({ db, provider }).getMigrations()
  return migrations.map(({ name, executedAt }) => ({
    id: name,
    executed_at: executedAt?.toISOString() ?? null,
  }))
}

/** Names of the migrations that this database still lacks. */
export async function pendingMigrations(db: Db): Promise<string[]> {
  return (await listMigrations(db)).filter((migration) => migration.executed_at === null).map(({ id }) => id)
}

/**
 * Names of migrations of a newer release, which has brought this database up to date already. Its schema serves the
 * release before it, so an old server may start again beside the new one, or in its place.
 */
export async function newerMigrations(db: Db): Promise<string[]> {
  const known = Object.keys(await provider.getMigrations()).sort()
  const { rows: tables } = await sql`select where to_regclass('kysely_migration') is not null`.execute(db)
  if (tables.length === 0) return []
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  const names = rows.map(({ name }) => name)
  const newer = names.slice(known.length)
  return known.every((name, index) => names[index] === name) ? newer : []
}

async function assertServerVersion(db: Db): Promise<void> {
  const { rows } = await sql<{ server_version_num: string }>`show server_version_num`.execute(db)
  const version = Math.floor(Number(rows[0]?.server_version_num) / 10_000)
  if (version < serverVersionMin) {
    throw new UserError(
      `PostgreSQL ${version} is too old: DATABASE_URL must lead to version ${serverVersionMin} or newer.`,
    )
  }
}
