import { sql } from 'kysely'
import { readRelease } from '../platform/version.ts'
import type { Db } from './connect.ts'
import { hashText, readMigrations, type MigrationFile } from './migrations.ts'

// A migration is what its file says, not its name: the list of those that ran has a hash of each, beside Kysely's columns.

export interface MigrationState {
  id: string
  executed_at: string | null
  /**
   * - `run`, `pending`: as this program has it.
   * - `newer`: a later release has run it, after all that this program knows. This program goes on beside it.
   * - `unchecked`: it ran before hashes were kept.
   * - `other`: it is not what this program has at this place.
   */
  state: 'run' | 'pending' | 'newer' | 'unchecked' | 'other'
}

/** What ran on a database, and what of this program is still to run. */
export async function compareMigrations(db: Db, known?: readonly MigrationFile[]): Promise<MigrationState[]> {
  const files = known ?? (await readMigrations())
  const executed = await executedMigrations(db)
  const decideState = (name: string, hash: string | null, file: MigrationFile | undefined) => {
    if (file === undefined) return 'newer'
    if (file.name !== name) return 'other'
    if (hash === null) return 'unchecked'
    return hash === hashText(file.text) ? 'run' : 'other'
  }
  const states = executed.map(({ name, executedAt, hash }, index): MigrationState => {
    return { id: name, executed_at: executedAt, state: decideState(name, hash, files[index]) }
  })
  // Nothing says that what comes after a stranger is newer.
  if (states.some(({ state }) => state === 'other'))
    for (const one of states) if (one.state === 'newer') one.state = 'other'
  const pending = files
    .filter(({ name }) => !executed.some((one) => one.name === name))
    .map(({ name }): MigrationState => ({ id: name, executed_at: null, state: 'pending' }))
  return [...states, ...pending]
}

/** Why this program must not work with the database, and what to do; null: it may. */
export function whyOtherSchema(migrations: readonly MigrationState[]): string | null {
  const other = migrations.find(({ state }) => state === 'other')
  if (other)
    return `The database was made by another state of Ratecard: its migration ${other.id} is not the one of this program (${readRelease()}). Run "ratecard migrate", which upgrades the states that docs/upgrading.md lists and changes no other, or use the program that made it.`
  if (migrations.some(({ state }) => state === 'unchecked'))
    return 'The database was made before the content of migrations was compared. Run "ratecard migrate", which looks whether its schema is the one of this program.'
  return null
}

export const namesIn = (migrations: readonly MigrationState[], state: MigrationState['state']): string[] =>
  migrations.filter((one) => one.state === state).map(({ id }) => id)

export interface ExecutedMigration {
  name: string
  executedAt: string
  /** Null: it ran before hashes were kept. */
  hash: string | null
}

/** The migrations that ran on this database, whichever release knows them. */
export async function executedMigrations(db: Db): Promise<ExecutedMigration[]> {
  const { rows: tables } = await sql`select where to_regclass('kysely_migration') is not null`.execute(db)
  if (tables.length === 0) return []
  // The column may be missing.
  const { rows } = await sql<ExecutedMigration>`
    select name, timestamp as "executedAt", to_jsonb(kysely_migration) ->> 'sha256' as hash
    from kysely_migration order by name`.execute(db)
  return rows
}

/** Writes down the hashes of migrations that ran. */
export async function storeHashes(db: Db, files: readonly MigrationFile[]): Promise<void> {
  const { rows } = await sql`
    select from pg_attribute where attrelid = 'kysely_migration'::regclass and attname = 'sha256'`.execute(db)
  if (rows.length === 0) await sql`alter table kysely_migration add column sha256 text`.execute(db)
  const hashes = Object.fromEntries(files.map(({ name, text }) => [name, hashText(text)]))
  await sql`
    update kysely_migration set sha256 = hash.value
    from jsonb_each_text(${JSON.stringify(hashes)}::jsonb) hash
    where hash.key = name`.execute(db)
}
