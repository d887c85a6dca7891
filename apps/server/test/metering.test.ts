import type { QuotaErrorBody } from '@ratecard/contract'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { generateApiKey } from '../src/features/accounts/api-key.ts'
import { insertPack } from '../src/features/metering/pack-store.ts'
import { verifyLedger } from '../src/features/metering/verify-ledger.ts'
import { createCustomer, createKey } from './support/actors.ts'
import type { RequestOptions } from './support/client.ts'
import { countStatuses, patience, startLoad } from './support/load.ts'
import {
  countdown,
  descending,
  isTopup,
  nextMidnightSeconds,
  remainingOf,
  served,
  statusesOf,
  today,
  useMeteredServers,
} from './support/metered-servers.ts'

const { database, clock, serverCount, send, sendToEach, callAtOnce, usageOf, remainingByPack } =
  useMeteredServers()

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
