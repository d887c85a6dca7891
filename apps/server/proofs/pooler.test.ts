import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { verifyLedger } from '../src/features/metering/verify-ledger.ts'
import { readSessions } from '../src/database/sessions.ts'
import { createCustomer, priceRecord, storePrices } from '../test/support/actors.ts'
import { authorityFile } from '../test/support/certificates.ts'
import { request } from '../test/support/client.ts'
import type { Answer } from '../test/support/contract-check.ts'
import { signInOwner } from '../test/support/dashboard-owner.ts'
import { changeFile } from '../test/support/fixtures.ts'
import { documentedConnections } from '../test/support/guide.ts'
import { becomeReady, countStatuses, patience, startLoad } from '../test/support/load.ts'
import { pgbouncer, startPooler, type Pooler } from '../test/support/pgbouncer.ts'
import { useDatabase } from '../test/support/postgres.ts'
import { ratecard, startServer, type ServerProcess } from '../test/support/process.ts'
import { startReceiver, type Receiver } from '../test/support/receiver.ts'

// Two servers and PgBouncer, with its defaults: what is promised without it holds. In session mode each connection of a
// process holds one of PostgreSQL's, so docs/failover.md asks for as many as docs/operations.md counts.

const reason = pgbouncer === null ? ' (skipped: pgbouncer is not installed)' : ''
const database = useDatabase()
const secretsKey = randomBytes(32).toString('base64')
const pools = { DATABASE_POOL_SIZE: 4 }
const commands = ['serve', 'serve --no-worker', 'any other command']
let receiver: Receiver

const setUps = [
  { name: 'in session mode', mode: 'session', direct: false },
  { name: 'in transaction mode', mode: 'transaction', direct: false },
  { name: 'in transaction mode, beside a direct URL', mode: 'transaction', direct: true },
] as const

beforeAll(async () => {
  await storePrices(database.db, [priceRecord({ resource_id: 'acme:alpha' })])
  receiver = await startReceiver()
})
afterAll(() => receiver?.close())
afterEach(async () => expect((await verifyLedger(database.db)).differences).toEqual([]))

const remainingOf = (answers: readonly (Answer | undefined)[]) =>
  answers
    .filter((answer) => answer?.status === 200)
    .map((answer) => Number(answer?.headers.get('x-ratelimit-remaining')))

async function chargedTo(keyId: string): Promise<number> {
  const { rows } = await sql<{ units: number }>`
    select coalesce(sum(units), 0)::int as units from usage_entries where quota_subject = ${keyId}`.execute(
    database.db,
  )
  return rows[0]!.units
}

describe.skipIf(reason !== '').each(setUps)(`PgBouncer $name${reason}`, ({ mode, direct }) => {
  let pooler: Pooler
  const servers: ServerProcess[] = []
  const ends: (() => Promise<void>)[] = []
  const env = (): Record<string, string> => ({
    DATABASE_URL: pooler.url,
    ...(direct && { DATABASE_DIRECT_URL: database.url }),
    DATABASE_POOL_SIZE: String(pools.DATABASE_POOL_SIZE),
    SECRETS_KEY: secretsKey,
    LOG_LEVEL: 'info',
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    WEBHOOK_CA_FILE: authorityFile,
  })
  const send = (n: number, key: string) => request(servers[n % 2]!.url, '/v1/prices', { key })

  beforeAll(async () => {
    const atMost = await Promise.all(commands.map((command) => documentedConnections(command, pools)))
    const settings =
      mode === 'session' ? `default_pool_size = ${atMost.reduce((sum, each) => sum + each)}` : ''
    pooler = await startPooler(database.url, mode, (end) => ends.push(end), settings)
    const start = (...args: string[]) => startServer(env(), args, (end) => ends.push(end))
    servers.push(...(await Promise.all([start(), start('--no-worker')])))
    await becomeReady(servers)
  })
  afterAll(async () => {
    for (const end of ends.reverse()) await end()
  })

  test('two processes count a free key to its last unit, each number once', async () => {
    const { key } = await createCustomer(database.db)
    const answers = await Promise.all(Array.from({ length: 150 }, (_, n) => send(n, key)))
    expect(countStatuses(answers)).toEqual({ 200: 100, 429: 50 })
    expect(remainingOf(answers).sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, n) => n))
  })

  test('people sign in, and a webhook is delivered', async () => {
    const browser = await signInOwner(database.db, servers[0]!.url, {
      plan: 'developer',
      email: `${mode}-${direct}@customer.example`,
    })
    expect((await browser.get('/me')).status).toBe(200)
    const { key } = await createCustomer(database.db, { plan: 'scale' })
    const path = `/${mode}-${direct}`
    const body = { url: receiver.url + path, events: ['*'], secret: 'sixteen-or-more-characters' }
    const created = await request(servers[1]!.url, '/v1/webhooks', { key, method: 'POST', body })
    expect(created.status).toBe(201)
    const file = join(await mkdtemp(join(tmpdir(), 'ratecard-changes-')), 'changes.json')
    onTestFinished(() => rm(dirname(file), { recursive: true }))
    await writeFile(file, JSON.stringify([changeFile({ title: path })]))
    const { exitCode, stderr } = await ratecard(['changes', 'publish', file], env())
    expect(exitCode, stderr).toBe(0)
    await receiver.waitFor(1, { wanted: (received) => received.path === path })
  })

  test('a counter that is locked holds up its own key alone', async () => {
    const [held, other] = [
      await createCustomer(database.db, { plan: 'developer' }),
      await createCustomer(database.db, { plan: 'developer' }),
    ]
    for (const { key } of [held, other]) expect((await send(0, key)).status).toBe(200)
    const holder = new pg.Client({ connectionString: database.url })
    await holder.connect()
    onTestFinished(() => holder.end())
    await holder.query('begin')
    await holder.query('select from usage_days where quota_subject = $1 for update', [held.keyId])
    const stuck = startLoad(8, (worker) => send(worker, held.key))
    const load = startLoad(4, (worker) => send(worker, other.key))
    await expect.poll(() => stuck.outcomes.length, patience).toBeGreaterThan(8)
    const outcomes = await load.stop()
    await holder.query('rollback')
    const refused = countStatuses((await stuck.stop()).slice(0, 8).map(({ answer }) => answer))
    expect(refused).toEqual({ 503: 8 })
    expect(countStatuses(outcomes.map(({ answer }) => answer))).toEqual({ 200: outcomes.length })
    expect(outcomes.length).toBeGreaterThan(16)
  })

  test('killed and started again under load it loses and doubles nothing', async () => {
    const customer = await createCustomer(database.db, { plan: 'developer' })
    const load = startLoad(8, (worker) => send(worker, customer.key))
    const served = () => load.outcomes.filter(({ answer }) => answer?.status === 200).length
    for (let round = 0; round < 3; round += 1) {
      const before = served()
      await expect.poll(served, patience).toBeGreaterThan(before + 50)
      await pooler.kill()
      await pooler.start()
    }
    const before = served()
    await expect.poll(served, patience).toBeGreaterThan(before + 50)
    const answers = (await load.stop()).map(({ answer }) => answer)
    const { 200: ok = 0, 503: away = 0, ...others } = countStatuses(answers)
    expect(others).toEqual({})
    // What was granted to a request that had its 503 by then is given back.
    await expect.poll(() => chargedTo(customer.keyId), patience).toBe(ok)
    if (direct) expect(away).toBe(0)
    if (away === 0) expect(new Set(remainingOf(answers)).size).toBe(ok)
  })

  test('nothing of ours stays in the sessions that it keeps', async () => {
    if (mode === 'session') return
    // Each in a transaction, so that each has a session of its own.
    const clients = Array.from({ length: 4 }, () => new pg.Client({ connectionString: pooler.url }))
    onTestFinished(async () => void (await Promise.all(clients.map((client) => client.end()))))
    const found = []
    for (const client of clients) {
      await client.connect()
      await client.query('begin')
      // PgBouncer itself keeps these five as each client has them.
      const { rows } = await client.query(`
        select (select count(*)::int from pg_prepared_statements) as names,
          (select count(*)::int from pg_listening_channels()) as channels,
          (select count(*)::int from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()) as locks,
          array(
            select name from pg_settings where source = 'session' and name not in
              ('application_name', 'client_encoding', 'DateStyle', 'TimeZone', 'standard_conforming_strings')
          ) as settings`)
      found.push(...(rows as unknown[]))
    }
    expect(found).toEqual(Array(4).fill({ names: 0, channels: 0, locks: 0, settings: [] }))
  })

  test('the queue is woken over a direct URL, and looked at without one', async () => {
    const listening = async () => {
      const { rows } = await sql`
        select from pg_stat_activity
        where datname = current_database() and (query like 'LISTEN %' or query like '%pg_listening_channels() AS active%')
          and pid <> pg_backend_pid()`.execute(database.db)
      return rows.length
    }
    expect(await listening()).toBe(direct ? 1 : 0)
  })

  test('says at the start what it found', async () => {
    const log = servers[0]!.log()
    expect(log).toContain('DATABASE_URL leads to a pooler: these settings go along')
    if (direct) expect(log).not.toContain('nothing can listen there')
    else await expect.poll(() => servers[0]!.log(), patience).toContain('nothing can listen there')
  })

  if (mode === 'transaction' && !direct) {
    test('as the direct URL it is refused', async () => {
      expect((await readSessions(pooler.url)).kind).toBe('shared')
      const { exitCode, stderr } = await ratecard(['serve'], {
        ...env(),
        DATABASE_DIRECT_URL: pooler.url,
        PORT: '0',
        ADMIN_PORT: '0',
      })
      expect(stderr).toContain('DATABASE_DIRECT_URL leads to a pooler')
      expect(exitCode).toBe(1)
    })
  }
})
