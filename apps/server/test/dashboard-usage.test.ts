import { beforeAll, describe, expect, test } from 'vitest'
import type { Schemas } from '../src/http/dashboard/schemas/index.ts'
import { putSubscription } from '../src/features/entitlements/subscription-store.ts'
import { insertPack } from '../src/features/metering/pack-store.ts'
import { usageCsv } from '../src/features/metering/usage-csv.ts'
import { daySpan } from '../src/features/metering/usage-span.ts'
import { useApi } from './support/api.ts'
import { createKey, priceRecord, storePrices } from './support/actors.ts'
import { useDatabaseClock } from './support/database-clock.ts'
import { signInNew, type Browser, type DashboardAnswer } from './support/dashboard-client.ts'
import { useDatabase } from './support/postgres.ts'

const database = useDatabase()
const clock = useDatabaseClock(database)
const api = useApi(database)
const dataOf = <T>({ body }: DashboardAnswer) => (body as { data: T }).data
// By a clock of our own: at midnight of the real one nothing happens here.
const today = '2031-06-15'

beforeAll(async () => {
  await storePrices(database.db, [priceRecord({ resource_id: 'acme:alpha' })])
  await clock.run(`${today}T12:00:00Z`)
})

async function call(key: string, path: string, times = 1): Promise<void> {
  for (let n = 0; n < times; n += 1) expect((await api.request(path, { key })).status).toBe(200)
}

/** Rows that the reservations of earlier days left. */
async function usedBefore(
  key: { id: string },
  rows: { day: string; endpoint: string; units: number; packId?: string }[],
): Promise<void> {
  await database.db
    .insertInto('usage_ledger')
    .values(
      rows.map(({ day, endpoint, units, packId = '' }) => ({
        quota_subject: key.id,
        key_id: key.id,
        day,
        endpoint,
        units,
        pack_id: packId,
        last_used_at: `${day}T10:00:00Z`,
      })),
    )
    .execute()
}

const usageOf = async (browser: Browser, query = '') =>
  dataOf<Schemas['Usage']>(await browser.get(`/usage${query}`))

describe('the report', () => {
  test('says what the ledger has, by day, key, endpoint and payer, and the next request is in it', async () => {
    const { browser, accountId } = await signInNew(api, 'Ada')
    await putSubscription(database.db, accountId, 'developer', {})
    const [a, b] = [await createKey(database.db, accountId), await createKey(database.db, accountId)]
    await usedBefore(a, [
      { day: '2031-05-16', endpoint: 'prices', units: 5 },
      { day: '2031-05-17', endpoint: 'prices', units: 7 },
      { day: '2031-06-01', endpoint: 'prices', units: 2, packId: 'pack_a' },
      { day: '2031-06-01', endpoint: 'prices', units: 3, packId: 'pack_b' },
      { day: '2031-06-01', endpoint: 'prices', units: 1 },
    ])
    expect(await usageOf(browser)).toMatchObject({ from: '2031-05-17', to: today, today, total: 13 })
    await call(a.key, '/v1/prices?limit=1', 2)
    await call(b.key, '/v1/changes?limit=1')
    await call(b.key, '/v1/usage')
    expect(await usageOf(browser)).toEqual({
      from: '2031-05-17',
      to: today,
      today,
      total: 16,
      rows: [
        { day: '2031-05-17', key_id: a.id, endpoint: 'prices', paid_by: 'plan', units: 7 },
        { day: '2031-06-01', key_id: a.id, endpoint: 'prices', paid_by: 'plan', units: 1 },
        { day: '2031-06-01', key_id: a.id, endpoint: 'prices', paid_by: 'pack', units: 5 },
        { day: today, key_id: a.id, endpoint: 'prices', paid_by: 'plan', units: 2 },
        { day: today, key_id: b.id, endpoint: 'changes', paid_by: 'plan', units: 1 },
      ],
    })
    expect((await usageOf(browser, `?key_id=${b.id}`)).rows).toHaveLength(1)
    expect((await usageOf(browser, '?endpoint=webhooks')).rows).toEqual([])
    expect(await usageOf(browser, '?from=2031-05-16&to=2031-05-16')).toMatchObject({
      total: 5,
      rows: [{ day: '2031-05-16', units: 5 }],
    })
    expect(dataOf<Schemas['Key'][]>(await browser.get('/keys'))).toMatchObject([
      { id: a.id, used_today: 2, used_30_days: 15 },
      { id: b.id, used_today: 1, used_30_days: 1 },
    ])

    const csv = await browser.get('/usage.csv?from=2031-06-01')
    expect(csv.status).toBe(200)
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(csv.headers.get('content-disposition')).toBe(
      `attachment; filename="usage-2031-06-01-to-${today}.csv"`,
    )
    expect(csv.body).toBe(
      [
        'day,key_id,key_name,endpoint,paid_by,units',
        `2031-06-01,${a.id},test,prices,plan,1`,
        `2031-06-01,${a.id},test,prices,pack,5`,
        `${today},${a.id},test,prices,plan,2`,
        `${today},${b.id},test,changes,plan,1`,
        '',
      ].join('\r\n'),
    )
  })

  test.each(['', '.csv'])(
    "usage%s: another account's key is not there, and its rows are nobody else's",
    async (end) => {
      const { browser: owner, accountId } = await signInNew(api, `Owner${end.length}`)
      const { browser: stranger } = await signInNew(api, `Stranger${end.length}`)
      const key = await createKey(database.db, accountId)
      await call(key.key, '/v1/prices?limit=1')
      expect((await usageOf(owner)).total).toBe(1)
      expect((await usageOf(stranger)).rows).toEqual([])
      expect(await stranger.get(`/usage${end}?key_id=${key.id}`)).toMatchObject({
        status: 404,
        body: { error: 'not_found' },
      })
    },
  )

  test.each([
    ['?from=2031-02-30', 'from'],
    ['?from=2031-06-16', 'later than "to"'],
    ['?from=2030-01-01&to=2031-02-05', 'At most 400 days'],
    ['?from=2030-05-10&to=2030-05-10', 'kept for 400 days'],
    ['?to=1999-12-31', 'before 2000-01-01'],
    ['?to=2000-01-01', 'before 2000-01-01'],
    ['?endpoint=usage', 'endpoint'],
  ])('%s is refused with the reason', async (query, reason) => {
    const { browser } = await signInNew(api, `Asker${query.replaceAll(/\W/g, '')}`)
    expect(await browser.get(`/usage${query}`)).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', message: expect.stringContaining(reason) as string },
    })
  })
})

describe('a span of days', () => {
  test('is 30 days to today, or to the day that is asked for', () => {
    expect(daySpan({}, today, 4_000)).toEqual({ from: '2031-05-17', to: today })
    expect(daySpan({ to: '2024-03-01' }, today, 4_000)).toEqual({ from: '2024-02-01', to: '2024-03-01' })
    expect(daySpan({ from: '2031-06-10' }, today, 4_000)).toEqual({ from: '2031-06-10', to: today })
  })

  test('has 400 days at most', () => {
    expect(daySpan({ from: '2030-01-01', to: '2031-02-04' }, today, 4_000)).toEqual({
      from: '2030-01-01',
      to: '2031-02-04',
    })
    expect(daySpan({ from: '2030-01-01', to: '2031-02-05' }, today, 4_000)).toMatch(/At most 400 days/)
  })

  test('begins with the first day that is kept: what is forgotten is not shown as nothing used', () => {
    expect(daySpan({ from: '2031-03-07' }, today, 100)).toMatchObject({ from: '2031-03-07' })
    expect(daySpan({ from: '2031-03-06' }, today, 100)).toBe(
      'Usage is kept for 100 days: give days from 2031-03-07 on.',
    )
  })
})

test('the file quotes what needs it, and runs no formula', () => {
  const names = ['=1+1', '+1', '-1', '@SUM(A1)', '\tx', 'a "b", c', 'line\nbreak', 'plain']
  const rows = names.map((key_name, n) => {
    const key = { key_id: `key_${n}`, key_name }
    return { day: today, ...key, endpoint: 'prices', paid_by: 'plan', units: 1 } as const
  })
  const fields = usageCsv(rows)
    .split('\r\n')
    .slice(1, -1)
    .map((line) => /^[^,]+,[^,]+,(.*),prices,plan,1$/s.exec(line)?.[1])
  expect(fields).toEqual([
    "'=1+1",
    "'+1",
    "'-1",
    "'@SUM(A1)",
    "'\tx",
    '"a ""b"", c"',
    '"line\nbreak"',
    'plain',
  ])
})

describe('the overview', () => {
  test('of an account with nothing yet', async () => {
    const { browser } = await signInNew(api, 'Blank')
    expect(dataOf(await browser.get('/overview'))).toEqual({
      day: today,
      resets_at: '2031-06-16T00:00:00.000000Z',
      quotas: [],
      used_today: 0,
      packs: [],
      sells_packs: false,
      days: [],
      failures: [],
      refused_today: [],
      first_steps: { has_key: false, is_counted: false },
    })
  })

  test('leads a new account to its first request, until a member puts that away', async () => {
    const { browser } = await signInNew(api, 'Novice')
    const steps = async () => dataOf<Schemas['Overview']>(await browser.get('/overview')).first_steps
    const { key } = dataOf<Schemas['NewKey']>(await browser.post('/keys', { name: 'First' }))
    expect(await steps()).toEqual({ has_key: true, is_counted: false })
    await call(key, '/v1/usage')
    expect(await steps(), 'which costs nothing, and counts nothing').toEqual({
      has_key: true,
      is_counted: false,
    })
    await call(key, '/v1/prices?limit=1')
    expect(await steps()).toEqual({ has_key: true, is_counted: true })
    expect((await browser.post('/first-steps/end')).status).toBe(200)
    expect((await browser.post('/first-steps/end')).status).toBe(200)
    expect(await steps()).toBeNull()
  })

  test('has no first steps for an account that is in use since yesterday', async () => {
    const { browser, accountId } = await signInNew(api, 'Veteran')
    const key = await createKey(database.db, accountId)
    await usedBefore(key, [{ day: '2031-06-14', endpoint: 'prices', units: 1 }])
    expect(dataOf<Schemas['Overview']>(await browser.get('/overview')).first_steps).toBeNull()
  })

  test('says what of a quota a key used that ended today', async () => {
    const { browser } = await signInNew(api, 'Changer')
    const old = dataOf<Schemas['NewKey']>(await browser.post('/keys', { name: 'Old' }))
    await call(old.key, '/v1/prices?limit=1', 3)
    await browser.post(`/keys/${old.record.id}/revoke`)
    const next = dataOf<Schemas['NewKey']>(await browser.post('/keys', { name: 'New' }))
    expect(next.record).toMatchObject({ used_today: 0, used_by_ended_today: 3 })
    await call(next.key, '/v1/prices?limit=1', 2)
    const { quotas } = dataOf<Schemas['Overview']>(await browser.get('/overview'))
    expect(quotas).toMatchObject([{ name: 'New', used: 5, used_by_ended: 3 }])
  })

  test('has a quota per counter, what packs have left, and 30 days', async () => {
    const { browser, accountId } = await signInNew(api, 'Barbara')
    const a = dataOf<Schemas['NewKey']>(await browser.post('/keys', { name: 'CI' }))
    const b = dataOf<Schemas['NewKey']>(await browser.post('/keys', { name: 'Web' }))
    await insertPack(database.db, accountId, { units: 10 })
    await insertPack(database.db, accountId, { units: 5, purchasedAt: '2031-01-01T00:00:00Z' })
    await usedBefore(a.record, [{ day: '2031-06-14', endpoint: 'prices', units: 4 }])
    await call(a.key, '/v1/prices?limit=1', 101)
    await call(b.key, '/v1/prices?limit=1')
    const next = dataOf<Schemas['NewKey']>(
      await browser.post(`/keys/${a.record.id}/rotate`, { grace_seconds: 600 }),
    )
    await call(next.key, '/v1/prices?limit=1')
    const overview = dataOf<Schemas['Overview']>(await browser.get('/overview'))
    expect(overview).toMatchObject({
      quotas: [
        { key_ids: [next.record.id, a.record.id], name: 'CI', used: 100, limit: 100 },
        { key_ids: [b.record.id], name: 'Web', used: 1, limit: 100 },
      ],
      used_today: 103,
      packs: [{ units: 10, remaining: 8, state: 'live' }],
    })
    expect(overview.days).toEqual([
      { day: '2031-06-14', endpoint: 'prices', paid_by: 'plan', units: 4 },
      { day: today, endpoint: 'prices', paid_by: 'plan', units: 101 },
      { day: today, endpoint: 'prices', paid_by: 'pack', units: 2 },
    ])
  })

  test('tells what failed lately at the webhooks of the account, newest first, and of nobody else', async () => {
    const { browser, accountId } = await signInNew(api, 'Cleo')
    const { browser: stranger } = await signInNew(api, 'Dora')
    const alert = (id: string) =>
      database.db
        .insertInto('alerts')
        .values({ id, event: 'change.alert', change_ids: ['chg_1'], public_url: api.url })
        .execute()
    await database.db
      .insertInto('webhooks')
      .values({
        id: 'wh_1',
        account_id: accountId,
        url: 'https://hooks.customer.example/a',
        events: ['change.alert'],
        secret_ciphertext: Buffer.from('x'),
        secret_key_id: 'k',
      })
      .execute()
    const delivery = async (
      id: string,
      state: string,
      createdAt: string,
      errors: (string | null)[],
      resentFrom: string | null = null,
    ) => {
      const alertId = `alert_of_${resentFrom ?? id}`
      if (resentFrom === null) await alert(alertId)
      await database.db
        .insertInto('deliveries')
        .values({
          id,
          alert_id: alertId,
          resent_from: resentFrom,
          webhook_id: 'wh_1',
          account_id: accountId,
          state,
          attempts: errors.length,
          created_at: createdAt,
          next_attempt_at: state === 'pending' ? `${today}T13:00:00Z` : null,
        })
        .execute()
      for (const [n, error] of errors.entries()) {
        await database.db
          .insertInto('delivery_attempts')
          .values({
            delivery_id: id,
            attempt: n + 1,
            started_at: `${createdAt.slice(0, 10)}T11:0${n}:00Z`,
            duration_ms: 5,
            status: null,
            error_class: error,
            error: error && 'It failed.',
          })
          .execute()
      }
    }
    await delivery('dlv_1', 'exhausted', '2031-06-13T11:00:00Z', ['timeout', 'dns'])
    await delivery('dlv_2', 'pending', '2031-06-15T11:00:00Z', ['timeout'])
    await delivery('dlv_3', 'delivered', '2031-06-15T11:00:00Z', ['timeout', null])
    await delivery('dlv_4', 'exhausted', '2031-06-01T11:00:00Z', ['timeout'])
    await delivery('dlv_5', 'pending', '2031-06-15T11:00:00Z', [])
    // What arrived after all is no failure, and what failed again is one.
    await delivery('dlv_6', 'exhausted', '2031-06-14T11:00:00Z', ['timeout'])
    await delivery('dlv_7', 'delivered', '2031-06-15T11:00:00Z', [null], 'dlv_6')
    await delivery('dlv_8', 'exhausted', '2031-06-11T11:00:00Z', ['timeout'])
    await delivery('dlv_9', 'exhausted', '2031-06-12T11:00:00Z', ['tls'], 'dlv_8')
    const { failures } = dataOf<Schemas['Overview']>(await browser.get('/overview'))
    expect(failures).toEqual([
      {
        delivery_id: 'dlv_2',
        webhook_id: 'wh_1',
        name: null,
        url: 'https://hooks.customer.example/a',
        title: null,
        change_count: 1,
        state: 'pending',
        error: 'timeout: It failed.',
        at: '2031-06-15T11:00:00.000000Z',
        next_attempt_at: '2031-06-15T13:00:00.000000Z',
      },
      expect.objectContaining({
        delivery_id: 'dlv_1',
        state: 'exhausted',
        error: 'dns: It failed.',
        at: '2031-06-13T11:01:00.000000Z',
        next_attempt_at: null,
      }),
      expect.objectContaining({ delivery_id: 'dlv_9', error: 'tls: It failed.' }),
    ])
    expect(dataOf<Schemas['Overview']>(await stranger.get('/overview')).failures).toEqual([])
  })
})
