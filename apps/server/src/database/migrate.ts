import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { UserError } from '../platform/user-error.ts'
import { isDatabaseUnavailable, isDeadlock, isLockTimeout, type Db, type Trx } from './connect.ts'
import { buildIndex } from './build-index.ts'
import { compareMigrations, namesIn, storeHashes, whyOtherSchema } from './compare-migrations.ts'
import { takeOver } from './earlier-states.ts'
import { createProvider, readMigrations, type MigrationFile } from './migrations.ts'

// Every request that wants the table waits behind a migration that waits for its lock: it waits briefly, well below
// what a request may take, and comes again.
const lockTimeoutMs = 300
const lockPauseMs = 2_000
const lockAttemptsMax = 100

// As long as Kysely waits.
const migrationLockTimeoutMs = 3_600_000

/** Oldest PostgreSQL that the migrations and queries are written for. */
const serverVersionMin = 15

interface MigrateOptions {
  /** The last one to run; default: all. */
  to?: string | undefined
  /** Default: those of this release. */
  migrations?: readonly MigrationFile[]
  /** Where the servers are reached; needed for databases that did not store it. */
  publicUrl?: string | undefined
}

/**
 * Brings the schema up to date and returns the names of the migrations that ran. Several processes may call
 * it at once: an advisory lock lets one migrate, and the others find nothing to do.
 */
export async function migrate(
  db: Db,
  { to, migrations, publicUrl = '' }: MigrateOptions = {},
): Promise<string[]> {
  await assertServerVersion(db)
  const all = migrations ?? (await readMigrations())
  const wanted = to === undefined ? all : all.slice(0, all.findIndex(({ name }) => name === to) + 1)
  const names: string[] = []
  for (let attempt = 1; ;) {
    try {
      const step = await migrateStep(db, { all, wanted, publicUrl })
      if (step === 'done') return names
      names.push(...step.names)
      attempt = 1
      await setTimeout(step.restMs)
    } catch (error) {
      if (!isLockTimeout(error) && !isDeadlock(error)) throw error
      if (attempt === lockAttemptsMax)
        throw new UserError(
          `The migration waits for a table that another session keeps locked, ${lockAttemptsMax} times for ${lockTimeoutMs / 1_000} s. Look for long transactions in pg_stat_activity, such as a dump or a report, and try again.`,
          { cause: error },
        )
      attempt += 1
      await setTimeout(lockPauseMs)
    }
  }
}

interface Step {
  names: string[]
  /** How long to leave the database to others before the next one. */
  restMs: number
}

/** In one transaction, which holds the lock: behind a pooler nothing else is sure to end. */
async function migrateStep(
  db: Db,
  {
    all,
    wanted,
    publicUrl,
  }: { all: readonly MigrationFile[]; wanted: readonly MigrationFile[]; publicUrl: string },
): Promise<Step | 'done'> {
  return db.transaction().execute(async (trx) => {
    await sql`select set_config('lock_timeout', ${`${migrationLockTimeoutMs}ms`}, true)`.execute(trx)
    // The key of Kysely's own lock, which earlier releases take: see `dialect.ts`.
    await sql`select pg_advisory_xact_lock(3853314791062309107)`.execute(trx)
    const found = await compareMigrations(trx, all)
    if (whyOtherSchema(found) !== null) {
      await assertMayCreate(trx)
      await sql`select set_config('lock_timeout', ${`${lockTimeoutMs}ms`}, true)`.execute(trx)
      return { names: await takeOver(trx, all, publicUrl), restMs: 0 }
    }
    const lacking = new Set(namesIn(found, 'pending'))
    const pending = wanted.filter(({ name }) => lacking.has(name))
    const [next] = pending
    if (!next) return 'done'
    await assertMayCreate(trx)
    if (next.kind === 'batches') {
      const startedMs = performance.now()
      const changed = await runBatch(trx, next)
      if (changed > 0n) return { names: [], restMs: performance.now() - startedMs }
    } else if (next.kind === 'concurrently') {
      await buildIndex(db, next)
    }
    const others = pending.findIndex(({ kind }) => kind !== 'whole')
    const together = next.kind === 'whole' ? (others < 0 ? pending : pending.slice(0, others)) : [next]
    const migrator = new Migrator({ db: trx, provider: createProvider(wanted, lockTimeoutMs) })
    const names = await record(migrator, together.at(-1)!.name)
    await storeHashes(trx, together)
    return { names, restMs: 0 }
  })
}

/**
 * Kysely asks for its tables again when PostgreSQL refuses them, and in a transaction that question fails for another
 * reason: why the first was refused would be lost.
 */
async function assertMayCreate(trx: Trx): Promise<void> {
  const { rows } = await sql`select where has_schema_privilege(current_schema(), 'create')`.execute(trx)
  if (rows.length === 0) throw new MayNotCreate('The role may not create tables in the schema.')
}

/** The role may not bring the schema up to date. */
export class MayNotCreate extends Error {
  override name = 'MayNotCreate'
}

async function runBatch(trx: Trx, { name, text }: MigrationFile): Promise<bigint> {
  await sql`select set_config('lock_timeout', ${`${lockTimeoutMs}ms`}, true)`.execute(trx)
  const { numAffectedRows } = await sql.raw(text).execute(trx)
  if (numAffectedRows === undefined) throw new Error(`Migration ${name} is no statement that changes rows.`)
  return numAffectedRows
}

/** Runs wholes, and puts all of them up to `last` into the list of those that ran. */
async function record(migrator: Migrator, last: string): Promise<string[]> {
  const { error, results = [] } = await migrator.migrateTo(last)
  const failed = results.find((result) => result.status === 'Error')
  // A lock that another session holds, or a connection that broke, says nothing about the migration: it is tried again.
  if (failed && !isDatabaseUnavailable(error)) {
    const message = error instanceof Error ? error.message : String(error)
    throw new UserError(`Migration ${failed.migrationName} failed: ${message}`, { cause: error })
  }
  if (error) throw error instanceof Error ? error : new Error('The migration failed.', { cause: error })
  return results.map((result) => result.migrationName)
}

/** The major version of PostgreSQL, such as 18. */
export async function readServerVersion(db: Db): Promise<number> {
  const { rows } = await sql<{ server_version_num: string }>`show server_version_num`.execute(db)
  return Math.floor(Number(rows[0]?.server_version_num) / 10_000)
}

async function assertServerVersion(db: Db): Promise<void> {
  const version = await readServerVersion(db)
  if (version < serverVersionMin) {
    throw new UserError(
      `PostgreSQL ${version} is too old: DATABASE_URL must lead to version ${serverVersionMin} or newer.`,
    )
  }
}
