import { Kysely, type PostgresPool, type PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import type { Db } from '../database/connect.ts'
import { Dialect } from '../database/dialect.ts'
import type { DB } from '../database/generated/tables.ts'

// What waited to be sent when the backup was made. The queue is not in it: its jobs follow from the deliveries
// (`enqueuePending`). Notices need none, as workers look for those that wait.

/** Ends what waits, so that nobody hears of it from here. */
export async function cancelPending(client: pg.Client): Promise<void> {
  await client.query(`
    update deliveries set state = 'cancelled', next_attempt_at = null, finished_at = ratecard_now()
    where state = 'pending'`)
  await client.query(`
    update notices set outcome = 'not_mailed', settled_at = ratecard_now() where outcome = 'waiting'`)
}

/** For functions that take a `Db`: what they do is part of this connection's transaction. */
export function onConnection(client: pg.Client): Db {
  const query = client.query.bind(client) as PostgresPoolClient['query']
  const connection = { query, release: () => undefined } as PostgresPoolClient
  const pool = {
    connect: () => Promise.resolve(connection),
    end: () => Promise.resolve(),
    options: {},
  } as unknown as PostgresPool
  return new Kysely<DB>({ dialect: new Dialect({ pool }) })
}
