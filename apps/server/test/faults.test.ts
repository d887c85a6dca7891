import { randomBytes } from 'node:crypto'
import type { Usage } from '@ratecard/contract'
import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, beforeAll, beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest'
import { connect, type Db } from '../src/database/connect.ts'
import { generateApiKey } from '../src/features/accounts/api-key.ts'
import { verifyLedger } from '../src/features/metering/verify-ledger.ts'
import { createCustomer, priceRecord, storePrices, type Customer } from './cast.ts'
import { request, type RequestOptions } from './client.ts'
import type { Answer } from './contract-check.ts'
import { useDatabaseClock } from './database-clock.ts'
import { becomeReady, countStatuses, patience, startLoad, type Load, type Outcome } from './load.ts'
import { createDatabase, dropDatabase, urlOfDatabase, useDatabase } from './postgres.ts'
import { startServer, type ServerProcess } from './process.ts'
import { openProxy, type TcpProxy } from './tcp-proxy.ts'

const database = useDatabase()
const clock = useDatabaseClock(database)

/** Longest a request may wait for its 503, longest it may wait for anything, and longest a recovery may take. */
const [refusalMs, answerMs, recoveryMs] = [2_500, 5_000, 5_000]

const env = { SECRETS_KEY: randomBytes(32).toString('base64'), LOG_LEVEL: 'warn' }
const webhook = { url: 'https://hooks.acme.example/x', secret: 'sixteen-or-more-characters' }

beforeAll(() => storePrices(database.db, [priceRecord({ resource_id: 'acme:alpha' })]))
beforeEach(() => clock.run('2031-03-05T12:00:00Z'))
afterEach(async () => expect((await verifyLedger(database.db)).differences).toEqual([]))

/** A ready server whose way to the database leads through a proxy. */
async function startBehindProxy(): Promise<{ server: ServerProcess; proxy: TcpProxy }> {
  const proxy = await openProxy(database.url)
  const url = new URL(proxy.url)
  url.searchParams.set('application_name', 'under-test')
  const server = await startServer({ ...env, DATABASE_URL: url.href })
  await becomeReady([server])
  return { server, proxy }
}

/** Sends a request and tells how long the answer took. */
async function timed(send: () => Promise<Answer>): Promise<{ answer: Answer; ms: number }> {
  const startMs = performance.now()
  const answer = await send()
  return { answer, ms: performance.now() - startMs }
}

function expectUnavailable({ answer, ms }: { answer: Answer; ms: number }): void {
  expect(answer.status).toBe(503)
  expect(answer.body).toMatchObject({ error: 'service_unavailable', status: 503 })
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(5)
  expect([...answer.headers.keys()].filter((name) => name.startsWith('x-ratelimit'))).toEqual([])
  expect(ms).toBeLessThan(refusalMs)
}

/** Half of the workers read prices, half delete a webhook there is not: a statement alone, and a transaction. */
function startMixedLoad(server: ServerProcess, key: string): Load {
  return startLoad(mixedWorkers, (worker) =>
    worker % 2 === 0
      ? request(server.url, '/v1/prices', { key })
      : request(server.url, '/v1/webhooks/wh_none', { key, method: 'DELETE' }),
  )
}
const mixedWorkers = 8

async function chargedTo({ keyId }: Customer, db: Db = database.db): Promise<number> {
  const { rows } = await sql<{ units: number }>`
    select coalesce(sum(units), 0)::int as units from usage_entries where quota_subject = ${keyId}`.execute(
    db,
  )
  return rows[0]?.units ?? 0
}

const statusesOf = (outcomes: readonly Outcome[]) => countStatuses(outcomes.map(({ answer }) => answer))

/** Nothing but answers and 503s, none of them late; charged is what was answered, but for what was cut off. */
async function expectSound(customer: Customer, outcomes: readonly Outcome[], cutOff: number): Promise<void> {
  const { 200: read = 0, 404: deleted = 0, 503: unavailable = 0, ...others } = statusesOf(outcomes)
  expect(others).toEqual({})
  expect(unavailable).toBeGreaterThan(0)
  expect(Math.max(...outcomes.map(({ startedMs, endedMs }) => endedMs - startedMs))).toBeLessThan(answerMs)
  const charged = await chargedTo(customer)
  expect(charged).toBeGreaterThanOrEqual(read + deleted)
  expect(charged - read - deleted).toBeLessThanOrEqual(cutOff)
}

/** Waits until the load gets answers again, of both kinds. */
async function expectRecovery(load: Load, limitMs: number): Promise<void> {
  const sinceMs = performance.now()
  const count = (status: number) =>
    load.outcomes.filter(({ answer, startedMs }) => startedMs > sinceMs && answer?.status === status).length
  await expect.poll(() => Math.min(count(200), count(404)), patience).toBeGreaterThan(5)
  const first = (status: number) =>
    load.outcomes.find(({ answer, startedMs }) => startedMs > sinceMs && answer?.status === status)
  for (const status of [200, 404])
    expect((first(status)?.endedMs ?? Infinity) - sinceMs).toBeLessThan(limitMs)
}

/** Alive, and nothing that nobody had expected. */
function expectUnharmed(server: ServerProcess): void {
  expect(server.child.exitCode).toBeNull()
  expect(server.child.signalCode).toBeNull()
  const lines = server.log().trim().split('\n').filter(Boolean)
  // Warnings alone: a line that is no JSON would be Node's own, of an exception or a rejection.
  const isWarning = (line: string) =>
    line.startsWith('{') && (JSON.parse(line) as { level: number }).level === 40
  expect(lines.filter((line) => !isWarning(line))).toEqual([])
}

describe('While the database is away at the start', () => {
  test.each(['refuse', 'blackHole'] as const)(
    '(%s) /health is 200 and /v1 503, and with its return it is migrated and served',
    async (fault) => {
      const name = `ratecard_test_${randomBytes(6).toString('hex')}`
      await createDatabase(inject('postgresUrl'), name)
      onTestFinished(() => dropDatabase(inject('postgresUrl'), name))
      const url = urlOfDatabase(inject('postgresUrl'), name)
      const proxy = await openProxy(url)
      await proxy[fault]()
      const server = await startServer({ ...env, DATABASE_URL: proxy.url })

      expect((await request(server.url, '/health')).status).toBe(200)
      expect((await fetch(`${server.adminUrl}/live`)).status).toBe(200)
      expect((await fetch(`${server.adminUrl}/ready`)).status).toBe(503)
      const key = generateApiKey()
      for (const path of ['/v1/prices', '/v1/changes', '/v1/webhooks', '/v1/usage']) {
        expectUnavailable(await timed(() => request(server.url, path, { key })))
      }
      // What needs no store to be wrong is wrong all the same.
      expect((await request(server.url, '/v1/prices', { key: 'rc_live_mistyped' })).status).toBe(401)
      expect((await request(server.url, '/v1/prices')).status).toBe(401)
      expect((await request(server.url, '/v1/nothing')).status).toBe(404)

      await proxy.pass()
      const returnedMs = performance.now()
      await expect
        .poll(async () => (await request(server.url, '/v1/prices', { key })).status, patience)
        .toBe(401)
      expect(performance.now() - returnedMs).toBeLessThan(recoveryMs)
      const db = connect({ connectionString: url })
      const customer = await createCustomer(db)
      expect((await request(server.url, '/v1/prices', customer)).status).toBe(200)
      expect(await chargedTo(customer, db)).toBe(1)
      await db.destroy()
      expect((await fetch(`${server.adminUrl}/ready`)).status).toBe(200)
      expectUnharmed(server)
      expect(await server.stop()).toBe(0)
    },
  )

  test('SIGTERM ends the server with exit code 0', async () => {
    const proxy = await openProxy(database.url)
    await proxy.refuse()
    const server = await startServer({ ...env, DATABASE_URL: proxy.url })
    expect((await request(server.url, '/v1/usage', { key: generateApiKey() })).status).toBe(503)
    expect(await server.stop()).toBe(0)
  })
})

describe('Under load', () => {
  test('a database that refuses connections makes 503s and nothing else, and recovers', async () => {
    const { server, proxy } = await startBehindProxy()
    const customer = await createCustomer(database.db, { plan: 'developer' })
    const load = startMixedLoad(server, customer.key)
    await expect.poll(() => load.outcomes.length, patience).toBeGreaterThan(40)
    await proxy.refuse()
    await expect.poll(() => statusesOf(load.outcomes)[503] ?? 0, patience).toBeGreaterThan(60)
    expectUnavailable(await timed(() => request(server.url, '/v1/usage', customer)))
    expect((await request(server.url, '/v1/usage', { key: 'rc_live_mistyped' })).status).toBe(401)
    expect((await request(server.url, '/health')).status).toBe(200)
    expect((await fetch(`${server.adminUrl}/ready`)).status).toBe(503)
    await proxy.pass()
    await expectRecovery(load, recoveryMs)
    await expectSound(customer, await load.stop(), mixedWorkers)
    expectUnharmed(server)
  })

  test('a database that falls silent keeps nobody waiting for 5 s, and recovers', async () => {
    const { server, proxy } = await startBehindProxy()
    const customer = await createCustomer(database.db, { plan: 'developer' })
    const load = startMixedLoad(server, customer.key)
    await expect.poll(() => load.outcomes.length, patience).toBeGreaterThan(40)
    proxy.blackHole()
    const silentFromMs = performance.now()
    const unavailable = () => load.outcomes.filter(({ answer }) => answer?.status === 503)
    await expect
      .poll(() => new Set(unavailable().map(({ worker }) => worker)).size, patience)
      .toBe(mixedWorkers)
    const slowest = unavailable().map(({ startedMs, endedMs }) => endedMs - startedMs)
    await proxy.pass()
    await expectRecovery(load, recoveryMs)
    const outcomes = await load.stop()
    // Each worker's request that the silence caught.
    const caught = unavailable().filter(({ startedMs }) => startedMs < silentFromMs + answerMs)
    await expectSound(customer, outcomes, caught.length)
    expectUnharmed(server)
    console.info(`silence: slowest 503 after ${Math.round(Math.max(...slowest))} ms`)
  })

  test('a slow network is slow, and no more', async () => {
    const { server, proxy } = await startBehindProxy()
    const customer = await createCustomer(database.db, { plan: 'developer' })
    proxy.delay(50)
    // One deletes only: a write holds the counter over three round trips, and the next waits a second at most.
    const load = startLoad(mixedWorkers, (worker) =>
      worker > 0
        ? request(server.url, '/v1/prices', { key: customer.key })
        : request(server.url, '/v1/webhooks/wh_none', { key: customer.key, method: 'DELETE' }),
    )
    await expect.poll(() => load.outcomes.length, patience).toBeGreaterThan(30)
    const outcomes = await load.stop()
    const { 200: read = 0, 404: deleted = 0, ...others } = statusesOf(outcomes)
    expect(others).toEqual({})
    expect(Math.max(...outcomes.map(({ startedMs, endedMs }) => endedMs - startedMs))).toBeLessThan(answerMs)
    expect(await chargedTo(customer)).toBe(read + deleted)
  })

  test.each(['terminated by the database', 'reset by the network'])(
    'connections that are %s fail the requests they carry, and no other',
    async (how) => {
      const { server, proxy } = await startBehindProxy()
      const customer = await createCustomer(database.db, { plan: 'developer' })
      const cut = async () => {
        if (how === 'reset by the network') return proxy.reset()
        await sql`
          select pg_terminate_backend(pid) from (
            select pid from pg_stat_activity
            where datname = current_database() and application_name = 'under-test'
            order by random() limit 4
          ) victims`.execute(database.db)
      }
      const load = startMixedLoad(server, customer.key)
      const cuts = 15
      for (let n = 1; n <= cuts; n += 1) {
        const sent = load.outcomes.length
        await expect.poll(() => load.outcomes.length - sent, patience).toBeGreaterThan(20)
        await cut()
      }
      await expect.poll(() => statusesOf(load.outcomes)[503] ?? 0, patience).toBeGreaterThan(0)
      await expectRecovery(load, recoveryMs)
      const outcomes = await load.stop()
      const { 503: unavailable = 0 } = statusesOf(outcomes)
      expect(unavailable).toBeLessThanOrEqual(cuts * mixedWorkers)
      await expectSound(customer, outcomes, unavailable)
      expectUnharmed(server)
    },
  )
})

// Without batches nobody asks what became of a reservation whose answer was lost.
const hasBatches = (process.env.SHORTCUTS ?? 'batches').includes('batches')

describe.skipIf(!hasBatches)('A connection that is reset when the database has committed', () => {
  test('loses no unit, and charges none twice', async () => {
    const { server, proxy } = await startBehindProxy()
    const customer = await createCustomer(database.db, { plan: 'developer', packUnits: 200 })
    const others = [await createCustomer(database.db), await createCustomer(database.db)]
    const load = startLoad(mixedWorkers, (worker) => {
      const { key } = worker < 6 ? customer : (others[worker - 6] ?? customer)
      return request(server.url, '/v1/prices', { key })
    })
    const losses = 25
    for (let n = 1; n <= losses; n += 1) {
      await proxy.loseAnswer('reserve_units')
      // And sometimes the answer to the question what became of it.
      if (n % 5 === 0) await proxy.loseAnswer('settle_batch')
    }
    const outcomes = await load.stop()
    const { 200: served = 0, 429: exhausted = 0, 503: unavailable = 0, ...rest } = statusesOf(outcomes)
    expect(rest).toEqual({})
    expect(served + exhausted).toBeGreaterThan(losses)
    const charged = await Promise.all([customer, ...others].map((one) => chargedTo(one)))
    expect(charged.reduce((sum, units) => sum + units, 0)).toBe(served)
    expectUnharmed(server)
    console.info(`${losses} answers lost: ${served} served and charged, ${unavailable} unavailable`)
  })
})

describe('A 503 keeps no unit', () => {
  /** Holds a row from another session until told to let go. */
  async function hold(query: string, id: string): Promise<() => Promise<void>> {
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    onTestFinished(() => client.end())
    await client.query('begin')
    await client.query(query, [id])
    return () => client.end()
  }

  async function startPlainServer(): Promise<ServerProcess> {
    const server = await startServer({ ...env, DATABASE_URL: database.url })
    await becomeReady([server])
    return server
  }

  const create = (key: string): RequestOptions => ({ key, method: 'POST', body: webhook })

  async function webhookCount({ accountId }: Customer): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*) from webhooks where account_id = ${accountId}`.execute(database.db)
    return rows[0]?.count ?? 0
  }

  test('when another session holds the counter: that key gets 503 after a second, other keys are served', async () => {
    const server = await startPlainServer()
    const customer = await createCustomer(database.db, { plan: 'developer' })
    const other = await createCustomer(database.db, { plan: 'developer' })
    for (const { key } of [customer, other]) {
      expect((await request(server.url, '/v1/prices', { key })).status).toBe(200)
    }
    const release = await hold('select from usage_days where quota_subject = $1 for update', customer.keyId)
    const blocked = Promise.all([
      timed(() => request(server.url, '/v1/prices', customer)),
      timed(() => request(server.url, '/v1/prices', customer)),
      timed(() => request(server.url, '/v1/webhooks', create(customer.key))),
    ])
    // More of them than the process has connections.
    const stuck = startLoad(30, () => request(server.url, '/v1/prices', customer))
    const load = startLoad(3, () => request(server.url, '/v1/prices', other))
    for (const result of await blocked) {
      expectUnavailable(result)
      expect(result.ms).toBeGreaterThan(900)
    }
    await expect.poll(() => statusesOf(stuck.outcomes)[503] ?? 0, patience).toBeGreaterThan(30)
    const refusals = [...stuck.outcomes]
    expect(statusesOf(refusals)).toEqual({ 503: refusals.length })
    expect(Math.max(...refusals.map(({ startedMs, endedMs }) => endedMs - startedMs))).toBeLessThan(answerMs)
    // Reading needs no lock.
    expect((await request(server.url, '/v1/usage', customer)).status).toBe(200)
    const outcomes = await load.stop()
    expect(statusesOf(outcomes)).toEqual({ 200: outcomes.length })
    const tookMs = outcomes.map(({ startedMs, endedMs }) => endedMs - startedMs).sort((a, b) => a - b)
    expect(tookMs.at(-1)).toBeLessThan(900)
    expect(tookMs.at(Math.ceil(0.99 * tookMs.length) - 1)).toBeLessThan(400)
    expect(outcomes.length).toBeGreaterThan(30)
    expect(await chargedTo(customer)).toBe(1)
    await release()
    await expect.poll(() => statusesOf(stuck.outcomes)[200] ?? 0, patience).toBeGreaterThan(0)
    const { 200: served = 0, 503: unavailable = 0 } = statusesOf(await stuck.stop())
    expect(served + unavailable).toBe(stuck.outcomes.length)
    expect(await chargedTo(customer)).toBe(served + 1)
    expect(await webhookCount(customer)).toBe(0)
    expect(await chargedTo(other)).toBe(outcomes.length + 1)
  })

  test('when the write that it paid for is rolled back', async () => {
    const server = await startPlainServer()
    const customer = await createCustomer(database.db, { plan: 'developer' })
    const release = await hold('select from accounts where id = $1 for update', customer.accountId)
    expectUnavailable(await timed(() => request(server.url, '/v1/webhooks', create(customer.key))))
    await release()
    await sql
      .raw(
        `create function fail_as_disk_full() returns trigger language plpgsql
          as $$ begin raise exception 'no space left on device' using errcode = '53100'; end $$;
        create trigger fail after insert on webhooks for each row execute function fail_as_disk_full()`,
      )
      .execute(database.db)
    onTestFinished(async () => void (await sql`drop trigger if exists fail on webhooks`.execute(database.db)))
    expectUnavailable(await timed(() => request(server.url, '/v1/webhooks', create(customer.key))))
    expect(await chargedTo(customer)).toBe(0)
    expect(await webhookCount(customer)).toBe(0)

    await sql`drop trigger fail on webhooks`.execute(database.db)
    expect((await request(server.url, '/v1/webhooks', create(customer.key))).status).toBe(201)
    expect(await chargedTo(customer)).toBe(1)
    expectUnharmed(server)
  })

  test('when the database takes no writes: nothing is served free, usage is still told', async () => {
    const admin = new pg.Client({ connectionString: database.url })
    await admin.connect()
    const { server } = await startBehindProxy()
    const customer = await createCustomer(database.db, { plan: 'developer', packUnits: 10 })
    const name = new URL(database.url).pathname.slice(1)
    const reconnect = () =>
      admin.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name = 'under-test'",
        [name],
      )
    await admin.query(`alter database ${name} set default_transaction_read_only = on`)
    try {
      await reconnect()
      const { key } = customer
      for (const [path, options] of [
        ['/v1/prices', { key }],
        ['/v1/changes', { key }],
        ['/v1/webhooks', { key }],
        ['/v1/webhooks', create(key)],
        ['/v1/webhooks/wh_none', { key, method: 'DELETE' }],
      ] as const) {
        // The first may still meet a connection that is just being ended, which is a 503 as well.
        expectUnavailable(await timed(() => request(server.url, path, options)))
      }
      await expect
        .poll(async () => (await request(server.url, '/v1/usage', { key })).status, patience)
        .toBe(200)
      const usage = (await request(server.url, '/v1/usage', { key })).body as Usage
      expect(usage).toMatchObject({ metered_total: 0, topup: { remaining: 10 } })
    } finally {
      await admin.query(`alter database ${name} reset default_transaction_read_only`)
      await reconnect()
      await admin.end()
    }
    await expect
      .poll(async () => (await request(server.url, '/v1/prices', customer)).status, patience)
      .toBe(200)
    expect(await chargedTo(customer)).toBe(1)
    expectUnharmed(server)
  })
})
