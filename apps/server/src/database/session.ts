import type pg from 'pg'
import { budgets } from '../platform/budgets.ts'
import { alwaysByIndex, Client } from './client.ts'

/** One connection for one purpose, which calls our functions by prepared statements. */
export interface Session {
  /** Whether it leads to one database for as long as it lasts: behind a pooler it does not. */
  isOwn: boolean
  /** The first row. */
  ask: (text: string, values?: unknown[]) => Promise<Record<string, string | null> | undefined>
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
    isOwn: client.isOwn,
    async ask(text, values = []) {
      const { rows } = await (client as pg.Client).query<Record<string, string | null>>(text, values)
      return rows[0]
    },
    async call(name, values, beside = 'null') {
      const parameters = values.map((_, index) => `$${index + 1}`).join(', ')
      const text = `select ${name}(${parameters})::text as result, (${beside})::text as beside`
      const { rows } = await (client as pg.Client).query<Called>({ name, text, values })
      return rows[0] ?? { result: null, beside: null }
    },
    close,
  }
}
