import { describe, expect, test } from 'vitest'
import { useApi } from '../../../test/support/api.ts'
import { createCustomer, createKey } from '../../../test/support/actors.ts'
import { commonCredentialTests } from '../../../test/support/common-credentials.ts'
import { useDatabase } from '../../../test/support/postgres.ts'
import { spend, usageOf } from '../../../test/support/fixtures.ts'

const database = useDatabase()
const api = useApi(database)
const secret = 'a-secret-that-nobody-may-ever-see-again'

async function create(key: string, path: string): Promise<unknown> {
  const url = `https://hooks.acme.example/${path}`
  const { status, body } = await api.request('/v1/webhooks', { key, method: 'POST', body: { url, secret } })
  expect(status).toBe(201)
  return (body as { data: unknown }).data
}

commonCredentialTests({ api, database }, { path: '/v1/webhooks' })

describe('200', () => {
  test('an account without subscriptions has an empty list', async () => {
    const { key } = await createCustomer(database.db, { plan: 'team' })
    const { status, body } = await api.request('/v1/webhooks', { key })
    expect({ status, body }).toEqual({ status: 200, body: { data: [] } })
  })

  test('lists what was created, as it was answered then, oldest first, without secrets', async () => {
    const { key } = await createCustomer(database.db, { plan: 'team' })
    const created = [await create(key, 'a'), await create(key, 'b'), await create(key, 'c')]
    const { body } = await api.request('/v1/webhooks', { key })
    expect(body).toEqual({ data: created })
    expect(JSON.stringify(body)).not.toContain(secret)
  })

  test('every key of the account sees them, no other account does', async () => {
    const owner = await createCustomer(database.db, { plan: 'developer' })
    await create(owner.key, 'mine')
    const second = await createKey(database.db, owner.accountId)
    const stranger = await createCustomer(database.db, { plan: 'developer' })
    const counts = []
    for (const { key } of [owner, second, stranger]) {
      const { body } = await api.request('/v1/webhooks', { key })
      counts.push((body as { data: unknown[] }).data.length)
    }
    expect(counts).toEqual([1, 1, 0])
  })

  test('inactive subscriptions are listed too, with the outcome of the latest delivery', async () => {
    const { key, accountId } = await createCustomer(database.db, { plan: 'developer' })
    await create(key, 'gone')
    await database.db
      .updateTable('webhooks')
      .set({ active: false, last_status: 410, last_error: 'http_410: the endpoint says that it is gone.' })
      .where('account_id', '=', accountId)
      .execute()
    const { body } = await api.request('/v1/webhooks', { key })
    expect(body).toMatchObject({
      data: [{ active: false, last_status: 410, last_error: expect.stringMatching(/^http_410/) as string }],
    })
  })

  test('is metered as webhooks', async () => {
    const { key } = await createCustomer(database.db, { plan: 'scale' })
    const { headers } = await api.request('/v1/webhooks', { key })
    expect(headers.get('x-ratelimit-remaining')).toBe('99999')
    expect((await usageOf(api, { key })).endpoints).toEqual({ prices: 0, changes: 0, webhooks: 1 })
  })
})

describe('400', () => {
  test.each(['limit=1', 'cursor=x', 'active=true', 'x'])('takes no parameters: ?%s', async (query) => {
    const { key } = await createCustomer(database.db, { plan: 'developer' })
    expect((await api.request(`/v1/webhooks?${query}`, { key })).status).toBe(400)
    expect((await usageOf(api, { key })).metered_total).toBe(0)
  })
})

describe('403', () => {
  test('on the free plan, with a pack too', async () => {
    for (const packUnits of [undefined, 5]) {
      const { key } = await createCustomer(database.db, packUnits === undefined ? {} : { packUnits })
      const { status, body } = await api.request('/v1/webhooks', { key })
      expect(status).toBe(403)
      expect(body).toHaveProperty('upgrade_url')
    }
  })
})

describe('429', () => {
  test('when nothing is left', async () => {
    const customer = await createCustomer(database.db, { plan: 'developer' })
    await spend(database.db, customer, 10_000)
    const { status, body } = await api.request('/v1/webhooks', { key: customer.key })
    expect(status).toBe(429)
    expect(body).toHaveProperty('topup_url')
  })
})
