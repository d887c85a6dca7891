import { grantServing, readRole } from './database/roles.ts'
import { MayNotCreate, migrate } from './database/migrate.ts'
import type { Db } from './database/connect.ts'
import { connectAsOwner, type DatabaseServer } from './database-server.ts'
import { publicUrl, type Config } from './platform/config.ts'
import { UserError } from './platform/user-error.ts'
import { installQueue } from './queue/queue-schema.ts'

/**
 * Brings our tables and those of the queue up to date, as their owner, and lets the serving role use them. Returns the
 * names of the migrations that ran.
 * @param db of the role that serves
 * @param to the last migration to run; default: all
 */
export async function bringUpToDate(
  databaseServer: DatabaseServer,
  db: Db,
  config: Config,
  { to }: { to?: string | undefined } = {},
): Promise<string[]> {
  const { ownerConnectionString, directConnectionString } = databaseServer
  const owner = (ownerConnectionString ?? directConnectionString) ? connectAsOwner(databaseServer) : db
  try {
    const names = await migrate(owner, { to, publicUrl: publicUrl(config, config.PORT) })
    await installQueue(owner)
    if (owner !== db) {
      const serving = await readRole(db)
      if (serving.name !== (await readRole(owner)).name) await grantServing(owner, serving.name)
    }
    return names
  } catch (error) {
    if (!isForbidden(error)) throw error
    const { name } = await readRole(owner)
    throw new UserError(
      ownerConnectionString === undefined
        ? `The role ${name} of DATABASE_URL may not bring the schema up to date. Run "ratecard migrate" with DATABASE_OWNER_URL set to the role that owns the database.`
        : `The role ${name} of DATABASE_OWNER_URL may not bring the schema up to date: it must own the database and the tables in it.`,
      { cause: error },
    )
  } finally {
    if (owner !== db) await owner.destroy()
  }
}

// https://www.postgresql.org/docs/current/errcodes-appendix.html: insufficient_privilege
const insufficientPrivilege = '42501'

/** Whether the role lacks a right. */
export function isForbidden(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof MayNotCreate) return true
  return (error as { code?: unknown }).code === insufficientPrivilege || isForbidden(error.cause)
}
