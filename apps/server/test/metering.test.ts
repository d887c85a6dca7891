import { randomBytes } from 'node:crypto'
import type { QuotaErrorBody, Usage } from '@ratecard/contract'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { generateApiKey } from '../src/features/accounts/api-key.ts'
import { revokeApiKey, rotateApiKey } from '../src/features/accounts/api-key-store.ts'
import { endSubscription, putSubscription } from '../src/features/entitlements/subscription-store.ts'
import { insertPack, listPacks } from '../src/features/metering/pack-store.ts'
import { verifyLedger } from '../src/features/metering/verify-ledger.ts'
import { createCustomer, createKey, priceRecord, storePrices } from './support/actors.ts'
import { request, type RequestOptions } from './support/client.ts'
import type { Answer } from './support/contract-check.ts'
import { useDatabaseClock } from './support/database-clock.ts'
import { becomeReady, countStatuses, patience, startLoad } from './support/load.ts'
import { useDatabase } from './support/postgres.ts'
import { startServer, type ServerProcess } from './support/process.ts'

const database = useDatabase()
const clock = useDatabaseClock(database)
const serverCount = 3
const servers: ServerProcess[] = []
const ends: (() => Promise<void>)[] = []

beforeAll(async () => {
  await storePrices(database.db, [priceRecord({ resource_id: 'acme:alpha' })])
  await watchPackOrder()
  const env = {
    DATABASE_URL: database.url,
    SECRETS_KEY: randomBytes(32).toString('base64'),
    LOG_LEVEL: 'warn',
  }
  const starting = Array.from({ length: serverCount }, () => startServer(env, [], (end) => ends.push(end)))
  servers.push(...(await Promise.all(starting)))
  await becomeReady(servers)
})
afterAll(() => Promise.all(ends.map((end) => end())))

// Noon of a day far from today's: no test meets midnight by chance, and code that reads another clock fails.
beforeEach(() => clock.run('2031-03-05T12:00:00Z'))
const today = '2031-03-05'
const nextMidnightSeconds = Date.parse('2031-03-06T00:00:00Z') / 1_000

afterEach(async () => {
  expect((await verifyLedger(database.db)).differences).toEqual([])
  const { rows } = await sql`select * from pack_uses_out_of_order`.execute(database.db)
  expect(rows).toEqual([])
})

/** Notes each unit taken from a pack, inside its transaction, while an older live pack still had one. */
async function watchPackOrder(): Promise<void> {
  await sql
    .raw(
      `create table pack_uses_out_of_order (pack_id text, passed_over text);
      create function note_pack_use() returns trigger language plpgsql as $$
      begin
        insert into pack_uses_out_of_order
          select new.id, older.id from packs older
          where older.account_id = new.account_id and older.remaining > 0
            and older.expires_at > ratecard_now()
            and (older.purchased_at, older.id) < (new.purchased_at, new.id);
        return null;
      end $$;
      create trigger note_pack_use after update of remaining on packs
        for each row execute function note_pack_use()`,
    )
    .execute(database.db)
}

/** Sends a request to one of the processes, the n-th modulo their number. */
function send(n: number, path: string, options: RequestOptions): Promise<Answer> {
  const server = servers[n % serverCount]
  if (!server) throw new Error('The servers are not up.')
  return request(server.url, path, options)
}

/** The same request to every process, one after the other. */
async function sendToEach(path: string, options: RequestOptions): Promise<Answer[]> {
  const answers = []
  for (let n = 0; n < serverCount; n += 1) answers.push(await send(n, path, options))
  return answers
}

/** So many price lists at once, spread over keys and processes. */
function callAtOnce(count: number, ...keys: string[]): Promise<Answer[]> {
  return Promise.all(
    Array.from({ length: count }, (_, n) =>
      send(n, '/v1/prices', { key: keys[Math.floor(n / serverCount) % keys.length] ?? '' }),
    ),
  )
}

async function usageOf(key: string, n = 0): Promise<Usage> {
  const answer = await send(n, '/v1/usage', { key })
  expect(answer.status).toBe(200)
  return answer.body as Usage
}

const remainingOf = (answer: Answer) => Number(answer.headers.get('x-ratelimit-remaining'))
const isTopup = (answer: Answer) => answer.headers.get('x-ratelimit-topup') === 'true'
const served = (answers: Answer[]) => answers.filter((answer) => answer.status === 200)
const statusesOf = (answers: Answer[]) => answers.map((answer) => answer.status)
const countdown = (from: number) => Array.from({ length: from }, (_, index) => from - 1 - index)
const descending = (numbers: number[]) => numbers.sort((a, b) => b - a)

async function remainingByPack(accountId: string): Promise<Record<string, number>> {
  const packs = await listPacks(database.db, accountId)
  return Object.fromEntries(packs.map((pack) => [pack.id, pack.remaining]))
}

describe('The daily quota of a key', () => {
  test('is exactly 100 on the free plan, for 300 calls at once on three processes', async () => {
    const { key } = await createCustomer(database.db)
    const answers = await callAtOnce(300, key)
    expect(countStatuses(answers)).toEqual({ 200: 100, 429: 200 })

    expect(descending(served(answers).map(remainingOf))).toEqual(countdown(100))
    expect(answers.some(isTopup)).toBe(false)
    for (const answer of answers) {
      expect(answer.headers.get('x-ratelimit-limit')).toBe('100')
      expect(answer.headers.get('x-ratelimit-reset')).toBe(String(nextMidnightSeconds))
    }
    for (const refused of answers.filter((answer) => answer.status === 429)) {
      expect(refused.body).toMatchObject({
        error: 'quota_exceeded',
        topup_url: expect.stringMatching(/^http.*\/dashboard\/billing$/) as string,
      } satisfies Partial<QuotaErrorBody>)
      expect(remainingOf(refused)).toBe(0)
      const retryAfter = Number(refused.headers.get('retry-after'))
      // Noon by the database's clock, and at most a minute more.
      expect(retryAfter).toBeLessThanOrEqual(43_200)
      expect(retryAfter).toBeGreaterThan(43_140)
    }
    for (let n = 0; n < serverCount; n += 1) {
      expect(await usageOf(key, n)).toMatchObject({
        plan: 'api_free',
        day: today,
        daily_quota: { limit: 100, used: 100, remaining: 0, reset_at: '2031-03-06T00:00:00.000000Z' },
        endpoints: { prices: 100, changes: 0, webhooks: 0 },
        metered_total: 100,
        topup: { remaining: 0, packs: [] },
      })
    }
  })

  test('as usage tells it includes every answer given before, whichever process gave it', async () => {
    const { key } = await createCustomer(database.db, { plan: 'developer' })
    const load = startLoad(3, (worker) => send(worker, '/v1/prices', { key }))
    for (let n = 0; n < 20; n += 1) {
      const answered = load.outcomes.length + 1
      await send(n, '/v1/prices', { key })
      const usage = await usageOf(key, n + 1)
      expect(usage.daily_quota.used).toBeGreaterThanOrEqual(answered)
      expect(usage.metered_total).toBe(usage.daily_quota.used)
    }
    const outcomes = await load.stop()
    expect((await usageOf(key)).daily_quota.used).toBe(outcomes.length + 20)
  })

  test('is not moved by 400, 401, 403, 404, 405, 413, 415, 429, usage or health', async () => {
    const { key, accountId } = await createCustomer(database.db)
    const { key: paidKey } = await createCustomer(database.db, { plan: 'developer' })
    const exhausted = await createCustomer(database.db)
    await callAtOnce(100, exhausted.key)
    const counters = async () => {
      const { rows } = await sql`
        select (select coalesce(json_agg(d order by d), '[]') from usage_days d) as days,
          (select coalesce(json_agg(l order by l), '[]') from usage_ledger l) as ledger,
          (select coalesce(json_agg(p order by p), '[]') from packs p) as packs`.execute(database.db)
      return JSON.stringify(rows)
    }
    await insertPack(database.db, accountId, { units: 5 })
    const before = await counters()

    const json = { 'content-type': 'application/json' }
    const cases: [number, string, RequestOptions][] = [
      [400, '/v1/prices?limit=0', { key }],
      [400, '/v1/prices?cursor=x', { key }],
      [400, '/v1/prices?unknown=1', { key }],
      [400, '/v1/webhooks', { key: paidKey, method: 'POST', body: {} }],
      [400, '/v1/webhooks', { key: paidKey, method: 'POST', headers: json, body: '{' }],
      [401, '/v1/prices', {}],
      [401, '/v1/prices', { key: 'nonsense' }],
      [401, '/v1/prices', { key: generateApiKey() }],
      [403, '/v1/changes', { key }],
      [403, '/v1/webhooks', { key }],
      [403, '/v1/webhooks', { key, method: 'POST', body: {} }],
      [403, '/v1/webhooks/wh_x', { key, method: 'DELETE' }],
      [404, '/v1/nothing', { key }],
      [405, '/v1/prices', { key, method: 'PUT' }],
      [413, '/v1/webhooks', { key: paidKey, method: 'POST', headers: json, body: ' '.repeat(70_000) }],
      [415, '/v1/webhooks', { key: paidKey, method: 'POST', body: 'x' }],
      [429, '/v1/prices', { key: exhausted.key }],
      [200, '/v1/usage', { key }],
      [200, '/v1/usage', { key: exhausted.key }],
      [200, '/health', {}],
    ]
    for (const [status, path, options] of cases) {
      const answers = await sendToEach(path, options)
      expect(statusesOf(answers), `${options.method ?? 'GET'} ${path}`).toEqual([status, status, status])
    }
    expect(await counters()).toBe(before)
  })
})

describe('Packs', () => {
  test('serve all keys of the account, first in first out, when the plan quota is used up', async () => {
    const { key, accountId } = await createCustomer(database.db)
    const { key: secondKey } = await createKey(database.db, accountId)
    // Stored in another order than bought.
    const second = await insertPack(database.db, accountId, {
      units: 20,
      purchasedAt: '2031-03-02T00:00:00Z',
    })
    const third = await insertPack(database.db, accountId, { units: 10, purchasedAt: '2031-03-03T00:00:00Z' })
    const first = await insertPack(database.db, accountId, { units: 30, purchasedAt: '2031-03-01T00:00:00Z' })

    const answers = await callAtOnce(220, key, secondKey)
    expect(countStatuses(answers)).toEqual({ 200: 220 })
    const [byPlan, byPack] = [answers.filter((answer) => !isTopup(answer)), answers.filter(isTopup)]
    expect(byPack).toHaveLength(20)
    expect(new Set(byPack.map(remainingOf))).toEqual(new Set([0]))
    expect(descending(byPlan.map(remainingOf))).toEqual(descending([...countdown(100), ...countdown(100)]))
    expect(await remainingByPack(accountId)).toEqual({ [first.id]: 10, [second.id]: 20, [third.id]: 10 })

    const more = await callAtOnce(60, key, secondKey)
    expect(countStatuses(more)).toEqual({ 200: 40, 429: 20 })
    expect(served(more).every(isTopup)).toBe(true)
    expect(await remainingByPack(accountId)).toEqual({ [first.id]: 0, [second.id]: 0, [third.id]: 0 })
    const usages = await Promise.all([usageOf(key, 1), usageOf(secondKey, 2)])
    expect(usages.map((usage) => usage.daily_quota.used)).toEqual([100, 100])
    expect(usages.reduce((sum, usage) => sum + usage.endpoints.prices, 0)).toBe(260)
  })

  test('pay nothing while the day has plan quota, and each request is paid once', async () => {
    const { key, accountId } = await createCustomer(database.db, { packUnits: 5 })
    const answers = await callAtOnce(120, key)
    expect(countStatuses(answers)).toEqual({ 200: 105, 429: 15 })
    const byPlan = served(answers).filter((answer) => !isTopup(answer))
    expect(descending(byPlan.map(remainingOf))).toEqual(countdown(100))
    expect(Object.values(await remainingByPack(accountId))).toEqual([0])
  })

  test('that have expired are never touched, and one that expires under load pays up to that instant', async () => {
    const { key, accountId } = await createCustomer(database.db)
    const grant = (units: number, purchasedAt: string, expiresAt?: string) =>
      insertPack(database.db, accountId, { units, purchasedAt, expiresAt })
    const expired = await grant(50, '2031-01-01T00:00:00Z', '2031-03-05T11:59:59Z')
    const ending = await grant(5_000, '2031-03-01T00:00:00Z', '2031-03-05T13:00:00Z')
    const next = await grant(5_000, '2031-03-02T00:00:00Z')
    await callAtOnce(100, key)

    const load = startLoad(9, (worker) => send(worker, '/v1/prices', { key }))
    await expect.poll(async () => (await remainingByPack(accountId))[ending.id], patience).toBeLessThan(4_960)
    await clock.run('2031-03-05T12:59:59.950Z')
    await expect.poll(async () => (await remainingByPack(accountId))[next.id], patience).toBeLessThan(4_960)
    const frozen = (await remainingByPack(accountId))[ending.id]
    const answers = (await load.stop()).map((outcome) => outcome.answer)

    expect(countStatuses(answers)).toEqual({ 200: answers.length })
    const left = await remainingByPack(accountId)
    expect(left[expired.id]).toBe(50)
    expect(left[ending.id]).toBe(frozen)
    expect(10_000 - (left[ending.id] ?? 0) - (left[next.id] ?? 0)).toBe(answers.length)
    const { rows } = await sql<{ pack_id: string; in_time: boolean }>`
      select pack_id, last_used_at < expires_at as in_time from usage_ledger join packs on id = pack_id
      where account_id = ${accountId}`.execute(database.db)
    expect(rows.map((row) => row.in_time)).toEqual([true, true])
    expect((await usageOf(key)).topup.packs.map((pack) => pack.id)).toEqual([next.id])
  })
})

test('Twenty webhooks created at once on developer: two are stored, eighteen get 402 and keep their unit', async () => {
  const { key } = await createCustomer(database.db, { plan: 'developer' })
  const body = { url: 'https://hooks.acme.example/ratecard', secret: 'sixteen-or-more-characters' }
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => send(n, '/v1/webhooks', { key, method: 'POST', body })),
  )
  expect(countStatuses(answers)).toEqual({ 201: 2, 402: 18 })
  expect(descending(answers.map(remainingOf))).toEqual(countdown(10_000).slice(0, 20))
  const list = await send(0, '/v1/webhooks', { key })
  expect((list.body as { data: unknown[] }).data).toHaveLength(2)
  expect(await usageOf(key, 1)).toMatchObject({
    daily_quota: { used: 21 },
    endpoints: { prices: 0, changes: 0, webhooks: 21 },
  })
})

describe('From the next request on, on every process,', () => {
  test('a revoked key is refused', async () => {
    const { accountId, ...first } = await createCustomer(database.db, { plan: 'developer' })
    const keys = [{ key: first.key, id: first.keyId }]
    while (keys.length < 5) keys.push(await createKey(database.db, accountId))
    for (const { key, id } of keys) {
      const load = startLoad(6, (worker) => send(worker, '/v1/prices', { key }))
      await expect.poll(() => load.outcomes.length, patience).toBeGreaterThan(12)
      await revokeApiKey(database.db, id)
      const acknowledgedMs = performance.now()
      await expect
        .poll(() => load.outcomes.filter((outcome) => outcome.startedMs > acknowledgedMs).length, patience)
        .toBeGreaterThan(12)
      const outcomes = await load.stop()
      const later = outcomes.filter((outcome) => outcome.startedMs > acknowledgedMs)
      expect(countStatuses(later.map((outcome) => outcome.answer))).toEqual({ 401: later.length })
      const { 200: served = 0, 401: refused = 0 } = countStatuses(outcomes.map((outcome) => outcome.answer))
      expect(served).toBeGreaterThan(0)
      expect(served + refused).toBe(outcomes.length)
    }
  })

  test('a subscription that is set or ended counts, and a pack that is bought', async () => {
    const { key, accountId } = await createCustomer(database.db)
    const limits = (answers: Answer[]) =>
      answers.map((answer) => Number(answer.headers.get('x-ratelimit-limit')))
    for (let round = 0; round < 5; round += 1) {
      await putSubscription(database.db, accountId, 'developer', {})
      const paid = await sendToEach('/v1/changes', { key })
      expect(statusesOf(paid)).toEqual([200, 200, 200])
      expect(limits(paid)).toEqual([10_000, 10_000, 10_000])
      await endSubscription(database.db, accountId, 'developer')
      const free = await sendToEach('/v1/changes', { key })
      expect(statusesOf(free)).toEqual([403, 403, 403])
      expect(limits(free)).toEqual([100, 100, 100])
    }
    await callAtOnce(85, key)
    for (let round = 0; round < 5; round += 1) {
      expect(statusesOf(await sendToEach('/v1/prices', { key }))).toEqual([429, 429, 429])
      await insertPack(database.db, accountId, { units: serverCount })
      const answers = await sendToEach('/v1/prices', { key })
      expect(statusesOf(answers)).toEqual([200, 200, 200])
      expect(answers.every(isTopup)).toBe(true)
    }
    expect(statusesOf(await sendToEach('/v1/changes', { key }))).toEqual([403, 403, 403])
  })

  test('a downgrade leaves 0 of the quota, never less, and an upgrade gives the rest of the larger', async () => {
    const { key, accountId } = await createCustomer(database.db, { plan: 'developer' })
    await callAtOnce(130, key)
    await endSubscription(database.db, accountId, 'developer')
    const refused = await sendToEach('/v1/prices', { key })
    expect(statusesOf(refused)).toEqual([429, 429, 429])
    expect(refused.map(remainingOf)).toEqual([0, 0, 0])
    expect((await usageOf(key)).daily_quota).toMatchObject({ limit: 100, used: 130, remaining: 0 })
    await putSubscription(database.db, accountId, 'developer', {})
    expect((await sendToEach('/v1/prices', { key })).map(remainingOf)).toEqual([9_869, 9_868, 9_867])
  })
})

describe('The counter of a day is continued', () => {
  test('by a rotated key, whose predecessor is refused at once', async () => {
    const { key, keyId } = await createCustomer(database.db)
    await callAtOnce(60, key)
    const rotated = await database.db.transaction().execute((trx) => rotateApiKey(trx, keyId))
    expect(statusesOf(await sendToEach('/v1/prices', { key }))).toEqual([401, 401, 401])
    const answers = await callAtOnce(60, rotated.key)
    expect(countStatuses(answers)).toEqual({ 200: 40, 429: 20 })
    expect(descending(served(answers).map(remainingOf))).toEqual(countdown(40))
  })

  test('by both keys during a grace period, at the end of which the old one is refused', async () => {
    const { key, keyId } = await createCustomer(database.db)
    const rotated = await database.db.transaction().execute((trx) => rotateApiKey(trx, keyId, 600))
    const answers = await callAtOnce(150, key, rotated.key)
    expect(countStatuses(answers)).toEqual({ 200: 100, 429: 50 })
    expect(descending(served(answers).map(remainingOf))).toEqual(countdown(100))
    for (const either of [key, rotated.key]) {
      expect(await usageOf(either)).toMatchObject({ daily_quota: { used: 100 }, endpoints: { prices: 100 } })
    }
    await clock.run('2031-03-05T12:10:30Z')
    expect(statusesOf(await sendToEach('/v1/prices', { key }))).toEqual([401, 401, 401])
    expect(statusesOf(await sendToEach('/v1/prices', { key: rotated.key }))).toEqual([429, 429, 429])
  })

  test('by a key that is made on the day on which another was revoked, and by no other', async () => {
    const { key, keyId, accountId } = await createCustomer(database.db)
    await callAtOnce(60, key)
    await revokeApiKey(database.db, keyId)
    const next = await createKey(database.db, accountId)
    expect(countStatuses(await callAtOnce(50, next.key))).toEqual({ 200: 40, 429: 10 })
    const other = await createKey(database.db, accountId)
    expect(countStatuses(await callAtOnce(10, other.key))).toEqual({ 200: 10 })
    await revokeApiKey(database.db, next.id)
    await clock.run('2031-03-06T00:00:01Z')
    const tomorrow = await createKey(database.db, accountId)
    expect((await usageOf(tomorrow.key)).daily_quota).toMatchObject({ used: 0, remaining: 100 })
  })
})

test('A new day starts a new counter and leaves the old one as it was', async () => {
  const { key, keyId } = await createCustomer(database.db)
  await callAtOnce(110, key)
  await clock.run('2031-03-06T12:00:00Z')
  expect(countStatuses(await callAtOnce(30, key))).toEqual({ 200: 30 })
  expect(await usageOf(key)).toMatchObject({ day: '2031-03-06', daily_quota: { used: 30, remaining: 70 } })
  const days = await database.db
    .selectFrom('usage_days')
    .select(['day', 'plan_used'])
    .where('quota_subject', '=', keyId)
    .orderBy('day')
    .execute()
  expect(days).toEqual([
    { day: '2031-03-05', plan_used: 100 },
    { day: '2031-03-06', plan_used: 30 },
  ])
})

describe('The ledger check finds', () => {
  interface Tampering {
    what: string
    tamper: string
    restore: string
    differences: { id: RegExp; balance: string; stored: number; derived: number }[]
  }
  const tamperings: Tampering[] = [
    {
      what: 'a counter of the plan that was changed',
      tamper: 'update usage_days set plan_used = plan_used - 7 where quota_subject = $key',
      restore: 'update usage_days set plan_used = plan_used + 7 where quota_subject = $key',
      differences: [{ id: /^counter key_/, balance: 'plan_used', stored: 93, derived: 100 }],
    },
    {
      what: 'an entry of the plan that was changed',
      tamper: 'update usage_days set prices = prices - 7 where quota_subject = $key',
      restore: 'update usage_days set prices = prices + 7 where quota_subject = $key',
      differences: [{ id: /^counter key_\w+ on /, balance: 'plan_used', stored: 100, derived: 93 }],
    },
    {
      what: 'a counter that is missing',
      tamper: `create table kept_day as select * from usage_days where quota_subject = $key;
        insert into usage_ledger (quota_subject, day, key_id, endpoint, units, last_used_at)
          select quota_subject, day, key_id, 'prices', prices, last_used_at from kept_day;
        delete from usage_days where quota_subject = $key`,
      restore: `delete from usage_ledger where quota_subject = $key and pack_id = '';
        insert into usage_days select * from kept_day; drop table kept_day`,
      differences: [{ id: /^counter key_\w+ on /, balance: 'plan_used', stored: 0, derived: 100 }],
    },
    {
      what: 'a pack that was refilled',
      tamper: 'update packs set remaining = units where account_id = $account',
      restore: 'update packs set remaining = units - 3 where account_id = $account',
      differences: [{ id: /^pack pack_/, balance: 'remaining', stored: 10, derived: 7 }],
    },
    {
      what: 'a ledger row that is missing',
      tamper: `create table kept as select * from usage_ledger where quota_subject = $key and pack_id <> '';
        delete from usage_ledger where quota_subject = $key and pack_id <> ''`,
      restore: 'insert into usage_ledger select * from kept; drop table kept',
      differences: [{ id: /^pack pack_/, balance: 'remaining', stored: 7, derived: 10 }],
    },
  ]
  test.each(tamperings)('$what', async ({ tamper, restore, differences }) => {
    const { key, keyId, accountId } = await createCustomer(database.db, { packUnits: 10 })
    await callAtOnce(103, key)
    const run = (text: string) =>
      sql
        .raw(text.replaceAll('$key', `'${keyId}'`).replaceAll('$account', `'${accountId}'`))
        .execute(database.db)
    await run(tamper)
    const report = await verifyLedger(database.db)
    await run(restore)
    expect(report.differences).toEqual(
      differences.map((difference) => ({
        ...difference,
        id: expect.stringMatching(difference.id) as string,
      })),
    )
  })
})
