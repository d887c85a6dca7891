import { beforeAll, describe, expect, test } from 'vitest'
import { useApi } from '../../../test/support/api.ts'
import { createCustomer, type Customer } from '../../../test/support/actors.ts'
import { commonCredentialTests } from '../../../test/support/common-credentials.ts'
import type { Answer } from '../../../test/support/contract-check.ts'
import { useDatabase } from '../../../test/support/postgres.ts'
import { spend, usageOf } from '../../../test/support/fixtures.ts'
import { endSubscription, putSubscription } from '../../features/entitlements/subscription-store.ts'
import { insertPack } from '../../features/metering/pack-store.ts'

const database = useDatabase()
const api = useApi(database)
const opened = useApi(database, { env: { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8,10.1.0.0/16' } })
const secret = 'canary-secret-2f6a1c0b9d'
const url = 'https://hooks.acme.example/ratecard?team=ml'

let owner: Customer
const answers: Answer[] = []
beforeAll(async () => {
  owner = await createCustomer(database.db, { plan: 'scale' })
})

async function create(body: unknown, { key } = owner): Promise<Answer> {
  const answer = await api.request('/v1/webhooks', { key, method: 'POST', body })
  answers.push(answer)
  return answer
}

commonCredentialTests(
  { api, database },
  { path: '/v1/webhooks', method: 'POST', body: { url: 'https://127.0.0.1', secret } },
)

describe('201', () => {
  test('answers the subscription as stored, active, without its secret', async () => {
    const { status, body } = await create({ url, secret, events: ['*'] })
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        data: {
          id: expect.stringMatching(/^wh_\w{20}$/) as string,
          url,
          events: ['*'],
          active: true,
          has_secret: true,
          last_status: null,
          last_error: null,
          created_at: expect.any(String) as string,
          updated_at: expect.any(String) as string,
        },
      },
    })
  })

  test('events default to change.alert', async () => {
    expect((await create({ url, secret })).body).toMatchObject({ data: { events: ['change.alert'] } })
    const both = ['*', 'change.alert']
    expect((await create({ url, secret, events: both })).body).toMatchObject({ data: { events: both } })
  })

  test('the same url may be registered twice', async () => {
    const customer = await createCustomer(database.db, { plan: 'developer' })
    const ids = []
    for (let count = 0; count < 2; count += 1) {
      const { status, body } = await create({ url, secret }, customer)
      expect(status).toBe(201)
      ids.push((body as { data: { id: string } }).data.id)
    }
    expect(new Set(ids).size).toBe(2)
  })

  test('secrets have 16 to 512 code points, and all of Unicode but control characters', async () => {
    for (const good of [
      'x'.repeat(16),
      'x'.repeat(512),
      '🔑'.repeat(16),
      '🔑'.repeat(512),
      ' '.repeat(16),
      'ключ-ключ-ключ-ключ',
      '__proto__constructor',
    ]) {
      expect((await create({ url, secret: good })).status, good.slice(0, 20)).toBe(201)
    }
  })

  test('scale, team and enterprise may have any number', async () => {
    for (const plan of ['scale', 'team', 'enterprise'] as const) {
      const customer = await createCustomer(database.db, { plan })
      for (let count = 0; count < 4; count += 1) {
        expect((await create({ url, secret }, customer)).status).toBe(201)
      }
    }
  })

  test('ranges that the operator has opened are taken, others not', async () => {
    const send = (address: string) =>
      opened.request('/v1/webhooks', { key: owner.key, method: 'POST', body: { url: address, secret } })
    for (const good of [
      'https://127.0.0.1:8443/x',
      'https://localhost/x',
      'https://10.1.2.3',
      'https://0x7f.1',
    ]) {
      expect((await send(good)).status, good).toBe(201)
    }
    for (const bad of ['https://10.2.0.1', 'https://[::1]/', 'https://192.168.0.1', 'https://box.local']) {
      expect((await send(bad)).status, bad).toBe(400)
    }
  })
})

describe('400', () => {
  test.each<[string, unknown]>([
    ['no url', { secret }],
    ['no secret', { url }],
    ['null for an object', null],
    ['an array', [{ url, secret }]],
    ['an empty object', {}],
    ['a url that is null', { url: null, secret }],
    ['a url that is a list', { url: [url], secret }],
    ['http', { url: 'http://hooks.acme.example', secret }],
    ['https in capitals', { url: 'HTTPS://hooks.acme.example', secret }],
    ['a url of 2,049 characters', { url: `${url}${'a'.repeat(2_049 - url.length)}`, secret }],
    ['user info', { url: 'https://user:pass@hooks.acme.example', secret }],
    ['a fragment', { url: `${url}#x`, secret }],
    ['a private address', { url: 'https://10.0.0.1/x', secret }],
    ['a secret of 15 characters', { url, secret: 'x'.repeat(15) }],
    ['a secret of 513 characters', { url, secret: 'x'.repeat(513) }],
    ['a secret of 8 emoji, which are 16 UTF-16 units', { url, secret: '🔑'.repeat(8) }],
    ['a secret of 513 emoji', { url, secret: '🔑'.repeat(513) }],
    ['a secret with a NUL', { url, secret: `${secret}\0` }],
    ['a secret with a line feed', { url, secret: `${secret}\n` }],
    ['a secret with DEL', { url, secret: `${secret}\x7f` }],
    ['a secret with a C1 control', { url, secret: `${secret}\x85` }],
    ['a secret with half a surrogate pair', { url, secret: `${secret}\ud83d` }],
    ['a secret with the wrong half first', { url, secret: `${secret}\udd11\ud83d` }],
    ['a secret that is a number', { url, secret: 1234567890123456 }],
    ['no events in the list', { url, secret, events: [] }],
    ['an unknown event', { url, secret, events: ['price.alert'] }],
    ['an event twice', { url, secret, events: ['*', '*'] }],
    ['events that are no list', { url, secret, events: '*' }],
    ['events null', { url, secret, events: null }],
    ['an id of their own choice', { url, secret, id: 'wh_mine' }],
    ['the flag active', { url, secret, active: false }],
    ["somebody else's account", { url, secret, account_id: 'acct_x' }],
    ['an unknown property', { url, secret, description: 'x' }],
  ])('for %s', async (_name, body) => {
    const { status, body: answer } = await create(body)
    expect(status).toBe(400)
    expect(answer).toMatchObject({ error: 'invalid_request', status: 400 })
  })

  test('a query is refused', async () => {
    const { status } = await api.request('/v1/webhooks?dry_run=true', {
      key: owner.key,
      method: 'POST',
      body: { url, secret },
    })
    expect(status).toBe(400)
  })
})

describe('402', () => {
  test('the third active subscription of the developer plan: says where to upgrade', async () => {
    const customer = await createCustomer(database.db, { plan: 'developer' })
    await create({ url, secret }, customer)
    await create({ url, secret }, customer)
    const { status, body, headers } = await create({ url, secret }, customer)
    expect({ status, body }).toEqual({
      status: 402,
      body: {
        error: 'webhook_limit_reached',
        message: expect.any(String) as string,
        status: 402,
        upgrade_url: expect.stringMatching(/\/dashboard\/billing$/) as string,
      },
    })
    // The work of looking was done: it keeps its unit.
    expect(headers.get('x-ratelimit-remaining')).toBe('9997')
    expect((await usageOf(api, customer)).endpoints.webhooks).toBe(3)
  })

  test('creations at the same moment never exceed the limit, and each is counted', async () => {
    const customer = await createCustomer(database.db, { plan: 'developer' })
    const statuses = await Promise.all(
      Array.from({ length: 8 }, async () => (await create({ url, secret }, customer)).status),
    )
    expect(statuses.toSorted()).toEqual([201, 201, 402, 402, 402, 402, 402, 402])
    expect((await usageOf(api, customer)).endpoints.webhooks).toBe(8)
  })

  test('a deleted and an inactive subscription do not count towards the limit', async () => {
    const customer = await createCustomer(database.db, { plan: 'developer' })
    const { body } = await create({ url, secret }, customer)
    const { id } = (body as { data: { id: string } }).data
    await create({ url, secret }, customer)
    await api.request(`/v1/webhooks/${id}`, { key: customer.key, method: 'DELETE' })
    expect((await create({ url, secret }, customer)).status).toBe(201)
    expect((await create({ url, secret }, customer)).status).toBe(402)
    await database.db
      .updateTable('webhooks')
      .set({ active: false })
      .where('account_id', '=', customer.accountId)
      .execute()
    expect((await create({ url, secret }, customer)).status).toBe(201)
  })

  test('after a downgrade none can be added while there are too many; with both plans the larger counts', async () => {
    const customer = await createCustomer(database.db, { plan: 'scale' })
    for (let count = 0; count < 3; count += 1) await create({ url, secret }, customer)
    await putSubscription(database.db, customer.accountId, 'developer', {})
    expect((await create({ url, secret }, customer)).status).toBe(201)
    await endSubscription(database.db, customer.accountId, 'scale')
    expect((await create({ url, secret }, customer)).status).toBe(402)
    const { body } = await api.request('/v1/webhooks', { key: customer.key })
    expect((body as { data: unknown[] }).data).toHaveLength(4)
  })
})

describe('403', () => {
  test('on the free plan, before the body is looked at', async () => {
    const customer = await createCustomer(database.db, { packUnits: 3 })
    expect((await create('{', customer)).status).toBe(403)
    expect((await create({ url, secret }, customer)).status).toBe(403)
    expect((await usageOf(api, customer)).topup.remaining).toBe(3)
  })
})

describe('413', () => {
  test('a body of more than 64 KiB; one of exactly 64 KiB is read', async () => {
    const bodyOf = (bytes: number) => {
      const text = JSON.stringify({ url, secret })
      return text + ' '.repeat(bytes - text.length)
    }
    const send = (body: string) =>
      api.request('/v1/webhooks', {
        key: owner.key,
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
      })
    expect((await send(bodyOf(65_536))).status).toBe(201)
    const { status, body } = await send(bodyOf(65_537))
    expect({ status, body }).toMatchObject({ status: 413, body: { error: 'payload_too_large', status: 413 } })
  })
})

describe('415', () => {
  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
    'application/json; charset=iso-8859-1',
    'application/jsonp',
    'application/vnd.api+json',
    'application/xml',
    'json',
    '*/*',
  ])('for %s', async (contentType) => {
    const { status, body } = await api.request('/v1/webhooks', {
      key: owner.key,
      method: 'POST',
      body: JSON.stringify({ url, secret }),
      headers: { 'content-type': contentType },
    })
    expect({ status, body }).toMatchObject({ status: 415, body: { error: 'unsupported_media_type' } })
  })

  test('while every spelling of JSON in UTF-8 is read', async () => {
    for (const contentType of [
      'application/json',
      'Application/JSON',
      'application/json; charset=utf-8',
      'application/json;charset=UTF-8',
      'application/json; charset="utf-8"',
      'application/json ; profile=x',
    ]) {
      const { status } = await api.request('/v1/webhooks', {
        key: owner.key,
        method: 'POST',
        body: JSON.stringify({ url, secret }),
        headers: { 'content-type': contentType },
      })
      expect(status, contentType).toBe(201)
    }
  })
})

describe('429', () => {
  test('creates nothing; after a purchase it does', async () => {
    const customer = await createCustomer(database.db, { plan: 'developer' })
    await spend(database.db, customer, 10_000)
    expect((await create({ url, secret }, customer)).status).toBe(429)
    await insertPack(database.db, customer.accountId, { units: 3 })
    const { status, headers } = await create({ url, secret }, customer)
    expect([status, headers.get('x-ratelimit-topup')]).toEqual([201, 'true'])
    expect(await database.db.selectFrom('webhooks').select('id').where('account_id', '=', customer.accountId).execute()).toHaveLength(1) // prettier-ignore
  })

  test('a 402 that a pack paid says so', async () => {
    const customer = await createCustomer(database.db, { plan: 'developer', packUnits: 1 })
    await create({ url, secret }, customer)
    await create({ url, secret }, customer)
    await database.db
      .updateTable('usage_days')
      .set({ plan_used: 10_000 })
      .where('quota_subject', '=', customer.keyId)
      .execute()
    const { status, headers } = await create({ url, secret }, customer)
    expect([status, headers.get('x-ratelimit-topup')]).toEqual([402, 'true'])
    expect((await usageOf(api, customer)).topup.remaining).toBe(0)
  })
})

describe('what does not reach the work costs nothing', () => {
  test('400, 413 and 415', async () => {
    const customer = await createCustomer(database.db, { plan: 'developer' })
    const statuses = [
      (await create({ url: 'https://10.0.0.1', secret }, customer)).status,
      (await create({ url, secret: `${secret}\ud83d` }, customer)).status,
      (await create({ url }, customer)).status,
    ]
    for (const [contentType, body] of [
      ['text/plain', 'x'],
      ['application/json', ' '.repeat(70_000)],
    ] as const) {
      const headers = { 'content-type': contentType }
      const { status } = await api.request('/v1/webhooks', {
        key: customer.key,
        method: 'POST',
        headers,
        body,
      })
      statuses.push(status)
    }
    expect(statuses).toEqual([400, 400, 400, 415, 413])
    expect((await usageOf(api, customer)).metered_total).toBe(0)
  })
})

describe('a secret', () => {
  test('is in no answer and no line of the log', () => {
    expect(answers.length).toBeGreaterThan(30)
    expect(answers.map((answer) => JSON.stringify(answer.body)).join('')).not.toContain(secret)
    expect(api.log.length).toBeGreaterThan(100)
    expect(api.log.join('')).not.toContain(secret)
  })

  test('is not stored as it is', async () => {
    const rows = await database.db.selectFrom('webhooks').select('secret_ciphertext').execute()
    expect(rows.length).toBeGreaterThan(20)
    for (const row of rows) expect(row.secret_ciphertext.includes(secret)).toBe(false)
  })
})
