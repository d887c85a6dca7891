import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { connect, type Db } from '../src/database/connect.ts'
import { createSecretBox } from '../src/features/webhooks/secret-box.ts'
import { priceRecord, storePrices } from '../test/support/actors.ts'
import { cellEnvironment, publishAtHub } from '../test/support/cells.ts'
import { embeddedPrograms, engines, openEngine, type EngineCluster } from '../test/support/engines.ts'
import { ratecard } from '../test/support/process.ts'
import { startReceiver } from '../test/support/receiver.ts'
import { createAccounts, subscribe } from '../test/support/subscribers.ts'
import { startWorker } from '../test/support/worker-process.ts'

// A hub and a cell on each major version of PostgreSQL; and, where PostgreSQL carries slots over, a hub whose primary is
// lost.

const settings = ['wal_level=logical', 'wal_retrieve_retry_interval=200ms', 'shared_buffers=32MB']
const secretsKey = randomBytes(32).toString('base64')
const patience = { timeout: 60_000, interval: 100 }
/** The first version whose standbys keep the slots of cells. */
const failoverFrom = 17

const all = [...engines, { major: 18, folder: await embeddedPrograms() }]
const ends: (() => Promise<void>)[] = []
const atEnd = (end: () => Promise<void>) => void ends.push(end)

function open(url: string): Db {
  const db = connect({ connectionString: url, onIdleError: () => undefined })
  atEnd(() => db.destroy())
  return db
}

async function run(env: Record<string, string>, ...args: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await ratecard(args, env)
  if (exitCode !== 0) throw new Error(stderr)
  return stdout
}

async function startHub(folder: string): Promise<EngineCluster> {
  const hub = await openEngine(folder, atEnd, settings)
  await hub.start()
  const env = cellEnvironment({ url: hub.url, secretsKey }, null)
  await run(env, 'migrate')
  await run(env, 'cells', 'publish', '--role', 'ratecard')
  return hub
}

/** A database that follows a hub. */
async function startCell(folder: string, hubUrl: string) {
  const cluster = await openEngine(folder, atEnd, settings)
  await cluster.start()
  const env = cellEnvironment({ url: cluster.url, secretsKey }, { mark: 'a1', hubUrl })
  await run(env, 'cells', 'join')
  return { env, db: open(cluster.url) }
}

const titlesIn = async (db: Db) =>
  (await db.selectFrom('changes').select('title').orderBy('title').execute()).map(({ title }) => title)
const regionIn = async (db: Db) => (await db.selectFrom('prices').select('region').execute())[0]?.region
const store = (hub: Db, n: number) =>
  storePrices(hub, [priceRecord({ resource_id: 'acme:alpha', region: String(n) })])

describe.each(all)('PostgreSQL $major', ({ major, folder }) => {
  const skipped = folder === null ? ' (skipped: it is not installed)' : ''
  const endAll = () =>
    onTestFinished(async () => {
      for (const end of ends.splice(0).reverse()) await end()
    })

  test.skipIf(folder === null)(
    `is a hub without accounts, and a cell that tells of its changes${skipped}`,
    async () => {
      endAll()
      const hub = await startHub(folder!)
      const hubDb = open(hub.url)
      await store(hubDb, 1)
      const cell = await startCell(folder!, hub.url)
      const receiver = await startReceiver()
      atEnd(() => receiver.close())
      await subscribe(cell.db, createSecretBox([secretsKey]), {
        accountIds: await createAccounts(cell.db, 1),
        urls: [`${receiver.url}/hook`],
      })
      await startWorker(cell.env, atEnd)
      await store(hubDb, 2)
      await publishAtHub(hubDb, 'of the hub')
      await receiver.waitFor(1)
      expect(await regionIn(cell.db)).toBe('2')
      expect(await titlesIn(cell.db)).toEqual(['of the hub'])
      // As docs/cells.md says: who copies such a hub has nobody's data.
      for (const table of ['accounts', 'api_keys', 'webhooks', 'auth_users', 'auth_sessions'] as const)
        expect(await hubDb.selectFrom(table).selectAll().execute(), table).toEqual([])
      const warnings = async () => {
        const env = cellEnvironment({ url: hub.url, secretsKey }, null)
        return (
          JSON.parse(await run(env, 'cells', 'publish', '--role', 'ratecard', '--json')) as {
            warnings: string[]
          }
        ).warnings
      }
      const ofAccounts = expect.stringContaining('can copy all of it') as string
      expect(await warnings()).not.toContainEqual(ofAccounts)
      await createAccounts(hubDb, 1)
      expect(await warnings()).toContainEqual(ofAccounts)
      const { rows } = await sql<{
        version: string
      }>`select current_setting('server_version') as version`.execute(cell.db)
      expect(rows[0]?.version).toMatch(new RegExp(`^${major}\\.`))
    },
  )

  const cannot = major < failoverFrom ? ' (skipped: its standbys have no slots)' : skipped
  test.skipIf(cannot !== '')(
    `a hub that loses its primary keeps its cells, and they have what it has${cannot}`,
    async () => {
      endAll()
      const primary = await startHub(folder!)
      const first = open(primary.url)
      await store(first, 1)
      await first.destroy()
      await primary.stop()
      const standby = await primary.standby()
      // As docs/cells.md says ("When the hub is lost").
      await standby.configure(
        `primary_conninfo = 'host=127.0.0.1 port=${new URL(primary.url).port} user=ratecard dbname=postgres application_name=standby'`,
      )
      await standby.configure("primary_slot_name = 'standby'")
      await standby.configure('hot_standby_feedback = on')
      await standby.configure('sync_replication_slots = on')
      await primary.configure("synchronous_standby_names = 'standby'")
      await primary.configure("synchronized_standby_slots = 'standby'")
      await primary.start()
      const old = open(primary.url)
      await sql`select pg_create_physical_replication_slot('standby')`.execute(old)
      await standby.start()
      const second = open(standby.url)

      const hosts = [primary.url, standby.url].map((url) => new URL(url).host).join(',')
      const cell = await startCell(
        folder!,
        `postgres://ratecard@${hosts}/postgres?target_session_attrs=read-write`,
      )
      const isSynced = async () => {
        await sql`select pg_log_standby_snapshot()`.execute(old)
        await store(old, 2)
        const { rows } = await sql`
        select from pg_replication_slots where slot_name like 'ratecard\\_cell\\_%' and synced and not temporary`.execute(
          second,
        )
        return rows.length
      }
      await expect.poll(isSynced, { ...patience, interval: 1_000 }).toBe(1)

      const confirmed: string[] = []
      const publishAt = async (hub: Db, count: number) => {
        for (let n = 0; n < count; n += 1) {
          const title = `change ${confirmed.length}`
          await store(hub, 100 + confirmed.length)
          await publishAtHub(hub, title)
          confirmed.push(title)
        }
      }
      await publishAt(old, 50)
      // What the standby does not have may be gone with the primary, so no cell is told of it.
      const { rows } = await sql<{ pid: number }>`select pid from pg_stat_wal_receiver`.execute(second)
      process.kill(rows[0]!.pid, 'SIGSTOP')
      const unconfirmed = 'that the standby does not have'
      const publishing = publishAtHub(old, unconfirmed).catch(() => undefined)
      await setTimeout(2_000)
      expect(await titlesIn(cell.db)).not.toContain(unconfirmed)
      await primary.kill()
      await publishing
      process.kill(rows[0]!.pid, 'SIGCONT')
      await sql`select pg_promote()`.execute(second)
      await publishAt(second, 20)
      await expect.poll(() => titlesIn(cell.db), patience).toEqual(await titlesIn(second))
      expect(await titlesIn(second)).toEqual(expect.arrayContaining(confirmed))
      await expect.poll(() => regionIn(cell.db), patience).toBe(await regionIn(second))
      expect(JSON.parse(await run(cell.env, 'cells', 'status', '--json'))).toMatchObject({
        role: 'cell',
        subscription: { connected: true },
        advice: [],
      })
    },
  )
})
