import { randomBytes } from 'node:crypto'
import type { Usage } from '@ratecard/contract'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { putSubscription } from '../src/features/entitlements/subscription-store.ts'
import { insertPack } from '../src/features/metering/pack-store.ts'
import { verifyLedger } from '../src/features/metering/verify-ledger.ts'
import { createCustomer, priceRecord, storePrices } from './support/actors.ts'
import { request } from './support/client.ts'
import type { Answer } from './support/contract-check.ts'
import { useDatabaseClock } from './support/database-clock.ts'
import { becomeReady, countStatuses, patience, startLoad, type Outcome } from './support/load.ts'
import { useDatabase } from './support/postgres.ts'
import { startServer, type ServerProcess } from './support/process.ts'

const database = useDatabase()
const clock = useDatabaseClock(database)
const servers: ServerProcess[] = []
const ends: (() => Promise<void>)[] = []

const [oldDay, newDay] = ['2031-12-31', '2032-01-01']
const midnight = '2032-01-01T00:00:00Z'
const justBefore = '2031-12-31T23:59:59.999Z'
const justAfter = '2032-01-01T00:00:00.001Z'
const endOfDaySeconds: Record<string, number> = {
  [oldDay]: Date.parse(midnight) / 1_000,
  [newDay]: Date.parse('2032-01-02T00:00:00Z') / 1_000,
}

beforeAll(async () => {
  await storePrices(database.db, [priceRecord({ resource_id: 'acme:alpha' })])
  const env = {
    DATABASE_URL: database.url,
    SECRETS_KEY: randomBytes(32).toString('base64'),
    LOG_LEVEL: 'warn',
  }
  servers.push(...(await Promise.all([1, 2].map(() => startServer(env, [], (end) => ends.push(end))))))
  await becomeReady(servers)
})
beforeEach(() => clock.run('2031-12-31T12:00:00Z'))
afterAll(() => Promise.all(ends.map((end) => end())))
afterEach(async () => expect((await verifyLedger(database.db)).differences).toEqual([]))

function send(n: number, path: string, key: string): Promise<Answer> {
  return request(servers[n % servers.length]?.url ?? '', path, { key })
}

function callAtOnce(count: number, key: string): Promise<Answer[]> {
  return Promise.all(Array.from({ length: count }, (_, n) => send(n, '/v1/prices', key)))
}

/** The day that the headers of an answer speak of. */
function dayOf(answer: Answer): string | undefined {
  const reset = Number(answer.headers.get('x-ratelimit-reset'))
  return Object.entries(endOfDaySeconds).find(([, seconds]) => seconds === reset)?.[0]
}

const remainingOf = (answer: Answer) => Number(answer.headers.get('x-ratelimit-remaining'))

/** Units by day, as stored. */
async function unitsOf(keyId: string): Promise<Record<string, number>> {
  const rows = await database.db
    .selectFrom('usage_days')
    .select(['day', 'plan_used'])
    .where('quota_subject', '=', keyId)
    .execute()
  return Object.fromEntries(rows.map((row) => [row.day, row.plan_used]))
}

/** Holds that body and headers of a usage answer speak of one day, and returns it. */
function expectOneDay(answer: Answer): Usage {
  const usage = answer.body as Usage
  const day = dayOf(answer)
  expect(usage.day).toBe(day)
  expect(Date.parse(usage.daily_quota.reset_at) / 1_000).toBe(endOfDaySeconds[usage.day])
  expect(usage.daily_quota.remaining).toBe(remainingOf(answer))
  expect(usage.daily_quota.used + usage.daily_quota.remaining).toBe(usage.daily_quota.limit)
  expect(usage.metered_total).toBe(usage.daily_quota.used)
  return usage
}

describe('At midnight UTC', () => {
  test('a request belongs to the day of its instant: -1 ms to the old, 0 and +1 ms to the new', async () => {
    const { key, keyId } = await createCustomer(database.db)
    const cases = [
      { instant: justBefore, day: oldDay, used: 0, calls: 110, served: 100, retryAfter: '1' },
      { instant: midnight, day: newDay, used: 0, calls: 60, served: 60 },
      { instant: justAfter, day: newDay, used: 60, calls: 60, served: 40, retryAfter: '86400' },
    ]
    for (const { instant, day, used, calls, served, retryAfter } of cases) {
      await clock.stand(instant)
      const answers = await callAtOnce(calls, key)
      expect(new Set(answers.map(dayOf))).toEqual(new Set([day]))
      const granted = answers.filter((answer) => answer.status === 200)
      expect(granted.map(remainingOf).sort((a, b) => b - a)).toEqual(
        Array.from({ length: served }, (_, index) => 99 - used - index),
      )
      for (const refused of answers.filter((answer) => answer.status !== 200)) {
        expect(refused.status).toBe(429)
        expect(refused.headers.get('retry-after')).toBe(retryAfter)
      }
      const usage = expectOneDay(await send(0, '/v1/usage', key))
      expect(usage).toMatchObject({ day, daily_quota: { used: used + served } })
      expect((await unitsOf(keyId))[oldDay]).toBe(100)
    }
    expect(await unitsOf(keyId)).toEqual({ [oldDay]: 100, [newDay]: 100 })
  })

  test('under load none is lost or counted twice, the old day is frozen, and each answer is of one day', async () => {
    const { key, keyId } = await createCustomer(database.db, { plan: 'developer' })
    const exhausted = await createCustomer(database.db)
    await clock.run('2031-12-31T23:59:58Z')
    await callAtOnce(100, exhausted.key)

    await clock.run('2031-12-31T23:59:59.600Z')
    const load = startLoad(12, (worker) => {
      if (worker < 8) return send(worker, '/v1/prices', key)
      return worker < 10 ? send(worker, '/v1/usage', key) : send(worker, '/v1/prices', exhausted.key)
    })
    const isNew = ({ answer }: Outcome) => answer !== undefined && dayOf(answer) === newDay
    // Every worker is in the new day: no request of the old one is under way any more.
    await expect
      .poll(() => new Set(load.outcomes.filter(isNew).map(({ worker }) => worker)).size, patience)
      .toBe(12)
    const frozen = (await unitsOf(keyId))[oldDay]
    await expect.poll(() => load.outcomes.filter(isNew).length, patience).toBeGreaterThan(200)
    const outcomes = await load.stop()

    const answersOf = (from: number, to: number) =>
      outcomes.filter(({ worker }) => worker >= from && worker < to).flatMap(({ answer }) => answer ?? [])
    const answers = answersOf(0, 8)
    const byDay = Object.groupBy(answers, (answer) => dayOf(answer) ?? 'neither')
    expect(Object.keys(byDay).sort()).toEqual([oldDay, newDay])
    expect(countStatuses(answers)).toEqual({ 200: answers.length })
    expect(await unitsOf(keyId)).toEqual({ [oldDay]: byDay[oldDay]?.length, [newDay]: byDay[newDay]?.length })
    expect(frozen).toBe(byDay[oldDay]?.length)
    for (const ofDay of [byDay[oldDay], byDay[newDay]]) {
      expect(ofDay?.map(remainingOf).sort((a, b) => b - a)).toEqual(ofDay?.map((_, index) => 9_999 - index))
    }
    for (let worker = 0; worker < 12; worker += 1) {
      const days = answersOf(worker, worker + 1).map(dayOf)
      expect(days.lastIndexOf(oldDay)).toBeLessThan(days.indexOf(newDay))
    }
    const usages = answersOf(8, 10)
    for (const answer of usages) expectOneDay(answer)
    expect(new Set(usages.map(dayOf))).toEqual(new Set([oldDay, newDay]))
    // A quota that was used up is whole again, not a request too early or too late.
    for (const answer of answersOf(10, 12).filter((answer) => dayOf(answer) === oldDay)) {
      expect(answer.status).toBe(429)
      expect(answer.headers.get('retry-after')).toBe('1')
    }
    const renewed = answersOf(10, 12).filter((answer) => dayOf(answer) === newDay)
    expect(countStatuses(renewed)[200]).toBe(Math.min(100, renewed.length))
  })

  test('a subscription that ends then no longer counts, and one that starts then does', async () => {
    const ending = await createCustomer(database.db)
    await putSubscription(database.db, ending.accountId, 'developer', {
      from: '2031-12-01T00:00:00Z',
      until: midnight,
    })
    const starting = await createCustomer(database.db)
    await putSubscription(database.db, starting.accountId, 'developer', { from: midnight })
    for (const [instant, statuses] of [
      ['2031-12-31T23:59:59.999999Z', [200, 403]],
      [midnight, [403, 200]],
      [justAfter, [403, 200]],
    ] as const) {
      await clock.stand(instant)
      for (const [index, { key }] of [ending, starting].entries()) {
        const answers = await Promise.all([send(0, '/v1/changes', key), send(1, '/v1/changes', key)])
        const status = statuses[index]
        expect(answers.map((answer) => answer.status)).toEqual([status, status])
        const limit = status === 200 ? '10000' : '100'
        expect(answers.map((answer) => answer.headers.get('x-ratelimit-limit'))).toEqual([limit, limit])
        const usage = expectOneDay(await send(0, '/v1/usage', key))
        expect(usage.plan).toBe(status === 200 ? 'developer' : 'api_free')
      }
    }
  })

  test('a pack that ends then has paid its last request', async () => {
    const { key, accountId } = await createCustomer(database.db)
    const noon = '2032-01-01T12:00:00Z'
    await insertPack(database.db, accountId, {
      units: 50,
      purchasedAt: '2031-12-02T12:00:00Z',
      expiresAt: noon,
    })
    await clock.stand('2032-01-01T11:59:59.999999Z')
    const before = await callAtOnce(110, key)
    expect(countStatuses(before)).toEqual({ 200: 110 })
    expect(((await send(0, '/v1/usage', key)).body as Usage).topup.remaining).toBe(40)
    for (const instant of [noon, '2032-01-01T12:00:00.001Z']) {
      await clock.stand(instant)
      expect(countStatuses(await callAtOnce(10, key))).toEqual({ 429: 10 })
      expect(((await send(1, '/v1/usage', key)).body as Usage).topup).toMatchObject({
        remaining: 0,
        packs: [],
      })
    }
  })
})
