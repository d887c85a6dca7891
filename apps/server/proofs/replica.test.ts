import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { connect, type Db } from '../src/database/connect.ts'
import { migrate } from '../src/database/migrate.ts'
import { createCustomer, priceRecord, storePrices, type Customer } from '../test/support/actors.ts'
import { request } from '../test/support/client.ts'
import type { Answer } from '../test/support/contract-check.ts'
import { debianPostgres, startReplication } from '../test/support/debian-postgres.ts'
import { becomeReady, countStatuses, patience, startLoad } from '../test/support/load.ts'
import { createDatabase, dropDatabase, urlOfDatabase, useDatabase } from '../test/support/postgres.ts'
import { startServer, type ServerProcess } from '../test/support/process.ts'
import { changeFile, publish } from '../test/support/fixtures.ts'
import { openProxy } from '../test/support/tcp-proxy.ts'

// Pages may be read from a replica, and no answer shows it.

const secretsKey = randomBytes(32).toString('base64')

interface Replicated {
  server: ServerProcess
  customer: Customer
}

async function serveWith(url: string, replicaUrl: string, db: Db): Promise<Replicated> {
  const server = await startServer(
    { DATABASE_URL: url, DATABASE_REPLICA_URL: replicaUrl, SECRETS_KEY: secretsKey, LOG_LEVEL: 'info' },
    ['--no-worker'],
  )
  await becomeReady([server])
  return { server, customer: await createCustomer(db, { plan: 'developer' }) }
}

const ask = ({ server, customer: { key } }: Replicated, path = '/v1/prices') =>
  request(server.url, path, { key })

const idsIn = ({ body }: Answer) =>
  (body as { data: { resource_id: string }[] }).data.map(({ resource_id }) => resource_id)

/** Lines of a server's log with this message. */
const logged = ({ server }: Replicated, message: string) =>
  server
    .log()
    .split('\n')
    .filter((line) => line.includes(message))

const away = 'the replica cannot be read'
const back = 'the replica is read again'

describe('A replica in a version that is set by hand', () => {
  const database = useDatabase()
  const postgres = inject('postgresUrl')
  const name = `ratecard_test_replica_${randomBytes(4).toString('hex')}`
  const copyUrl = urlOfDatabase(postgres, name)
  let copy: Db

  // It holds other rows than the database: they show where a page comes from.
  beforeAll(async () => {
    await createDatabase(postgres, name, inject('templateDatabase'))
    copy = connect({ connectionString: copyUrl })
    await storePrices(database.db, [priceRecord({ resource_id: 'of:database' })])
    await storePrices(copy, [priceRecord({ resource_id: 'of:replica' })])
    await publish(database.db, changeFile({ title: 'of database' }))
    await publish(copy, changeFile({ title: 'of replica' }))
  })
  afterAll(async () => {
    await copy.destroy()
    await dropDatabase(postgres, name)
  })

  async function bringToSameVersion(): Promise<void> {
    for (const { list, version } of await database.db.selectFrom('list_versions').selectAll().execute())
      await copy.updateTable('list_versions').set({ version }).where('list', '=', list).execute()
  }
  const fallBehind = () => sql`update list_versions set version = version - 1`.execute(copy)

  test('gives the pages while it is in the version of the database', async () => {
    await bringToSameVersion()
    const world = await serveWith(database.url, copyUrl, database.db)
    expect(idsIn(await ask(world))).toEqual(['of:replica'])
    expect((await ask(world, '/v1/changes')).body).toMatchObject({ data: [{ title: 'of replica' }] })
    // What is kept of it is good as long as its version is.
    expect(idsIn(await ask(world))).toEqual(['of:replica'])
    expect(await world.server.stop()).toBe(0)
  })

  test('gives none while it is behind, and each answer costs one unit', async () => {
    await bringToSameVersion()
    await fallBehind()
    const world = await serveWith(database.url, copyUrl, database.db)
    const answers = [await ask(world), await ask(world), await ask(world, '/v1/prices?limit=1')]
    expect(answers.map(idsIn)).toEqual(Array(3).fill(['of:database']))
    const remaining = answers.map(({ headers }) => Number(headers.get('x-ratelimit-remaining')))
    expect(remaining).toEqual([9_999, 9_998, 9_997])
    expect((await ask(world, '/v1/changes')).body).toMatchObject({ data: [{ title: 'of database' }] })
    expect(logged(world, away)).toEqual([])
  })

  test.each(['refuse', 'blackHole'] as const)(
    'gives none while it is out of reach (%s): said once, and over once it is back',
    async (outage) => {
      await bringToSameVersion()
      const network = await openProxy(copyUrl)
      const world = await serveWith(database.url, network.url, database.db)
      let limit = 0
      const askForNewPage = async () => idsIn(await ask(world, `/v1/prices?limit=${(limit += 1)}`))
      // The first reads of a server may take longer than it waits for a replica.
      await expect.poll(askForNewPage, { ...patience, interval: 100 }).toEqual(['of:replica'])
      const before = [logged(world, away).length, logged(world, back).length]
      await network[outage]()
      for (let n = 0; n < 10; n += 1) expect(await askForNewPage()).toEqual(['of:database'])
      expect(logged(world, away)).toHaveLength(before[0]! + 1)
      await network.pass()
      await expect.poll(askForNewPage, { ...patience, interval: 100 }).toEqual(['of:replica'])
      expect(logged(world, back)).toHaveLength(before[1]! + 1)
    },
  )

  test.each([
    ['nobody listens', 'postgres://ratecard@127.0.0.1:1/ratecard'],
    ['the database is missing', urlOfDatabase(postgres, 'ratecard_no_such_database')],
    ['the schema is missing', urlOfDatabase(postgres, 'postgres')],
  ])('is done without where %s', async (_why, url) => {
    const world = await serveWith(database.url, url, database.db)
    for (let limit = 1; limit < 6; limit += 1)
      expect(idsIn(await ask(world, `/v1/prices?limit=${limit}`))).toEqual(['of:database'])
    expect(logged(world, away)).toHaveLength(1)
  })
})

const reason = 'missing' in debianPostgres ? ` (skipped: ${debianPostgres.missing})` : ''

describe.skipIf(reason !== '')(`A streaming replica${reason}`, () => {
  let replication: Awaited<ReturnType<typeof startReplication>>
  let primary: Db
  let replica: Db
  const generation = (n: number) => priceRecord({ resource_id: 'acme:alpha', region: String(n) })
  const generationIn = ({ body }: Answer) => Number((body as { data: { region: string }[] }).data[0]?.region)

  beforeAll(async () => {
    replication = await startReplication()
    primary = connect({ connectionString: replication.primary.url })
    replica = connect({ connectionString: replication.replica.url, connectionsMax: 1 })
    await migrate(primary)
  })
  afterAll(async () => {
    await primary?.destroy()
    await replica?.destroy()
    await replication?.end()
  })

  const versionAt = async (db: Db) =>
    (await sql<{ version: number }>`select version from list_versions where list = 'prices'`.execute(db))
      .rows[0]?.version
  async function catchUp(): Promise<void> {
    const version = await versionAt(primary)
    await expect.poll(() => versionAt(replica), patience).toBe(version)
  }
  /** Connections to the replica over which a page was read last. */
  async function pageReaders(): Promise<number> {
    const { rows } = await sql`
      select 1 from pg_stat_activity
      where query like '%array_agg%' and query like '%list_versions%' and pid <> pg_backend_pid()`.execute(
      replica,
    )
    return rows.length
  }

  test('gives the pages, and while it is behind nobody sees it', async () => {
    await storePrices(primary, [generation(1)])
    await catchUp()
    const world = await serveWith(replication.primary.url, replication.replica.url, primary)
    expect(generationIn(await ask(world))).toBe(1)
    expect(await pageReaders()).toBe(1)

    await sql`select pg_wal_replay_pause()`.execute(replica)
    onTestFinished(async () => void (await sql`select pg_wal_replay_resume()`.execute(replica)))
    await storePrices(primary, [generation(2)])
    const answers = [await ask(world), await ask(world, '/v1/prices?limit=1'), await ask(world)]
    expect(answers.map(generationIn)).toEqual([2, 2, 2])
    const remaining = answers.map(({ headers }) => Number(headers.get('x-ratelimit-remaining')))
    expect(remaining).toEqual([9_998, 9_997, 9_996])
  })

  test('that follows imports under load shows nobody less than was committed', async () => {
    await storePrices(primary, [generation(10)])
    await catchUp()
    const world = await serveWith(replication.primary.url, replication.replica.url, primary)
    let committed = 10
    let behind = 0
    const load = startLoad(8, async (worker) => {
      const atLeast = committed
      const answer = await ask(world, `/v1/prices?limit=${(worker % 4) + 1}`)
      if (answer.status === 200 && !(generationIn(answer) >= atLeast)) behind += 1
      return answer
    })
    for (let n = 11; n < 31; n += 1) {
      const answered = load.outcomes.length
      await storePrices(primary, [generation(n)])
      committed = n
      await expect.poll(() => load.outcomes.length - answered, patience).toBeGreaterThan(20)
    }
    const outcomes = await load.stop()
    expect(countStatuses(outcomes.map(({ answer }) => answer))).toEqual({ 200: outcomes.length })
    expect(behind).toBe(0)
    const usage = (await ask(world, '/v1/usage')).body as { metered_total: number }
    expect(usage.metered_total).toBe(outcomes.length)
  })

  test('that crashes costs nobody an answer', async () => {
    await storePrices(primary, [generation(40)])
    await catchUp()
    const world = await serveWith(replication.primary.url, replication.replica.url, primary)
    expect(generationIn(await ask(world))).toBe(40)
    await replication.replica.stop()
    await storePrices(primary, [generation(41)])
    for (let limit = 1; limit < 10; limit += 1)
      expect(generationIn(await ask(world, `/v1/prices?limit=${limit}`))).toBe(41)
    expect(logged(world, away)).toHaveLength(1)
    await replication.replica.start()
    const isBack = async () => {
      await ask(world, `/v1/prices?limit=${10 + Math.floor(performance.now() % 400)}`)
      return logged(world, back).length
    }
    await expect.poll(isBack, { ...patience, interval: 200 }).toBe(1)
  })
})
