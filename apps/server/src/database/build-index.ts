import { sql } from 'kysely'
import { UserError } from '../platform/user-error.ts'
import type { Db } from './connect.ts'
import type { MigrationFile } from './migrations.ts'

const indexPattern = /^create (?:unique )?index concurrently if not exists (\w+) on /i

/** Name of the index that a migration builds concurrently; null: it is no such statement. */
export function parseIndexName(text: string): string | null {
  const [, name = null] = indexPattern.exec(text.replaceAll(/--.*$/gm, '').trim()) ?? []
  return name
}

// https://www.postgresql.org/docs/current/errcodes-appendix.html: active_sql_transaction
const inTransaction = '25001'

/**
 * Builds an index on a connection of its own, outside of any transaction, while others read and write. What an attempt
 * that was interrupted has left is of no use, and keeps its name: it goes first.
 */
export async function buildIndex(db: Db, { name, text }: MigrationFile): Promise<void> {
  const index = parseIndexName(text)
  if (index === null)
    throw new Error(`Migration ${name} is not "create index concurrently if not exists … on …".`)
  try {
    const { rows } = await sql`
      select from pg_index where indexrelid = to_regclass(${index}) and not indisvalid`.execute(db)
    if (rows.length > 0) await sql`drop index concurrently if exists ${sql.id(index)}`.execute(db)
    await sql.raw(text).execute(db)
  } catch (error) {
    if ((error as { code?: unknown }).code !== inTransaction) throw error
    throw new UserError(
      `Migration ${name} builds an index, which needs a session of its own: set DATABASE_DIRECT_URL to the database itself, without the pooler.`,
      { cause: error },
    )
  }
}
