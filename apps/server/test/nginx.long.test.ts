import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { revokeApiKey } from '../src/features/accounts/api-key-store.ts'
import { insertPack, listPacks } from '../src/features/metering/pack-store.ts'
import { verifyLedger } from '../src/features/metering/verify-ledger.ts'
import { createCustomer, priceRecord, storePrices } from './support/actors.ts'
import { request } from './support/client.ts'
import type { Answer } from './support/contract-check.ts'
import { becomeReady, countStatuses, patience, startLoad } from './support/load.ts'
import { useDatabase } from './support/postgres.ts'
import { startServer, type ServerProcess } from './support/process.ts'
import { findProxy, startProxy } from './support/proxy.ts'
import { spend } from './support/fixtures.ts'

// Two servers behind one nginx keep the promises of one server together.

const nginx = findProxy('nginx')
const database = useDatabase()
const servers: ServerProcess[] = []
const ends: (() => Promise<void>)[] = []
let url = ''

const send = (key: string) => request(url, '/v1/prices', { key })

function sendAtOnce(count: number, key: string): Promise<Answer[]> {
  return Promise.all(Array.from({ length: count }, () => send(key)))
}

function remainingOf(answers: Answer[]): number[] {
  const served = answers.filter(({ status }) => status === 200)
  return served.map(({ headers }) => Number(headers.get('x-ratelimit-remaining'))).sort((a, b) => b - a)
}

const countdown = Array.from({ length: 100 }, (_, index) => 99 - index)

/** The number of requests for prices that this server has answered, with any status. */
async function answeredBy({ adminUrl }: ServerProcess): Promise<number> {
  const metrics = await (await fetch(`${adminUrl}/metrics`)).text()
  const lines = metrics.matchAll(/^ratecard_http_requests_total\{operation="listPrices",.*\} (\d+)$/gm)
  return [...lines].reduce((sum, [, count]) => sum + Number(count), 0)
}

const reason = nginx === null ? ' (skipped: nginx is not installed)' : ''

describe.skipIf(nginx === null)(`Two servers behind nginx${reason}`, () => {
  beforeAll(async () => {
    await storePrices(database.db, [priceRecord({ resource_id: 'acme:alpha' })])
    const env = {
      DATABASE_URL: database.url,
      SECRETS_KEY: randomBytes(32).toString('base64'),
      LOG_LEVEL: 'warn',
    }
    const start = () => startServer(env, ['--no-worker'], (end) => ends.push(end))
    servers.push(...(await Promise.all([start(), start()])))
    await becomeReady(servers)
    url = await startProxy('nginx', servers, (end) => ends.push(end))
  })
  afterAll(async () => {
    for (const end of ends.reverse()) await end()
    expect((await verifyLedger(database.db)).differences).toEqual([])
  })

  test('serve a free key exactly 100 of 300 requests at once, and count down by one between them', async () => {
    const { key } = await createCustomer(database.db)
    const answers = await sendAtOnce(300, key)
    expect(countStatuses(answers)).toEqual({ 200: 100, 429: 200 })
    expect(remainingOf(answers)).toEqual(countdown)
    const [one = 0, other = 0] = await Promise.all(servers.map(answeredBy))
    expect([one > 50, other > 50, one + other]).toEqual([true, true, 300])
  })

  test('use up the pack that was bought first before the next one', async () => {
    const customer = await createCustomer(database.db)
    await spend(database.db, customer, 100)
    const first = await insertPack(database.db, customer.accountId, { units: 30 })
    const second = await insertPack(database.db, customer.accountId, { units: 30 })
    const remaining = async () => {
      const packs = await listPacks(database.db, customer.accountId)
      return [first, second].map(({ id }) => packs.find((pack) => pack.id === id)?.remaining)
    }
    for (const left of [
      [10, 30],
      [0, 20],
      [0, 0],
    ]) {
      const answers = await sendAtOnce(20, customer.key)
      expect(countStatuses(answers)).toEqual({ 200: 20 })
      expect(answers.every(({ headers }) => headers.get('x-ratelimit-topup') === 'true')).toBe(true)
      expect(await remaining()).toEqual(left)
    }
    expect(countStatuses(await sendAtOnce(20, customer.key))).toEqual({ 429: 20 })
  })

  test('refuse a revoked key from the next request on', async () => {
    const { key, keyId } = await createCustomer(database.db, { plan: 'developer' })
    expect(countStatuses(await sendAtOnce(40, key))).toEqual({ 200: 40 })
    await revokeApiKey(database.db, keyId)
    expect(countStatuses(await sendAtOnce(40, key))).toEqual({ 401: 40 })
  })

  // The last one: afterwards there is one server.
  test('answer every request though one is killed under load, and give no unit away', async () => {
    const workers = 16
    const packUnits = 400
    const { key, keyId, accountId } = await createCustomer(database.db, { packUnits })
    const load = startLoad(workers, () => send(key))
    const countOf = (status: number) => load.outcomes.filter(({ answer }) => answer?.status === status).length
    await expect.poll(() => countOf(200), patience).toBeGreaterThan(60)
    await servers[0]?.kill()
    await expect.poll(() => countOf(429), patience).toBeGreaterThan(20)
    const outcomes = await load.stop()

    // nginx has sent the killed server's open requests to the other one.
    expect(outcomes.filter(({ failure }) => failure !== undefined)).toEqual([])
    const {
      200: served = 0,
      429: refused = 0,
      ...others
    } = countStatuses(outcomes.map(({ answer }) => answer))
    expect(others).toEqual({})
    expect(served + refused).toBe(outcomes.length)
    const day = await database.db
      .selectFrom('usage_days')
      .select('plan_used')
      .where('quota_subject', '=', keyId)
      .executeTakeFirst()
    const [pack] = await listPacks(database.db, accountId)
    expect([day?.plan_used, pack?.remaining]).toEqual([100, 0])
    expect(served).toBeLessThanOrEqual(100 + packUnits)
    expect(100 + packUnits - served).toBeLessThanOrEqual(workers)
  })
})
