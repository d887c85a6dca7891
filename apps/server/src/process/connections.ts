import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { DatabaseServer } from '../database-server.ts'
import { connect, timeouts } from '../database/connect.ts'
import { readSessions } from '../database/sessions.ts'
import { budgets } from '../platform/budgets.ts'
import type { Logger } from '../platform/logger.ts'
import { UserError } from '../platform/user-error.ts'

// Whether the addresses of the database are what their names say, and what follows where one leads to a pooler.

/** @throws UserError when an address must not be what it is */
export async function requireGoodConnections(
  { connectionString, directConnectionString }: DatabaseServer,
  logger: Logger,
): Promise<void> {
  if (directConnectionString !== undefined) {
    const { kind } = await readSessions(directConnectionString)
    if (kind === 'shared') {
      throw new UserError(
        'DATABASE_DIRECT_URL leads to a pooler that gives one session to several clients. Set it to the database itself, or to a pooler in session mode.',
      )
    }
    await requireSameDatabase(connectionString, directConnectionString)
  }
  const { kind, missing } = await readSessions(connectionString, timeouts(budgets.statementMs))
  if (kind === 'own' || missing.length === 0) return
  logger.info(
    { settings: missing },
    'DATABASE_URL leads to a pooler: these settings go along with each statement. With "alter role … set …" they need not; see "Poolers" in docs/failover.md',
  )
}

// https://www.postgresql.org/docs/current/errcodes-appendix.html: read_only_sql_transaction
const readOnlyState = '25006'

/** A lock that is held over one address is seen over the other, or they are two databases, and would be two quotas. */
async function requireSameDatabase(connectionString: string, directConnectionString: string): Promise<void> {
  await using direct = connect({ connectionString: directConnectionString, connectionsMax: 1 })
  await using pooled = connect({ connectionString, connectionsMax: 1 })
  const key = randomInt(2 ** 31)
  const found = await direct.transaction().execute(async (trx) => {
    const { rows: taken } = await sql<{ standby: boolean }>`
      select pg_is_in_recovery() as standby, pg_advisory_xact_lock(${lockClass}::int, ${key}::int)`.execute(
      trx,
    )
    const { rows: seen } = await sql<{ standby: boolean; locked: boolean }>`
      select pg_is_in_recovery() as standby, exists (
        select from pg_locks
        where locktype = 'advisory' and classid::bigint = ${lockClass}::bigint and objid::bigint = ${key}::bigint and granted
          and database = (select oid from pg_database where datname = current_database())
      ) as locked`.execute(pooled)
    return { locked: seen[0]?.locked, standby: [taken, seen].some(([row]) => row?.standby) }
  })
  if (found.locked) return
  // One of the two has not followed a failover yet: that passes.
  if (found.standby)
    throw Object.assign(new Error('A database address leads to a standby.'), { code: readOnlyState })
  throw new UserError(
    'DATABASE_URL and DATABASE_DIRECT_URL lead to two databases. Both must lead to the same one: units counted in one would be missing in the other.',
  )
}

const lockClass = 7_310_008
