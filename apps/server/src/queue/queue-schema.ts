import { createRequire } from 'node:module'
import { sql } from 'kysely'
import type { Db } from '../database/connect.ts'

// Where pg-boss keeps its tables. The first process to open the queue would make them; but the serving role may not
// make tables, so the owner of the schema makes them along with ours.

export const schema = 'pgboss'

/** The version of its schema that the installed pg-boss wants. */
const { pgboss } = createRequire(import.meta.url)('pg-boss/package.json') as { pgboss: { schema: number } }

/** The version that is there; null: none. */
async function readVersion(db: Db): Promise<number | null> {
  const { rows: tables } = await sql`
    select from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = ${schema} and c.relname = 'version'`.execute(db)
  if (tables.length === 0) return null
  const { rows } = await sql<{
    version: number
  }>`select version from ${sql.table(`${schema}.version`)}`.execute(db)
  return rows[0]?.version ?? null
}

const installLock = 7_310_004

/** Brings the tables of the queue up to date. Several processes may call it at once. */
export async function installQueue(db: Db): Promise<void> {
  if ((await readVersion(db)) === pgboss.schema) return
  // Loaded when it is needed, which is once: it takes time and memory.
  const { getConstructionPlans, getMigrationPlans } = await import('pg-boss')
  await db.connection().execute(async (connection) => {
    // Of the session: the scripts are transactions of their own. A failure ends the session with the pool.
    await sql`select pg_advisory_lock(${sql.lit(installLock)})`.execute(connection)
    const version = await readVersion(connection)
    if (version === null) await sql.raw(getConstructionPlans(schema)).execute(connection)
    else if (version < pgboss.schema) await sql.raw(getMigrationPlans(schema, version)).execute(connection)
    await sql`select pg_advisory_unlock(${sql.lit(installLock)})`.execute(connection)
  })
}
