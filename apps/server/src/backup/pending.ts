import { Kysely, type PostgresPool, type PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import type { Db } from '../database/connect.ts'
import { Dialect } from '../database/dialect.ts'
import type { DB } from '../database/generated/tables.ts'
import type { Queue } from '../queue/queue.ts'

// What waited to be sent when the backup was made. The queue is not in it: its jobs follow from the deliveries. Notices
// need none, as workers look for those that wait.

const atATime = 1_000

/** Queues the next attempt of each delivery that waits, in the transaction of the client, at the time it was due. */
export async function enqueuePending(client: pg.Client, queue: Pick<Queue, 'enqueue'>): Promise<void> {
  const db = onConnection(client)
  for (let after = ''; ;) {
    const { rows } = await client.query<{
      id: string
      webhook_id: string
      attempts: number
      delay_ms: number
    }>(
      `select id, webhook_id, attempts,
        greatest(extract(epoch from next_attempt_at - now()) * 1000, 0)::float8 as delay_ms
      from deliveries where state = 'pending' and id > $1 order by id limit ${atATime}`,
      [after],
    )
    const jobs = rows.map(({ id, webhook_id, attempts, delay_ms }) => ({
      data: { deliveryId: id, attempt: attempts + 1 },
      group: webhook_id,
      delayMs: delay_ms ?? 0,
    }))
    if (jobs.length > 0) await queue.enqueue(db, 'deliver', jobs)
    if (rows.length < atATime) return
    after = rows.at(-1)!.id
  }
}

/** Ends what waits, so that nobody hears of it from here. */
export async function cancelPending(client: pg.Client): Promise<void> {
  await client.query(`
    update deliveries set state = 'cancelled', next_attempt_at = null, finished_at = ratecard_now()
    where state = 'pending'`)
  await client.query(`
    update notices set outcome = 'not_mailed', settled_at = ratecard_now() where outcome = 'waiting'`)
}

/** For functions that take a `Db`: what they do is part of this connection's transaction. */
function onConnection(client: pg.Client): Db {
  const query = client.query.bind(client) as PostgresPoolClient['query']
  const connection = { query, release: () => undefined } as PostgresPoolClient
  const pool = {
    connect: () => Promise.resolve(connection),
    end: () => Promise.resolve(),
    options: {},
  } as unknown as PostgresPool
  return new Kysely<DB>({ dialect: new Dialect({ pool }) })
}
