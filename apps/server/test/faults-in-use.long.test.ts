import type { Usage } from '@ratecard/contract'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createCustomer, type Customer } from './support/actors.ts'
import { request, type RequestOptions } from './support/client.ts'
import {
  answerMs,
  chargedTo,
  database,
  env,
  expectUnavailable,
  expectUnharmed,
  mixedWorkers,
  startBehindProxy,
  statusesOf,
  timed,
  webhook,
} from './support/fault-scene.ts'
import { becomeReady, patience, startLoad } from './support/load.ts'
import { startServer, type ServerProcess } from './support/process.ts'

describe('A connection that is reset when the database has committed', () => {
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
      if (n % 5 === 0) await proxy.loseAnswer('recover_batch')
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
  /** Holds a row from another session until it is released. */
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

  test('when another session holds the counter: that key gets 503 after a second or two, other keys are served', async () => {
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
