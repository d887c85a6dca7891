import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { listPacks } from '../src/features/metering/pack-store.ts'
import { verifyLedger } from '../src/features/metering/verify-ledger.ts'
import { createCustomer, priceRecord, storePrices } from './support/actors.ts'
import { request } from './support/client.ts'
import { useDatabaseClock } from './support/database-clock.ts'
import { becomeReady, countStatuses, patience, startLoad, type Load, type Outcome } from './support/load.ts'
import { useDatabase } from './support/postgres.ts'
import { startServer, type ServerProcess } from './support/process.ts'

const database = useDatabase()
const clock = useDatabaseClock(database)

const serverCount = 4
const workersPerServer = 6
const rounds = 3

test('Killing 2 of 4 processes under load, again and again, loses no more units than requests in flight and gives none away', async () => {
  await clock.run('2031-03-05T12:00:00Z')
  await storePrices(database.db, [priceRecord({ resource_id: 'acme:alpha' })])
  const env = {
    DATABASE_URL: database.url,
    SECRETS_KEY: randomBytes(32).toString('base64'),
    LOG_LEVEL: 'warn',
  }
  const start = async () => {
    const server = await startServer(env)
    await becomeReady([server])
    return server
  }
  let servers: ServerProcess[] = await Promise.all(Array.from({ length: serverCount }, start))

  let unanswered = 0
  for (let round = 0; round < rounds; round += 1) {
    const packUnits = 150
    const { key, keyId, accountId } = await createCustomer(database.db, { packUnits })
    // Each worker stays with one process: it has at most one request under way when that one is killed.
    const loads = servers.map(({ url }): Load =>
      startLoad(workersPerServer, () => request(url, '/v1/prices', { key })),
    )
    const countOf = (status: number) =>
      loads.flatMap((load) => load.outcomes).filter(({ answer }) => answer?.status === status).length
    // One process dies while the plan pays, the other while the pack does.
    const victims = servers.slice(0, 2)
    await expect.poll(() => countOf(200), patience).toBeGreaterThan(round % 2 === 0 ? 40 : 60)
    await victims[0]?.kill()
    await expect.poll(() => countOf(200), patience).toBeGreaterThan(130)
    await victims[1]?.kill()
    const [survivors, replacements] = [servers.slice(2), Promise.all([start(), start()])]
    await expect.poll(() => countOf(429), patience).toBeGreaterThan(20)
    const outcomes = await Promise.all(loads.map((load) => load.stop()))
    servers = [...survivors, ...(await replacements)]

    const [killed, alive] = [outcomes.slice(0, 2).flat(), outcomes.slice(2).flat()]
    expect(alive.filter(({ failure }) => failure !== undefined)).toEqual([])
    const lost = killed.filter(({ failure }: Outcome) => failure !== undefined)
    expect(lost.length).toBeLessThanOrEqual(2 * workersPerServer)

    const counts = countStatuses(outcomes.flat().map(({ answer }) => answer))
    const { 200: served = 0, 429: refused = 0, none = 0 } = counts
    expect(served + refused + none).toBe(outcomes.flat().length)

    const [pack] = await listPacks(database.db, accountId)
    const days = await database.db
      .selectFrom('usage_days')
      .select('plan_used')
      .where('quota_subject', '=', keyId)
      .execute()
    // Never over the limit, and the two balances meet at nothing left.
    expect(days).toEqual([{ plan_used: 100 }])
    expect(pack?.remaining).toBe(0)
    const charged = 100 + packUnits
    expect(served).toBeLessThanOrEqual(charged)
    expect(charged - served).toBeLessThanOrEqual(lost.length)
    unanswered += charged - served
    expect((await verifyLedger(database.db)).differences).toEqual([])
  }
  console.info(`${rounds * 2} kills: ${unanswered} units charged without an answer`)
})
