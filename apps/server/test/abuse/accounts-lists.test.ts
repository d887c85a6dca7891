import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Schemas } from '../../src/http/dashboard/schemas/index.ts'
import { useApi } from '../support/api.ts'
import { createCustomer, createKey } from '../support/actors.ts'
import type { Browser, DashboardAnswer } from '../support/dashboard-client.ts'
import { signInOwner } from '../support/dashboard-owner.ts'
import { useDatabase } from '../support/postgres.ts'
import { feelBeside, flood } from './accounts-beside.ts'
import { again, expectUndisturbed } from './attacker.ts'

// However much an account has made, its requests are read in a bounded time, and it cannot make any number of things.

const database = useDatabase()
const api = useApi(database)
const dataOf = <T>({ body }: DashboardAnswer) => (body as { data: T }).data
const accountOf = async (browser: Browser) =>
  dataOf<Schemas['Me']>(await browser.get('/me')).account?.id ?? ''

/** Keys of one counter that were made and revoked yesterday. */
async function addRevokedKeys(accountId: string, count: number): Promise<void> {
  await sql`
    insert into api_keys (id, account_id, name, hash, prefix, last_four, quota_subject, created_at, revoked_at)
    select 'key_' || ${accountId} || n, ${accountId}, 'old', decode(md5(${accountId} || n), 'hex'), 'rc_live_', '0000',
      'key_' || ${accountId} || '1', ratecard_now() - interval '2 days', ratecard_now() - interval '1 day'
    from generate_series(1, ${count}::int) as n`.execute(database.db)
}

test(
  'of 1,500 revoked keys a page is listed; 20 connections that ask for it slow nobody down',
  again,
  async () => {
    const browser = await signInOwner(database.db, api.url)
    const accountId = await accountOf(browser)
    const { id: oldest } = await createKey(database.db, accountId)
    const { id: newest } = await createKey(database.db, accountId)
    await addRevokedKeys(accountId, 1_500)
    const { key } = await createCustomer(database.db)
    const list = () => browser.get('/keys')
    const { attacked, feeling } = await feelBeside(flood({ total: 60, atOnce: 20 }, list), () =>
      api.request('/v1/usage', { key }),
    )
    expect(Object.keys(attacked).filter((status) => !['200', '429'].includes(status))).toEqual([])
    expectUndisturbed(feeling)

    const seen: string[] = []
    for (let path: string | null = '/keys?limit=100'; path !== null;) {
      const { data, pagination, active } = (await browser.get(path)).body as Schemas['KeyList']
      expect(data.length).toBeLessThanOrEqual(102)
      expect(active).toBe(2)
      seen.push(...data.map(({ id }) => id))
      path = pagination ? `/keys?limit=100&cursor=${pagination.next_cursor}` : null
    }
    expect(seen.slice(0, 2)).toEqual([oldest, newest])
    expect([seen.length, new Set(seen).size]).toEqual([1_502, 1_502])
  },
)

test('of all keys that were used, a report has an end', async () => {
  const browser = await signInOwner(database.db, api.url)
  const accountId = await accountOf(browser)
  await addRevokedKeys(accountId, 1_500)
  await sql`
    insert into usage_ledger (quota_subject, day, key_id, endpoint, units, last_used_at)
    select 'key_' || ${accountId} || '1', (ratecard_now() at time zone 'utc')::date - d, 'key_' || ${accountId} || n,
      'prices', 1, ratecard_now()
    from generate_series(1, 1500) as n, generate_series(0, 29) as d`.execute(database.db)
  expect(await browser.get('/usage')).toMatchObject({
    status: 400,
    body: { error: 'invalid_request', message: expect.stringContaining('fewer days') as string },
  })
  expect((await browser.get('/usage.csv')).status).toBe(400)
  const one = await browser.get(`/usage?key_id=key_${accountId}7`)
  expect((one.body as { data: Schemas['Usage'] }).data.rows).toHaveLength(30)
  const beganMs = performance.now()
  expect((await browser.get('/overview')).status).toBe(200)
  expect(performance.now() - beganMs).toBeLessThan(1_000)
})

test('an account makes at most 100 keys a day', async () => {
  const browser = await signInOwner(database.db, api.url)
  const accountId = await accountOf(browser)
  await addRevokedKeys(accountId, 99)
  await sql`update api_keys set created_at = ratecard_now() where account_id = ${accountId}`.execute(
    database.db,
  )
  const made = await browser.post('/keys', { name: 'the hundredth' })
  expect(made.status).toBe(201)
  const { record } = dataOf<Schemas['NewKey']>(made)
  for (const refused of [
    await browser.post('/keys', { name: 'one more' }),
    await browser.post(`/keys/${record.id}/rotate`, {}),
  ]) {
    expect(refused).toMatchObject({ status: 429, body: { error: 'too_many_attempts' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(80_000)
  }
  expect((await browser.post(`/keys/${record.id}/revoke`)).status).toBe(200)
})

test('an account keeps at most 100 webhooks that are switched off; they are listed page by page', async () => {
  const browser = await signInOwner(database.db, api.url, { plan: 'developer' })
  const accountId = await accountOf(browser)
  const { key } = await createKey(database.db, accountId)
  const url = 'https://hooks.customer.example/ratecard'
  const { record } = dataOf<Schemas['NewWebhook']>(await browser.post('/webhooks', { url }))
  await sql`
    insert into webhooks (id, account_id, url, events, active, secret_ciphertext, secret_key_id)
    select 'wh_' || n, account_id, url, events, false, secret_ciphertext, secret_key_id
    from webhooks, generate_series(1, 100) as n where account_id = ${accountId}`.execute(database.db)

  const refused = await browser.post('/webhooks', { url })
  expect(refused).toMatchObject({
    status: 409,
    body: { error: 'webhook_limit_reached', message: expect.stringContaining('switched off') as string },
  })
  const create = () =>
    api.request('/v1/webhooks', { method: 'POST', key, body: { url, secret: 'a secret of 24 characters' } })
  expect(await create()).toMatchObject({
    status: 402,
    body: { error: 'webhook_limit_reached', message: expect.stringContaining('switched off') as string },
  })

  const first = (await browser.get('/webhooks?limit=60')).body as Schemas['WebhookList']
  expect([first.data.length, first.active, first.data[0]?.id]).toEqual([60, 1, record.id])
  const rest = (await browser.get(`/webhooks?limit=60&cursor=${first.pagination?.next_cursor}`))
    .body as Schemas['WebhookList']
  expect([rest.data.length, rest.pagination]).toEqual([41, undefined])

  expect((await browser.send('DELETE', '/webhooks/wh_1')).status).toBe(200)
  expect((await create()).status).toBe(201)
})
