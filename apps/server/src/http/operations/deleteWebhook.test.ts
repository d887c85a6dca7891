import { beforeAll, describe, expect, test } from 'vitest'
import { useApi } from '../../../test/support/api.ts'
import { createCustomer, createKey, type Customer } from '../../../test/support/actors.ts'
import { commonCredentialTests } from '../../../test/support/common-credentials.ts'
import type { Answer } from '../../../test/support/contract-check.ts'
import { useDatabase } from '../../../test/support/postgres.ts'
import { spend, usageOf } from '../../../test/support/fixtures.ts'

const database = useDatabase()
const api = useApi(database)

let owner: Customer
let stranger: Customer
beforeAll(async () => {
  owner = await createCustomer(database.db, { plan: 'scale' })
  stranger = await createCustomer(database.db, { plan: 'scale' })
})

async function create(): Promise<string> {
  const { body } = await api.request('/v1/webhooks', {
    key: owner.key,
    method: 'POST',
    body: { url: 'https://hooks.acme.example', secret: 'sixteen characters' },
  })
  return (body as { data: { id: string } }).data.id
}

function remove(id: string, { key }: { key: string } = owner): Promise<Answer> {
  return api.request(`/v1/webhooks/${id}`, { key, method: 'DELETE' })
}

async function listed(): Promise<string[]> {
  const { body } = await api.request('/v1/webhooks', { key: owner.key })
  return (body as { data: { id: string }[] }).data.map((webhook) => webhook.id)
}

commonCredentialTests({ api, database }, { path: '/v1/webhooks/wh_any', method: 'DELETE' })

describe('200', () => {
  test('the subscription is gone, and it alone', async () => {
    const [kept, removed] = [await create(), await create()]
    const { status, body } = await remove(removed)
    expect({ status, body }).toEqual({ status: 200, body: { success: true } })
    expect(await listed()).toEqual([kept])
  })

  test('any key of the account may remove it', async () => {
    const id = await create()
    const second = await createKey(database.db, owner.accountId)
    expect((await remove(id, second)).status).toBe(200)
  })

  test('of two removals at the same moment one succeeds', async () => {
    const id = await create()
    const answers = await Promise.all([remove(id), remove(id), remove(id)])
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 404, 404])
  })
})

describe('400', () => {
  test.each(['%00', '%0a', '%7f', '%zz', '%', '%ff', '%ED%A0%80', 'a'.repeat(257), 'wh_a?force=true'])(
    'for the id %s, and costs nothing',
    async (id) => {
      const { key } = await createCustomer(database.db, { plan: 'developer' })
      expect((await remove(id, { key })).status).toBe(400)
      expect((await usageOf(api, { key })).metered_total).toBe(0)
    },
  )
})

describe('403', () => {
  test('on the free plan, for an id that exists and one that does not', async () => {
    const id = await create()
    const free = await createCustomer(database.db, { packUnits: 1 })
    expect((await remove(id, free)).status).toBe(403)
    expect((await remove('wh_none', free)).status).toBe(403)
    expect(await listed()).toContain(id)
  })
})

describe('404', () => {
  test("another account's subscription is answered like one that never was, and stays", async () => {
    const id = await create()
    const [theirs, unknown] = [await remove(id, stranger), await remove(`${id.slice(0, -1)}-`, stranger)]
    const { status, body } = theirs
    expect({ status, body }).toEqual({
      status: 404,
      body: {
        error: 'not_found',
        message: 'You have no webhook with this id. GET /v1/webhooks lists those you have.',
        status: 404,
      },
    })
    expect(unknown.body).toEqual(body)
    expect(lasting(unknown)).toEqual(lasting(theirs))
    expect(await listed()).toContain(id)
  })

  test('a subscription that is deleted is gone for good', async () => {
    const id = await create()
    await remove(id)
    expect((await remove(id)).status).toBe(404)
  })

  test.each(['a%2Fb', 'x;y', '%F0%9F%94%91', "'", '..%2f..', 'wh_%25', '*'])(
    'for the odd id %s',
    async (id) => {
      expect((await remove(id)).status).toBe(404)
    },
  )

  test('keeps its unit: the work was done', async () => {
    const customer = await createCustomer(database.db, { plan: 'developer' })
    const { headers } = await remove('wh_none', customer)
    expect(headers.get('x-ratelimit-remaining')).toBe('9999')
    expect((await usageOf(api, customer)).endpoints.webhooks).toBe(1)
  })
})

describe('429', () => {
  test('removes nothing', async () => {
    const id = await create()
    const { id: keyId, key } = await createKey(database.db, owner.accountId)
    await spend(database.db, { ...owner, keyId }, 100_000)
    expect((await remove(id, { key })).status).toBe(429)
    expect(await listed()).toContain(id)
  })
})

/** The headers that do not differ from one request to the next by their nature. */
function lasting({ headers }: Answer): [string, string][] {
  return [...headers].filter(([name]) => !['date', 'x-request-id', 'x-ratelimit-remaining'].includes(name))
}
