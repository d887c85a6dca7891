import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { sql, type Kysely } from 'kysely'
import type { Migration, MigrationProvider } from 'kysely/migration'

const folder = new URL('./migrations/', import.meta.url)

/**
 * How a migration runs. Each kind is one that servers of the release before it go on beside; docs/upgrading.md has the
 * rule.
 */
export type MigrationKind =
  /** `NNNN_name.sql`: as a whole, in a transaction, which must be short. */
  | 'whole'
  /** `NNNN_name.batches.sql`: one statement, again and again in transactions of its own until it changes no row. */
  | 'batches'
  /** `NNNN_name.concurrently.sql`: one index that is built outside of a transaction, while others write. */
  | 'concurrently'

export interface MigrationFile {
  name: string
  kind: MigrationKind
  text: string
}

/** SHA-256 of what a file says, however its lines end and whether or not the last one does. */
export function hashText(text: string): string {
  return createHash('sha256').update(text.replaceAll('\r\n', '\n').trimEnd()).digest('hex')
}

export function parseKind(name: string): MigrationKind {
  if (name.endsWith('.batches')) return 'batches'
  return name.endsWith('.concurrently') ? 'concurrently' : 'whole'
}

/** The numbered SQL files: frozen once released, forward only. */
export async function readMigrations(): Promise<MigrationFile[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
  return Promise.all(
    files.map(async (file) => {
      const name = file.slice(0, -'.sql'.length)
      return { name, kind: parseKind(name), text: await readFile(new URL(file, folder), 'utf8') }
    }),
  )
}

/** For Kysely, which keeps the list of those that ran. What is no whole has run by the time it is put into that list. */
export function createProvider(
  migrations: readonly MigrationFile[],
  lockTimeoutMs: number,
): MigrationProvider {
  const buildUp = ({ kind, text }: MigrationFile) =>
    async function up(db: Kysely<unknown>): Promise<void> {
      if (kind !== 'whole') return
      await sql`select set_config('lock_timeout', ${`${lockTimeoutMs}ms`}, true)`.execute(db)
      await sql.raw(text).execute(db)
    }
  const entries = migrations.map((migration): [string, Migration] => [
    migration.name,
    { up: buildUp(migration) },
  ])
  return { getMigrations: () => Promise.resolve(Object.fromEntries(entries)) }
}
