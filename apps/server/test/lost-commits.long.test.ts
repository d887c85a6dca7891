import { execFile } from 'node:child_process'
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { connect, type Db } from '../src/database/connect.ts'
import { openEmbedded } from '../src/database/embedded.ts'
import { migrate } from '../src/database/migrate.ts'
import { batchSessionConnector } from '../src/features/metering/batch-session.ts'
import type { Loss } from '../src/features/metering/lost-commits.ts'
import { createCustomer, priceRecord, storePrices, type Customer } from './support/actors.ts'
import { request } from './support/client.ts'
import { becomeReady, patience } from './support/load.ts'
import { ratecard, startServer, type ServerProcess } from './support/process.ts'
import { item, limits } from './support/unit-functions.ts'

// A database that comes back without what it had confirmed, as after a failover that lost commits: here the files of an
// earlier moment under processes that live on.

const run = promisify(execFile)

/** A cluster of its own, whose files can be kept and put back while it is stopped. */
async function openCluster() {
  const folder = await mkdtemp(join(tmpdir(), 'ratecard-lost-'))
  const database = await openEmbedded(folder, { settings: ['fsync=off'] })
  onTestFinished(async () => {
    await database.release()
    await rm(folder, { recursive: true, force: true })
  })
  const files = join(database.dataDir, 'postgres')
  const kept = join(database.dataDir, 'kept')
  return {
    url: database.connectionString,
    files,
    /** Stops it, does the work on its files, and starts it again. */
    async whileStopped(work: () => unknown): Promise<void> {
      await database.release()
      await work()
      // It takes nobody before it is promoted.
      await database.revive().catch(() => undefined)
      await expect.poll(() => sql`select`.execute(db).catch(() => null), patience).not.toBeNull()
    },
    keep: () => run('cp', ['-a', files, kept]),
    putBack: async () => {
      await rm(files, { recursive: true })
      await run('cp', ['-a', kept, files])
    },
  }
}

let cluster: Awaited<ReturnType<typeof openCluster>>
let db: Db
let customer: Customer
beforeEach(async () => {
  cluster = await openCluster()
  db = connect({ connectionString: cluster.url, onIdleError: () => undefined })
  onTestFinished(() => db.destroy())
  await migrate(db)
  await storePrices(db, [priceRecord({ resource_id: 'acme:1' })])
  customer = await createCustomer(db, { plan: 'scale' })
})

const forgotten = async ({ adminUrl }: ServerProcess) => {
  const text = await (await fetch(`${adminUrl}/metrics`)).text()
  return Number(/^ratecard_meter_batches_forgotten_total (\d+)/m.exec(text)?.[1])
}

const serveSome = async (server: ServerProcess, count: number) => {
  for (let served = 0; served < count; served += 1)
    await expect
      .poll(async () => (await request(server.url, '/v1/prices', customer)).status, patience)
      .toBe(200)
}

test('each process that had commits confirmed says that they are gone, and ledger verify says it until somebody knows', async () => {
  const env = { DATABASE_URL: cluster.url, SECRETS_KEY: Buffer.alloc(32).toString('base64') }
  const verify = (...args: string[]) => ratecard(['ledger', 'verify', ...args], env)
  const servers = [await startServer(env, ['--no-worker']), await startServer(env, ['--no-worker'])] as const
  await becomeReady(servers)
  for (const server of servers) await serveSome(server, 3)
  await cluster.whileStopped(cluster.keep)
  for (const server of servers) await serveSome(server, 3)
  // A restart that loses nothing, of the database and of a process.
  await cluster.whileStopped(() => undefined)
  const third = await startServer(env, ['--no-worker'])
  await becomeReady([third])
  for (const server of [...servers, third]) await serveSome(server, 1)
  for (const server of [...servers, third]) expect(await forgotten(server)).toBe(0)
  expect((await verify()).exitCode).toBe(0)

  await cluster.whileStopped(cluster.putBack)
  for (const server of [...servers, third]) {
    await serveSome(server, 1)
    await expect.poll(() => forgotten(server), patience).toBeGreaterThan(0)
    expect(server.log()).toMatch(/"level":50.*"what":"batch \d+ of the batcher .* went back/)
    const noticed = await forgotten(server)
    await serveSome(server, 2)
    expect(await forgotten(server)).toBe(noticed)
  }
  const told = await verify()
  expect(told.exitCode).toBe(1)
  expect(told.stdout).toContain('All balances agree')
  expect(told.stdout.match(/batch \d+ of the batcher/g)).toHaveLength(3)
  expect((await verify('--acknowledge')).exitCode).toBe(1)
  expect((await verify()).exitCode).toBe(0)
})

test('a timeline that goes back is noticed though no batch is missing, and a promotion is none', async () => {
  const losses: Loss[] = []
  const open = batchSessionConnector({
    connectionString: cluster.url,
    limits,
    lockTimeoutMs: 1_000,
    onLoss: (loss) => losses.push(loss),
  })
  const first = await open()
  await first.reserve(1, [item(customer)])
  first.close()
  await cluster.whileStopped(async () => {
    await cluster.keep()
    // It is promoted at the end of its own log.
    await writeFile(join(cluster.files, 'recovery.signal'), '')
    await appendFile(
      join(cluster.files, 'postgresql.auto.conf'),
      "restore_command = 'false'\nhot_standby = off\n",
    )
  })
  const second = await open()
  second.close()

  await cluster.whileStopped(cluster.putBack)
  const third = await open()
  expect(losses).toEqual([])
  await third.reserve(2, [item(customer)])
  await third.reserve(3, [item(customer)])
  third.close()
  expect(losses).toEqual([{ what: 'timeline 2 was in use, and 1 is again', batches: 0 }])
})
