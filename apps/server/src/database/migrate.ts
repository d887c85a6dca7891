import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { Migrator, type Migration, type MigrationProvider } from 'kysely/migration'
import { UserError } from '../platform/user-error.ts'
import { isDatabaseUnavailable, type Db } from './connect.ts'

const folder = new URL('./migrations/', import.meta.url)

/** The numbered SQL files: frozen once released, forward only. */
const provider: MigrationProvider = {
  async getMigrations() {
    const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
    const migrations = await Promise.all(
      files.map(async (file): Promise<[string, Migration]> => {
        const text = await readFile(new URL(file, folder), 'utf8')
        return [file.slice(0, -'.sql'.length), { up: async (db) => void (await sql.raw(text).execute(db)) }]
      }),
    )
    return Object.fromEntries(migrations)
  },
}

/** Oldest PostgreSQL that the migrations and queries are written for. */
const serverVersionMin = 15

/**
 * Brings the schema up to date and returns the names of the migrations that ran. Several processes may call
 * it at once: Kysely holds an advisory lock, so one migrates and the others find nothing to do.
 */
export async function migrate(db: Db): Promise<string[]> {
  await assertServerVersion(db)
  const { error, results = [] } = await new Migrator({ db, provider }).migrateToLatest()
  const failed = results.find((result) => result.status === 'Error')
  // A connection that broke says nothing about the migration: the caller waits for the database and tries again.
  if (failed && !isDatabaseUnavailable(error)) {
    const message = error instanceof Error ? error.message : String(error)
    throw new UserError(`Migration ${failed.migrationName} failed: ${message}`, { cause: error })
  }
  if (error) throw error instanceof Error ? error : new Error('The migration failed.', { cause: error })
  return results.map((result) => result.migrationName)
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

async function assertServerVersion(db: Db): Promise<void> {
  const { rows } = await sql<{ server_version_num: string }>`show server_version_num`.execute(db)
  const version = Math.floor(Number(rows[0]?.server_version_num) / 10_000)
  if (version < serverVersionMin) {
    throw new UserError(
      `PostgreSQL ${version} is too old: DATABASE_URL must lead to version ${serverVersionMin} or newer.`,
    )
  }
}
