import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { createCustomer, priceRecord, storePrices } from './support/actors.ts'
import { documentedConnections } from './support/guide.ts'
import { becomeReady, patience } from './support/load.ts'
import { useDatabase } from './support/postgres.ts'
import { startServer } from './support/process.ts'

const database = useDatabase()
const pools = { DATABASE_POOL_SIZE: 10 }

beforeAll(() =>
  storePrices(
    database.db,
    Array.from({ length: 40 }, (_, n) => priceRecord({ resource_id: `acme:m${n}`, vendor: `v${n}` })),
  ),
)

const name = 'under-test'

async function count(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity where application_name = ${name}`.execute(database.db)
  return rows[0]?.count ?? 0
}

test.each([
  // The pool of the API, one connection at least that counts, the request log, and some of the public pages.
  { command: 'serve --no-worker', args: ['--no-worker'], atLeast: 10 + 1 + 1 + 1 },
  // The queue as well.
  { command: 'serve', args: [], atLeast: 10 + 1 + 1 + 1 + 2 },
])(
  '$command holds no more connections under load than are documented',
  async ({ command, args, atLeast }) => {
    const url = new URL(database.url)
    url.searchParams.set('application_name', name)
    const env = {
      DATABASE_URL: url.href,
      SECRETS_KEY: randomBytes(32).toString('base64'),
      LOG_LEVEL: 'error',
    }
    const server = await startServer(
      { ...env, FEED_SOURCES: '[{"source":"genai-prices","every":"6h"}]' },
      args,
    )
    await becomeReady([server])
    const { key } = await createCustomer(database.db, { plan: 'enterprise' })
    let isOver = false
    const ask = async (worker: number) => {
      for (let n = 0; !isOver; n += 1) {
        // Pages that are not kept, writes, public pages, usage, and a file.
        const requests = [
          ['GET', `/v1/prices?vendor=v${(worker * 7 + n) % 40}&limit=${1 + (n % 50)}`],
          ['DELETE', '/v1/webhooks/wh_none'],
          ['GET', `/models?q=m${worker}-${n}`],
          ['GET', '/v1/usage'],
          ['GET', '/snapshot.json'],
        ] as const
        const [method, path] = requests[worker % requests.length]!
        const headers = { authorization: `Bearer ${key}` }
        await fetch(server.url + path, { method, headers }).then((answer) => answer.arrayBuffer())
      }
    }
    const load = Promise.all(Array.from({ length: 60 }, (_, worker) => ask(worker)))
    let most = 0
    const look = async () => (most = Math.max(most, await count()))
    // What reads and what is counted waits: each pool opens all that it may.
    await database.db.transaction().execute(async (trx) => {
      await sql`lock table prices, webhooks, list_versions in access exclusive mode`.execute(trx)
      const beganMs = performance.now()
      while (most < atLeast && performance.now() - beganMs < patience.timeout) await look()
    })
    for (let looks = 0; looks < 100; looks += 1) await look()
    isOver = true
    await load
    console.info(
      `${command}: ${most} connections at most, ${await documentedConnections(command, pools)} documented`,
    )
    expect(most).toBeGreaterThanOrEqual(atLeast)
    expect(most).toBeLessThanOrEqual(await documentedConnections(command, pools))
    await server.stop()
  },
)
