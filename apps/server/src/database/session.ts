import type pg from 'pg'
import { budgets } from '../platform/budgets.ts'
import { alwaysByIndex, Client } from './client.ts'

/** One connection for one purpose, which calls our functions by prepared statements. */
export interface Session {
  /** What the function returns, as text. */
  call: (name: string, values: unknown[]) => Promise<string | null>
  close: () => void
}

/** @param lockTimeoutMs longest that a statement waits for a lock */
export async function openSession(connectionString: string, lockTimeoutMs: number): Promise<Session> {
  const client: pg.Client = new Client({
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
    async call(name, values) {
      const parameters = values.map((_, index) => `$${index + 1}`).join(', ')
      const text = `select ${name}(${parameters})::text as result`
      const { rows } = await client.query<{ result: string | null }>({ name, text, values })
      return rows[0]?.result ?? null
    },
    close,
  }
}
