import type pg from 'pg'
import { budgets } from '../platform/budgets.ts'
import { alwaysByIndex, Client } from './client.ts'

/** Where in the history of a cluster a database writes: each promotion begins a timeline. */
export interface Timeline {
  /** The cluster: a copy by other means than replication is another one. */
  system: string
  number: number
}

/** One connection for one purpose, which calls our functions by prepared statements. */
export interface Session {
  /** Null: the service does not tell it, or a pooler may lead to another database by now. */
  timeline: Timeline | null
  /**
   * What the function returns, as text.
   * @param beside an expression that is read in the same statement, as things stood before it
   */
  call: (name: string, values: unknown[], beside?: string) => Promise<Called>
  close: () => void
}

interface Called {
  result: string | null
  beside: string | null
}

/** @param lockTimeoutMs longest that a statement waits for a lock */
export async function openSession(connectionString: string, lockTimeoutMs: number): Promise<Session> {
  const client = new Client({
    connectionString,
    application_name: 'ratecard-meter',
    connectionTimeoutMillis: budgets.connectMs,
    keepAlive: true,
    settings: {
      statement_timeout: String(budgets.batchStatementMs),
      lock_timeout: String(lockTimeoutMs),
      // One query plan for any number of items: else it would be made anew for each batch.
      plan_cache_mode: 'force_generic_plan',
      ...alwaysByIndex,
    },
    query_timeout: budgets.batchStatementMs + budgets.silenceMarginMs,
  })
  const close = () => void client.end().catch(() => undefined)
  try {
    await client.connect()
  } catch (error) {
    close()
    throw error
  }
  return {
    timeline: client.isOwn ? await readTimeline(client) : null,
    async call(name, values, beside = 'null') {
      const parameters = values.map((_, index) => `$${index + 1}`).join(', ')
      const text = `select ${name}(${parameters})::text as result, ${beside}::text as beside`
      const { rows } = await (client as pg.Client).query<Called>({ name, text, values })
      return rows[0] ?? { result: null, beside: null }
    },
    close,
  }
}

async function readTimeline(client: pg.Client): Promise<Timeline | null> {
  const asked = client.query(
    `select (pg_control_system()).system_identifier::text as system,
      ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int as number`,
  )
  return asked.then(
    ({ rows: [row] }) => (row as Timeline | undefined) ?? null,
    () => null,
  )
}
