import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { connect } from '../src/database/connect.ts'
import { readMigrations } from '../src/database/migrations.ts'
import { verifyLedger } from '../src/features/metering/verify-ledger.ts'
import { priceRecord, storePrices } from '../test/support/actors.ts'
import { authorityFile } from '../test/support/certificates.ts'
import { request } from '../test/support/client.ts'
import { changeFile } from '../test/support/fixtures.ts'
import { becomeReady, countStatuses, patience, startLoad, type Load } from '../test/support/load.ts'
import { createDatabase, dropDatabase, urlOfDatabase, type TestDatabase } from '../test/support/postgres.ts'
import { ratecard, startServer, type ServerProcess } from '../test/support/process.ts'
import { startReceiver, type Receiver } from '../test/support/receiver.ts'
import { copyTree, released, unpackCommit, whyNoReleased } from '../test/support/release-tree.ts'

// The last released server and this one on one database, under load, through a migration of each kind.

const why = whyNoReleased()
const reason = why === null ? '' : ` (skipped: ${why})`
let database: TestDatabase
const days = 3_000

async function newerThanReleased(): Promise<string[]> {
  return (await readMigrations()).map(({ name }) => name).filter((name) => !(name in released.migrations))
}

/** What the next release could bring: a column on the tables that each request needs, its values, and an index. */
const added = {
  '9001_proof.sql':
    'alter table usage_days add column proof integer; alter table api_keys add column proof text;',
  '9002_proof-fill.batches.sql': `
    update usage_days set proof = plan_used
    where (quota_subject, day) in (
      select quota_subject, day from usage_days where proof is null order by quota_subject, day limit 500 for update
    )`,
  '9003_proof-index.concurrently.sql':
    'create index concurrently if not exists usage_days_proof on usage_days (proof)',
}

describe.skipIf(why !== null)(`A rolling upgrade from ${released.commit.slice(0, 8)}${reason}`, () => {
  let folder = ''
  let oldProgram = ''
  let newProgram = ''
  let receiver: Receiver
  const customers: { key: string; keyId: string }[] = []
  const env = () => ({
    DATABASE_URL: database.url,
    SECRETS_KEY: secretsKey,
    LOG_LEVEL: 'warn',
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    WEBHOOK_CA_FILE: authorityFile,
  })
  const secretsKey = randomBytes(32).toString('base64')
  const start = async (program: string) => {
    const server = await startServer(env(), [], onTestFinished, 'serve', program)
    await becomeReady([server])
    return server
  }

  beforeAll(async () => {
    if (why !== null) return
    folder = await mkdtemp(join(tmpdir(), 'ratecard-upgrade-'))
    oldProgram = unpackCommit(released.commit, join(folder, 'old'))
    newProgram = copyTree(join(folder, 'new'), added)
    receiver = await startReceiver()
    const name = `ratecard_test_upgrade_${randomBytes(4).toString('hex')}`
    await createDatabase(inject('postgresUrl'), name)
    const url = urlOfDatabase(inject('postgresUrl'), name)
    database = { url, db: connect({ connectionString: url }) }
    // As the release before made it.
    expect(await ratecard(['migrate'], env(), oldProgram)).toMatchObject({ exitCode: 0 })
    await storePrices(database.db, [priceRecord({ resource_id: 'acme:alpha' })])
    for (let count = 0; count < 3; count += 1) customers.push(await createOldCustomer())
    await sql`
      insert into usage_days (quota_subject, day)
      select 'key_of_old_' || n, '2020-01-01' from generate_series(1, ${days}::int) n`.execute(database.db)
  })
  afterAll(async () => {
    await receiver?.close()
    await database?.db.destroy()
    if (database) await dropDatabase(inject('postgresUrl'), new URL(database.url).pathname.slice(1))
    if (folder !== '') await rm(folder, { recursive: true, force: true })
  })

  /** By the release before: this one's statements name columns that are not there yet. */
  async function createOldCustomer(): Promise<(typeof customers)[number]> {
    const run = async (...args: string[]) => {
      const { stdout } = await ratecard([...args, '--json'], env(), oldProgram)
      return JSON.parse(stdout) as Record<string, string>
    }
    const { id = '' } = await run('accounts', 'create', '--name', 'Acme')
    await run('subscriptions', 'set', '--account', id, '--plan', 'scale')
    const { id: keyId = '', key = '' } = await run('keys', 'create', '--account', id)
    return { key, keyId }
  }

  async function publish(program: string, title: string): Promise<void> {
    const file = join(folder, 'changes.json')
    await writeFile(file, JSON.stringify([changeFile({ title })]))
    expect(await ratecard(['changes', 'publish', file], env(), program)).toMatchObject({ exitCode: 0 })
  }
  const titles = () => receiver.received.flatMap(({ alert }) => alert.changes.map(({ title }) => title))

  async function answered(load: Load, count: number): Promise<void> {
    const before = load.outcomes.length
    await expect.poll(() => load.outcomes.length - before, patience).toBeGreaterThan(count)
  }

  test('no request fails, each unit is counted once, and no alert is lost', async () => {
    let servers: ServerProcess[] = [await start(oldProgram)]
    let turn = 0
    const load = startLoad(6, async (worker) => {
      await setTimeout(10)
      const { url } = servers[(turn += 1) % servers.length]!
      return request(url, '/v1/prices', { key: customers[worker % customers.length]!.key })
    })
    const body = { url: `${receiver.url}/alerts`, events: ['*'], secret: 'sixteen-or-more-characters' }
    const { key } = customers[0]!
    const created = await request(servers[0]!.url, '/v1/webhooks', { key, method: 'POST', body })
    expect(created.status).toBe(201)
    await publish(oldProgram, 'before')
    await answered(load, 50)

    // A report holds the table that the migration changes: the migration waits for it, and nobody for the migration.
    const reader = connect({ connectionString: database.url, connectionsMax: 1 })
    onTestFinished(() => reader.destroy())
    const report = await reader.startTransaction().execute()
    await sql`select from usage_days limit 1`.execute(report)
    const migrating = ratecard(['migrate', '--json'], env(), newProgram)
    let longestWaitMs = 0
    const waiting = async () => {
      const { rows } = await sql<{ ms: number }>`
        select extract(epoch from clock_timestamp() - waitstart)::float8 * 1000 as ms
        from pg_locks
        where not granted and mode = 'AccessExclusiveLock'
          and database = (select oid from pg_database where datname = current_database())`.execute(
        database.db,
      )
      longestWaitMs = Math.max(longestWaitMs, ...rows.map(({ ms }) => ms ?? 0))
      return rows.length > 0
    }
    for (const tries of [1, 2]) {
      await expect.poll(waiting, { ...patience, message: `try ${tries}` }).toBe(true)
      await expect.poll(waiting, patience).toBe(false)
      await answered(load, 20)
    }
    await report.commit().execute()
    const migrated = await migrating
    expect(migrated).toMatchObject({ exitCode: 0 })
    expect(JSON.parse(migrated.stdout)).toEqual(
      [
        ...(await newerThanReleased()),
        ...Object.keys(added).map((file) => file.slice(0, -'.sql'.length)),
      ].map((id) => ({ id })),
    )
    // Below what a request waits before it is answered with 503.
    expect(longestWaitMs).toBeLessThan(2_000)

    // Both.
    const newServer = await start(newProgram)
    servers = [servers[0]!, newServer]
    await publish(newProgram, 'between')
    await answered(load, 100)
    // The new one alone.
    const [oldServer] = servers
    servers = [newServer]
    await answered(load, 10)
    expect(await oldServer!.stop()).toBe(0)
    await publish(newProgram, 'after')
    await answered(load, 50)
    // And back: the release before starts on the newer schema.
    const again = await start(oldProgram)
    servers = [again]
    await answered(load, 50)
    expect(await newServer.stop()).toBe(0)
    await publish(oldProgram, 'back')
    await answered(load, 50)

    const outcomes = await load.stop()
    expect(countStatuses(outcomes.map(({ answer }) => answer))).toEqual({ 200: outcomes.length })
    await expect
      .poll(() => new Set(titles()), patience)
      .toEqual(new Set(['before', 'between', 'after', 'back']))
    for (const [index, { keyId }] of customers.entries()) {
      const own = outcomes.filter(({ worker }) => worker % customers.length === index)
      const remaining = own.map(({ answer }) => Number(answer?.headers.get('x-ratelimit-remaining')))
      expect(new Set(remaining).size).toBe(own.length)
      const { rows } = await sql<{ units: number }>`
        select sum(units)::int as units from usage_entries where quota_subject = ${keyId}`.execute(
        database.db,
      )
      // The webhook was one of the first customer's.
      expect(rows[0]?.units).toBe(own.length + (index === 0 ? 1 : 0))
    }
    expect((await verifyLedger(database.db)).differences).toEqual([])
    const { rows: left } = await sql<{ index: boolean; empty: number }>`
      select (select indisvalid from pg_index where indexrelid = 'usage_days_proof'::regclass) as index,
        (select count(*)::int from usage_days where proof is null and quota_subject like 'key_of_old_%') as empty`.execute(
      database.db,
    )
    expect(left).toEqual([{ index: true, empty: 0 }])
    const slowest = Math.max(...outcomes.map(({ startedMs, endedMs }) => endedMs - startedMs))
    console.info(
      `${outcomes.length} requests, the slowest in ${Math.round(slowest)} ms; the migration waited ${Math.round(longestWaitMs)} ms at most at a time`,
    )
  })
})
