import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, inject } from 'vitest'
import { connect, type Db } from '../../src/database/connect.ts'

export interface TestDatabase {
  /** For server processes and commands. */
  url: string
  /** For the test itself. */
  db: Db
}

/**
 * A clone of the migrated template for this test file, dropped at its end. Dropping fails while anything is
 * still connected: a leaked connection fails the file.
 */
export function useDatabase(): TestDatabase {
  const database = {} as TestDatabase
  const server = inject('postgresUrl')
  const name = `ratecard_test_${randomBytes(6).toString('hex')}`
  beforeAll(async () => {
    await createDatabase(server, name, inject('templateDatabase'))
    database.url = urlOfDatabase(server, name)
    database.db = connect({ connectionString: database.url })
  })
  afterAll(async () => {
    await database.db.destroy()
    await dropDatabase(server, name)
  })
  return database
}

/** How many sessions of a database wait for a lock. */
export async function countLockWaits(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int from pg_stat_activity
    where wait_event_type = 'Lock' and datname = current_database()`.execute(db)
  return rows[0]?.count ?? 0
}

export async function createDatabase(server: string, name: string, template = 'template1'): Promise<void> {
  await administer(server, async (client) => {
    // One at a time: PostgreSQL refuses to copy a template that another session is just reading.
    await client.query('select pg_advisory_lock(7310099)')
    await client.query(`create database ${name} template ${template}`)
  })
}

const dropAttempts = 40
const dropRetryMs = 50

/** Drops an unused database. The server needs a moment to notice that a client has gone. */
export async function dropDatabase(server: string, name: string): Promise<void> {
  await administer(server, async (client) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await client.query(`drop database if exists ${name}`)
        return
      } catch (error) {
        if (attempt === dropAttempts) throw error
        await new Promise((resolve) => setTimeout(resolve, dropRetryMs))
      }
    }
  })
}

export function urlOfDatabase(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

async function administer(server: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
