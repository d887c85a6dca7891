import { describe, expect, test } from 'vitest'
import type { Schemas } from '../src/http/dashboard/schemas/index.ts'
import { useApi } from './support/api.ts'
import { priceRecord, storePrices } from './support/actors.ts'
import { useDatabaseClock } from './support/database-clock.ts'
import { signInNew, type Browser, type DashboardAnswer } from './support/dashboard-client.ts'
import { useDatabase } from './support/postgres.ts'

const database = useDatabase()
const clock = useDatabaseClock(database)
const api = useApi(database)

const dataOf = <T>({ body }: DashboardAnswer) => (body as { data: T }).data
const prices = async (key: string) => (await api.request('/v1/prices?limit=1', { key })).status

async function createKey(browser: Browser, name = 'CI'): Promise<Schemas['NewKey']> {
  const created = await browser.post('/keys', { name })
  expect(created.status).toBe(201)
  return dataOf(created)
}

async function keysOf(browser: Browser): Promise<Schemas['Key'][]> {
  return dataOf(await browser.get('/keys'))
}

async function auditOf(accountId: string) {
  return database.db
    .selectFrom('audit_entries')
    .select(['action', 'subject_id', 'actor_name', 'details'])
    .where('account_id', '=', accountId)
    .where('action', '<>', 'key.created')
    .orderBy('at')
    .execute()
}

describe('renaming a key', () => {
  test('changes the name and nothing else, and is written down once', async () => {
    const { browser, accountId } = await signInNew(api, 'Ada')
    const { record, key } = await createKey(browser)
    const renamed = await browser.send('PATCH', `/keys/${record.id}`, { name: 'Nightly' })
    expect(renamed).toMatchObject({ status: 200, body: { data: { ...record, name: 'Nightly' } } })
    expect((await browser.send('PATCH', `/keys/${record.id}`, { name: 'Nightly' })).status).toBe(200)
    expect(await keysOf(browser)).toEqual([{ ...record, name: 'Nightly' }])
    expect(await prices(key)).toBe(200)
    expect(await auditOf(accountId)).toEqual([
      {
        action: 'key.renamed',
        subject_id: record.id,
        actor_name: 'ada@customer.example',
        details: { from: 'CI', to: 'Nightly' },
      },
    ])
  })
})

describe('rotating a key', () => {
  test('with a grace period: both work on one quota until the old one ends', async () => {
    await storePrices(database.db, [priceRecord({ resource_id: 'acme:alpha' })])
    const { browser, accountId } = await signInNew(api, 'Barbara')
    const old = await createKey(browser)
    expect(await prices(old.key)).toBe(200)
    const rotated = await browser.post(`/keys/${old.record.id}/rotate`, { grace_seconds: 3600 })
    expect(rotated.status).toBe(201)
    const next = dataOf<Schemas['NewKey']>(rotated)
    expect(next.record).toMatchObject({ name: 'CI', state: 'active', shares_quota_with: [old.record.id] })
    expect(await prices(old.key)).toBe(200)
    const answer = await api.request('/v1/prices?limit=1', { key: next.key })
    expect(answer.headers.get('x-ratelimit-remaining')).toBe('97')
    expect(await keysOf(browser)).toMatchObject([
      { id: old.record.id, state: 'ending', used_today: 2, shares_quota_with: [next.record.id] },
      { id: next.record.id, state: 'active', used_today: 1 },
    ])
    expect(await auditOf(accountId)).toMatchObject([
      {
        action: 'key.rotated',
        subject_id: old.record.id,
        details: { name: 'CI', new_key: next.record.id, grace_seconds: '3600' },
      },
    ])

    await clock.run(new Date(Date.now() + 3_601_000).toISOString())
    expect(await prices(old.key)).toBe(401)
    expect(await prices(next.key)).toBe(200)
    // Those that work come first.
    expect(await keysOf(browser)).toMatchObject([
      { state: 'active', shares_quota_with: [] },
      { state: 'revoked' },
    ])
    await clock.run(new Date().toISOString())
  })

  test('without one: the old key is refused at once, and the day counts on', async () => {
    const { browser } = await signInNew(api, 'Cleo')
    const old = await createKey(browser)
    expect(await prices(old.key)).toBe(200)
    const next = dataOf<Schemas['NewKey']>(await browser.post(`/keys/${old.record.id}/rotate`, {}))
    expect(await prices(old.key)).toBe(401)
    const answer = await api.request('/v1/prices?limit=1', { key: next.key })
    expect(answer.headers.get('x-ratelimit-remaining')).toBe('98')
  })

  test('twice at once makes one new key; the other is told why not', async () => {
    const { browser, accountId } = await signInNew(api, 'Dora')
    const { record } = await createKey(browser)
    const answers = await Promise.all(
      [1, 2, 3].map(() => browser.post(`/keys/${record.id}/rotate`, { grace_seconds: 60 })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
      error: 'conflict',
      message: expect.stringContaining('rotated already') as string,
    })
    expect(await keysOf(browser)).toHaveLength(2)
    expect(await auditOf(accountId)).toHaveLength(1)
  })

  test.each([-1, 86_401, 1.5, '60'])('a grace period of %s is no valid one', async (grace_seconds) => {
    const { browser } = await signInNew(api, `Grace${Math.abs(Number(grace_seconds)) * 10}`)
    const { record } = await createKey(browser)
    const refused = await browser.post(`/keys/${record.id}/rotate`, { grace_seconds })
    expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    expect(await keysOf(browser)).toHaveLength(1)
  })
})

describe('revoking a key', () => {
  test('refuses it from the next request on; a second time changes nothing', async () => {
    const { browser, accountId } = await signInNew(api, 'Eve')
    const { key, record } = await createKey(browser)
    expect(await prices(key)).toBe(200)
    const revoked = await browser.post(`/keys/${record.id}/revoke`)
    expect(revoked).toMatchObject({
      status: 200,
      body: { data: { id: record.id, state: 'revoked', used_today: 1 } },
    })
    expect(await prices(key)).toBe(401)
    const again = await browser.post(`/keys/${record.id}/revoke`)
    expect(again.body).toEqual(revoked.body)
    expect(await auditOf(accountId)).toMatchObject([
      { action: 'key.revoked', subject_id: record.id, details: { name: 'CI' } },
    ])
  })

  test('ends a grace period', async () => {
    const { browser } = await signInNew(api, 'Fay')
    const { key, record } = await createKey(browser)
    await browser.post(`/keys/${record.id}/rotate`, { grace_seconds: 86_400 })
    expect(await prices(key)).toBe(200)
    expect((await browser.post(`/keys/${record.id}/revoke`)).status).toBe(200)
    expect(await prices(key)).toBe(401)
  })
})

test("another account's key is not there, and nothing happens to it", async () => {
  const { browser: owner } = await signInNew(api, 'Gil')
  const { browser: stranger, accountId } = await signInNew(api, 'Hal')
  const { key, record } = await createKey(owner)
  for (const [method, path, body] of [
    ['PATCH', '', { name: 'mine' }],
    ['POST', '/rotate', { grace_seconds: 0 }],
    ['POST', '/revoke', undefined],
  ] as const) {
    expect(await stranger.send(method, `/keys/${record.id}${path}`, body)).toMatchObject({
      status: 404,
      body: { error: 'not_found', message: 'There is no such key in this account.' },
    })
  }
  expect(await keysOf(owner)).toEqual([record])
  expect(await auditOf(accountId)).toEqual([])
  expect(await prices(key)).toBe(200)
})

test('no key is in the log', async () => {
  const { browser } = await signInNew(api, 'Ida')
  const { key, record } = await createKey(browser)
  const next = dataOf<Schemas['NewKey']>(await browser.post(`/keys/${record.id}/rotate`, {}))
  expect(await prices(next.key)).toBe(200)
  const text = api.log.join('')
  expect(text).toContain('"operation":"rotateKey"')
  expect(text).not.toContain(key)
  expect(text).not.toContain(next.key)
})
