import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { connect } from '../src/database/connect.ts'
import { generateApiKey } from '../src/features/accounts/api-key.ts'
import { createCustomer } from './support/actors.ts'
import { request } from './support/client.ts'
import {
  answerMs,
  chargedTo,
  database,
  env,
  expectRecovery,
  expectSound,
  expectUnavailable,
  expectUnharmed,
  mixedWorkers,
  recoveryMs,
  startBehindProxy,
  startMixedLoad,
  statusesOf,
  timed,
} from './support/fault-scene.ts'
import { patience, startLoad } from './support/load.ts'
import { createDatabase, dropDatabase, urlOfDatabase } from './support/postgres.ts'
import { startServer } from './support/process.ts'
import { openProxy } from './support/tcp-proxy.ts'

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
      // A request that is wrong without a look at the database stays wrong.
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
    // It can answer, and so can no other: a balancer keeps it.
    const ready = await fetch(`${server.adminUrl}/ready`)
    expect([ready.status, await ready.json()]).toEqual([
      200,
      { status: 'degraded', reason: 'the database does not answer' },
    ])
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
