import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { useApi } from '../../../test/support/api.ts'
import { createCustomer, createKey } from '../../../test/support/actors.ts'
import { commonCredentialTests } from '../../../test/support/common-credentials.ts'
import type { Answer } from '../../../test/support/contract-check.ts'
import { useDatabase } from '../../../test/support/postgres.ts'
import { spend, usageOf } from '../../../test/support/fixtures.ts'
import { rotateApiKey } from '../../features/accounts/api-key-store.ts'
import { endSubscription, putSubscription } from '../../features/entitlements/subscription-store.ts'
import { insertPack } from '../../features/metering/pack-store.ts'

const database = useDatabase()
const api = useApi(database)

commonCredentialTests({ api, database }, { path: '/v1/usage' })

describe('200', () => {
  test('a new key of a free account', async () => {
    const { key } = await createCustomer(database.db)
    const { status, body } = await api.request('/v1/usage', { key })
    const { rows } = await sql<{ day: string; next: string }>`
      select d::text as day, (d + 1)::text as next from (select (ratecard_now() at time zone 'utc')::date as d) today`.execute(
      database.db,
    )
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        schema_version: 1,
        plan: 'api_free',
        day: rows[0]?.day,
        daily_quota: {
          limit: 100,
          used: 0,
          remaining: 100,
          reset_at: `${rows[0]?.next}T00:00:00.000000Z`,
        },
        endpoints: { prices: 0, changes: 0, webhooks: 0 },
        metered_total: 0,
        topup: {
          remaining: 0,
          packs: [],
          purchase_url: expect.stringMatching(/^http:\/\/localhost:\d+\/dashboard\/billing$/) as string,
        },
      },
    })
  })

  test.each([
    ['developer', 10_000],
    ['scale', 100_000],
    ['team', 100_000],
    ['enterprise', 1_000_000],
  ] as const)('%s is called developer and has %i requests a day', async (plan, limit) => {
    const customer = await createCustomer(database.db, { plan })
    expect(await usageOf(api, customer)).toMatchObject({ plan: 'developer', daily_quota: { limit } })
  })

  test('is equal to the headers, to the unit, after every request', async () => {
    const customer = await createCustomer(database.db, { plan: 'developer' })
    const { key } = customer
    const webhook = { url: 'https://hooks.acme.example', secret: 'sixteen characters' }
    const requests: [string, () => Promise<Answer>][] = [
      ['prices', () => api.request('/v1/prices', { key })],
      ['changes', () => api.request('/v1/changes', { key })],
      ['none', () => api.request('/v1/prices?limit=0', { key })],
      ['webhooks', () => api.request('/v1/webhooks', { key })],
      ['webhooks', () => api.request('/v1/webhooks', { key, method: 'POST', body: webhook })],
      ['webhooks', () => api.request('/v1/webhooks', { key, method: 'POST', body: webhook })],
      ['webhooks', () => api.request('/v1/webhooks', { key, method: 'POST', body: webhook })],
      ['none', () => api.request('/v1/webhooks', { key, method: 'POST', body: {} })],
      ['webhooks', () => api.request('/v1/webhooks/wh_none', { key, method: 'DELETE' })],
      ['none', () => api.request('/v1/nowhere', { key })],
      ['none', () => api.request('/v1/prices', { key, method: 'POST' })],
      ['none', () => api.request('/health', { key })],
      ['prices', () => api.request('/v1/prices?vendor=x', { key })],
    ]
    const expected: Record<string, number> = { prices: 0, changes: 0, webhooks: 0, none: 0 }
    for (const [endpoint, send] of requests) {
      expected[endpoint] = (expected[endpoint] ?? 0) + 1
      const { headers } = await send()
      const { none: _, ...endpoints } = expected
      const used = Object.values(endpoints).reduce((sum, count) => sum + count, 0)
      const usage = await usageOf(api, customer)
      expect(usage).toMatchObject({
        daily_quota: { limit: 10_000, used, remaining: 10_000 - used },
        endpoints,
        metered_total: used,
      })
      const remaining = headers.get('x-ratelimit-remaining')
      if (remaining !== null) expect(Number(remaining)).toBe(usage.daily_quota.remaining)
    }
  })

  test('its own headers say the same as its body', async () => {
    const customer = await createCustomer(database.db)
    await spend(database.db, customer, 37)
    const { headers, body } = await api.request('/v1/usage', { key: customer.key })
    expect(headers.get('x-ratelimit-limit')).toBe('100')
    expect(headers.get('x-ratelimit-remaining')).toBe('63')
    const { reset_at } = (body as { daily_quota: { reset_at: string } }).daily_quota
    expect(Number(headers.get('x-ratelimit-reset'))).toBe(Date.parse(reset_at) / 1_000)
    expect(headers.has('x-ratelimit-topup')).toBe(false)
  })

  test('never takes a unit, and answers when there is none', async () => {
    const customer = await createCustomer(database.db)
    await spend(database.db, customer, 100)
    for (let count = 0; count < 3; count += 1) {
      expect(await usageOf(api, customer)).toMatchObject({
        daily_quota: { used: 100, remaining: 0 },
        metered_total: 100,
      })
    }
  })

  test('requests in parallel are counted one by one', async () => {
    const customer = await createCustomer(database.db)
    await Promise.all(Array.from({ length: 20 }, () => api.request('/v1/prices', { key: customer.key })))
    expect(await usageOf(api, customer)).toMatchObject({ daily_quota: { used: 20 }, metered_total: 20 })
  })

  test('packs are listed in the order in which they are used: by purchase, not by expiry', async () => {
    const customer = await createCustomer(database.db)
    const { accountId } = customer
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
    const buy = (units: number, purchased: number, expires: number) =>
      insertPack(database.db, accountId, {
        units,
        purchasedAt: inDays(purchased),
        expiresAt: inDays(expires),
      })
    const late = await buy(3, -1, 1)
    const early = await buy(2, -10, 20)
    await buy(7, -40, -10)
    const middle = await buy(1, -5, 5)
    await spend(database.db, customer, 100)

    const left = async () => {
      const { topup } = await usageOf(api, customer)
      expect(topup.remaining).toBe(topup.packs.reduce((sum, pack) => sum + pack.remaining, 0))
      return topup.packs.map((pack) => [pack.id, pack.remaining])
    }
    const use = async () => (await api.request('/v1/prices', { key: customer.key })).status
    expect(await left()).toEqual([[early.id, 2], [middle.id, 1], [late.id, 3]]) // prettier-ignore
    expect(await use()).toBe(200)
    expect(await left()).toEqual([[early.id, 1], [middle.id, 1], [late.id, 3]]) // prettier-ignore
    expect(await use()).toBe(200)
    expect(await left()).toEqual([[middle.id, 1], [late.id, 3]]) // prettier-ignore
    for (let count = 0; count < 4; count += 1) expect(await use()).toBe(200)
    expect(await left()).toEqual([])
    // No request gets what the expired pack holds.
    expect(await use()).toBe(429)
    const usage = await usageOf(api, customer)
    expect(usage.daily_quota).toMatchObject({ used: 100, remaining: 0 })
    expect(usage.endpoints.prices).toBe(106)
  })

  test('two packs bought at the same instant are used by id', async () => {
    const customer = await createCustomer(database.db)
    const purchasedAt = new Date(Date.now() - 60_000).toISOString()
    const packs = []
    for (let count = 0; count < 5; count += 1) {
      packs.push(await insertPack(database.db, customer.accountId, { units: 1, purchasedAt }))
    }
    const { rows } = await sql<{ id: string }>`
      select id from packs where account_id = ${customer.accountId} order by purchased_at, id`.execute(
      database.db,
    )
    expect((await usageOf(api, customer)).topup.packs.map((pack) => pack.id)).toEqual(
      rows.map((row) => row.id),
    )
  })

  test('packs serve every key of the account, a daily quota belongs to one', async () => {
    const first = await createCustomer(database.db, { packUnits: 5 })
    const key = await createKey(database.db, first.accountId)
    const second = { ...first, key: key.key, keyId: key.id }
    await spend(database.db, first, 100)
    expect((await api.request('/v1/prices', { key: first.key })).headers.get('x-ratelimit-topup')).toBe(
      'true',
    )
    const usage = await usageOf(api, second)
    expect(usage.daily_quota.used).toBe(0)
    expect(usage.metered_total).toBe(0)
    expect(usage.topup.remaining).toBe(4)
  })

  test('a rotated key goes on with the count of the old one', async () => {
    const old = await createCustomer(database.db)
    await api.request('/v1/prices', { key: old.key })
    const next = await database.db.transaction().execute((trx) => rotateApiKey(trx, old.keyId))
    await api.request('/v1/prices', { key: next.key })
    expect(await usageOf(api, next)).toMatchObject({ daily_quota: { used: 2 }, endpoints: { prices: 2 } })
  })

  test('after a downgrade used may exceed the limit, and remaining is never negative', async () => {
    const customer = await createCustomer(database.db, { plan: 'developer' })
    await spend(database.db, customer, 150)
    await endSubscription(database.db, customer.accountId, 'developer')
    expect(await usageOf(api, customer)).toMatchObject({
      plan: 'api_free',
      daily_quota: { limit: 100, used: 150, remaining: 0 },
    })
    await putSubscription(database.db, customer.accountId, 'developer', {})
    expect(await usageOf(api, customer)).toMatchObject({ daily_quota: { limit: 10_000, remaining: 9_850 } })
  })
})

describe('400', () => {
  test.each(['day=2026-01-01', 'x', 'limit=1'])('takes no parameters: ?%s', async (query) => {
    const { key } = await createCustomer(database.db)
    expect((await api.request(`/v1/usage?${query}`, { key })).status).toBe(400)
  })
})

describe('at UTC midnight', () => {
  const setClock = (instant: string) =>
    sql`create or replace function ratecard_now() returns timestamptz language sql volatile as ${sql.lit(
      `select '${instant}'::timestamptz`,
    )}`.execute(database.db)
  afterAll(async () => {
    await sql`create or replace function ratecard_now() returns timestamptz language sql volatile as 'select clock_timestamp()'`.execute(
      database.db,
    )
  })

  test('the count starts again, by the clock of the database', async () => {
    const customer = await createCustomer(database.db)
    await setClock('2030-06-30T23:59:59.999999Z')
    await spend(database.db, customer, 99)
    const before = await api.request('/v1/prices', { key: customer.key })
    expect(before.headers.get('x-ratelimit-remaining')).toBe('0')
    expect(before.headers.get('x-ratelimit-reset')).toBe(String(Date.UTC(2030, 6, 1) / 1_000))
    expect(await usageOf(api, customer)).toMatchObject({ day: '2030-06-30', metered_total: 100 })

    await setClock('2030-07-01T00:00:00Z')
    expect(await usageOf(api, customer)).toMatchObject({
      day: '2030-07-01',
      daily_quota: { used: 0, remaining: 100, reset_at: '2030-07-02T00:00:00.000000Z' },
      endpoints: { prices: 0 },
      metered_total: 0,
    })
    const after = await api.request('/v1/prices', { key: customer.key })
    expect(after.headers.get('x-ratelimit-remaining')).toBe('99')
  })

  test('a pack ends at its very instant', async () => {
    const customer = await createCustomer(database.db)
    await insertPack(database.db, customer.accountId, {
      units: 10,
      purchasedAt: '2030-07-01T00:00:00Z',
      expiresAt: '2030-07-31T00:00:00Z',
    })
    await setClock('2030-07-30T23:59:59.999999Z')
    expect((await usageOf(api, customer)).topup.packs).toHaveLength(1)
    await setClock('2030-07-31T00:00:00Z')
    expect((await usageOf(api, customer)).topup.packs).toEqual([])
  })
})
