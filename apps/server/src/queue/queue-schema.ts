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
  await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(installLock)})`.execute(trx)
    const version = await readVersion(trx)
    // The scripts begin and commit themselves: they go on with this transaction, and end it and the lock with it.
    if (version === null) await sql.raw(getConstructionPlans(schema)).execute(trx)
    else if (version < pgboss.schema) await sql.raw(getMigrationPlans(schema, version)).execute(trx)
  })
}
