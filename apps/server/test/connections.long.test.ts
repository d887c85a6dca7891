import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createCustomer, priceRecord, storePrices } from './support/actors.ts'
import { becomeReady, patience } from './support/load.ts'
import { useDatabase } from './support/postgres.ts'
import { startServer } from './support/process.ts'

const database = useDatabase()
const pools = { DATABASE_POOL_SIZE: 10, DASHBOARD_POOL_SIZE: 4 }

/** What docs/operations.md says that this process holds at most. */
async function documented(command: string): Promise<number> {
  const guide = await readFile(new URL('../../../docs/operations.md', import.meta.url), 'utf8')
  const [, sum = ''] = new RegExp(`^\\| \`${command}\` *\\| (.*?) *\\|$`, 'm').exec(guide) ?? []
  const terms = sum.replaceAll('`', '').split(' + ')
  return terms.reduce((total, term) => total + (pools[term as keyof typeof pools] ?? Number(term)), 0)
}

test.each([
  { command: 'serve --no-worker', args: ['--no-worker'], atLeast: 10 + 2 + 1 },
  { command: 'serve', args: [], atLeast: 10 + 2 + 1 + 3 },
])(
  '$command under load holds no more connections than are documented',
  async ({ command, args, atLeast }) => {
    await storePrices(
      database.db,
      Array.from({ length: 40 }, (_, n) => priceRecord({ resource_id: `acme:m${n}`, vendor: `v${n}` })),
    )
    const server = await startServer(
      {
        DATABASE_URL: database.url,
        SECRETS_KEY: randomBytes(32).toString('base64'),
        LOG_LEVEL: 'error',
        FEED_SOURCES: '[{"source":"genai-prices","every":"6h"}]',
      },
      args,
    )
    await becomeReady([server])
    const { key } = await createCustomer(database.db, { plan: 'enterprise' })
    let most = 0
    let isOver = false
    const ask = async (worker: number) => {
      for (let n = 0; !isOver; n += 1) {
        const headers = { authorization: `Bearer ${key}` }
        // Pages that are not kept, writes, public pages, files, and the dashboard's door.
        const [path, method] = [
          [`/v1/prices?vendor=v${(worker * 7 + n) % 40}&limit=${1 + (n % 50)}`, 'GET'],
          ['/v1/webhooks/wh_none', 'DELETE'],
          [`/models?q=m${n % 40}`, 'GET'],
          ['/v1/usage', 'GET'],
          ['/snapshot.json', 'GET'],
        ][worker % 5]!
        await fetch(server.url + path, { method: method!, headers }).then((answer) => answer.arrayBuffer())
      }
    }
    const load = Promise.all(Array.from({ length: 60 }, (_, worker) => ask(worker)))
    const count = async () => {
      const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(database.db)
      return rows[0]?.count ?? 0
    }
    const before = performance.now()
    await expect
      .poll(async () => {
        most = Math.max(most, await count())
        return performance.now() - before > 6_000
      }, patience)
      .toBe(true)
    isOver = true
    await load
    // The test's own pool is among them: four at most.
    console.info(`${command}: ${most} connections at most, ${await documented(command)} documented`)
    expect(most - 1).toBeGreaterThanOrEqual(atLeast)
    expect(most - 4).toBeLessThanOrEqual(await documented(command))
  },
)
