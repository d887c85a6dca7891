import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { samplePrices, sampleChanges } from '../../src/testing/sample-data.ts'
import { agree, usePair, withoutIds, type CustomerPair, type Question } from './pair.ts'
import { credentialQuestions, routingQuestions } from './entrance-requests.ts'
import { anyQuestion } from './generated.ts'
import { changeQuestions, listQuestions } from './list-requests.ts'
import { play, scenarios } from './sdk-scenarios.ts'
import { webhookQuestions } from './webhook-requests.ts'

const pair = usePair()
let paid: CustomerPair
let free: CustomerPair
beforeAll(async () => {
  await pair.putPrices(...samplePrices)
  await pair.putChanges(...sampleChanges)
  paid = await pair.createCustomers('enterprise')
  free = await pair.createCustomers('free')
})

function titled(questions: Question[]): [string, Question][] {
  return questions.map((question) => {
    const { method = 'GET', path, body, headers, authorization } = question
    const rest = [body, headers, authorization].flatMap((part) =>
      part === undefined ? [] : JSON.stringify(part),
    )
    return [`${method} ${path} ${rest.join(' ')}`.slice(0, 140), question]
  })
}

const groups: [string, Question[]][] = [
  ['paths and methods', routingQuestions],
  ['credentials', credentialQuestions],
  ['queries of both lists', listQuestions],
  ['queries of changes', changeQuestions],
  ['webhooks', webhookQuestions],
]

describe.each(groups)('the fake answers as the real server does: %s', (_group, questions) => {
  test.each(titled(questions))('%s', async (_title, question) => {
    await agree(pair, paid, question)
  })
})

// To look longer: AGREEMENT_RUNS=5000, and for other requests FC_SEED=2.
test('the fake answers as the real server does: requests nobody thought of', async () => {
  const property = fc.asyncProperty(anyQuestion, async (question) => void (await agree(pair, paid, question)))
  await fc.assert(property, { numRuns: Number(process.env.AGREEMENT_RUNS ?? 200) })
}, 600_000)

test('nothing that was refused has cost a unit', async () => {
  await agree(pair, paid, { path: '/v1/usage' })
})

describe('the free plan', () => {
  test.each(['/v1/changes?vendr=1', '/v1/webhooks', '/v1/prices?limit=2', '/v1/usage'])(
    '%s',
    async (path) => {
      await agree(pair, free, { path })
    },
  )

  test('403 comes before what is wrong with the body, and costs nothing', async () => {
    const { status } = await agree(pair, free, {
      path: '/v1/webhooks',
      method: 'POST',
      body: '{',
      headers: {},
    })
    expect(status).toBe(403)
    await agree(pair, free, { path: '/v1/usage' })
  })
})

describe('pages', () => {
  test.each(['/v1/prices?', '/v1/prices?vendor=openai&', '/v1/changes?include_incidents=true&'])(
    'every walk over %s has the same rows and cursors',
    async (path) => {
      for (const limit of [1, 2, 5]) {
        let cursor = ''
        do {
          const { body } = await agree(pair, paid, { path: `${path}limit=${limit}${cursor}` })
          const { pagination } = body as { pagination?: { next_cursor: string } }
          cursor = pagination ? `&cursor=${pagination.next_cursor}` : ''
        } while (cursor !== '')
      }
    },
  )
})

describe('updated_at', () => {
  test('moves only where a value moves, and a microsecond at a time', async () => {
    await pair.setClock('2026-11-21T10:00:00.000000Z')
    const since = '/v1/prices?since=2026-11-21T10:00:00Z'
    const [first, second, third] = samplePrices
    if (!first || !second || !third) throw new Error('There are no sample prices.')
    await pair.putPrices(first, second)
    expect((await agree(pair, paid, { path: since })).body).toMatchObject({ data: [] })

    await pair.putPrices({ ...third, output_per_mtok: 0.5 }, first, { ...second, source_url: null })
    const { body } = await agree(pair, paid, { path: since })
    expect(body).toMatchObject({
      data: [
        { resource_id: second.resource_id, updated_at: '2026-11-21T10:00:00.000001Z' },
        { resource_id: third.resource_id, updated_at: '2026-11-21T10:00:00.000000Z' },
      ],
    })
    await pair.putPrices({ resource_id: 'acme:🔑', vendor: 'acme', input_per_mtok: 0.000000001 })
    await agree(pair, paid, { path: since })
    await agree(pair, paid, { path: '/v1/prices' })
  })
})

describe('quota and packs', () => {
  const prices = { path: '/v1/prices?limit=1' }
  const usage = { path: '/v1/usage' }

  test('count down to 429, and go on after a purchase', async () => {
    const customers = await pair.createCustomers('free')
    await customers.each((customer) => customer.setUsed(97))
    const seen = []
    for (const question of [prices, prices, usage, prices, prices, usage, { path: '/v1/prices?limit=0' }]) {
      seen.push((await agree(pair, customers, question)).status)
    }
    expect(seen).toEqual([200, 200, 200, 200, 429, 200, 400])

    await customers.each((customer) => customer.grantPack(2))
    await agree(pair, customers, usage)
    const paidByPack = []
    for (const question of [prices, { path: '/v1/changes' }, prices, prices, usage]) {
      const { status, headers } = await agree(pair, customers, question)
      paidByPack.push([status, headers['x-ratelimit-topup']])
    }
    expect(paidByPack).toEqual([
      [200, 'true'],
      [403, undefined],
      [200, 'true'],
      [429, undefined],
      [200, undefined],
    ])
  })

  test('packs are used oldest first, serve all keys, and lapse', async () => {
    const customers = await pair.createCustomers('developer')
    await customers.each((customer) => customer.setUsed(10_000))
    await customers.each((customer) => customer.grantPack(2, '2026-11-21T10:30:00Z'))
    await pair.setClock('2026-11-21T10:10:00.000000Z')
    await customers.each((customer) => customer.grantPack(3))
    const second = {
      real: { ...customers.real, key: await customers.real.createKey() },
      fake: { ...customers.fake, key: await customers.fake.createKey() },
      each: customers.each,
    }
    await agree(pair, customers, usage)
    await agree(pair, customers, prices)
    await agree(pair, second, prices)
    await agree(pair, second, usage)
    await pair.setClock('2026-11-21T10:30:00.000000Z')
    await agree(pair, customers, usage)
    for (let count = 0; count < 4; count += 1) await agree(pair, customers, prices)
    await agree(pair, customers, usage)
  })

  test('a plan that ends takes endpoints and limit with it, and a better one gives them back', async () => {
    const customers = await pair.createCustomers('scale')
    await customers.each((customer) => customer.setUsed(500))
    await agree(pair, customers, { path: '/v1/changes' })
    await customers.each((customer) => customer.setPlan('free'))
    for (const path of ['/v1/changes', '/v1/prices', '/v1/usage']) await agree(pair, customers, { path })
    await customers.each((customer) => customer.setPlan('enterprise'))
    for (const path of ['/v1/changes', '/v1/prices', '/v1/usage']) await agree(pair, customers, { path })
  })

  test('a revoked key is refused from the next request on', async () => {
    const customers = await pair.createCustomers('free')
    expect((await agree(pair, customers, prices)).status).toBe(200)
    await customers.each((customer) => customer.revokeKey())
    expect((await agree(pair, customers, prices)).status).toBe(401)
    expect((await agree(pair, customers, usage)).status).toBe(401)
  })
})

describe('webhooks of an account', () => {
  const post = (path: string, method = 'POST') => ({ path, method, body })
  const body = { url: 'https://hooks.acme.example/x', secret: 'a-long-random-string-of-your-own' }

  test('are limited by the plan; a refusal and an unknown id cost a unit each', async () => {
    const customers = await pair.createCustomers('developer')
    const stranger = await pair.createCustomers('developer')
    const statuses = []
    for (const [who, question] of [
      [customers, post('/v1/webhooks')],
      [customers, post('/v1/webhooks')],
      [customers, post('/v1/webhooks')],
      [customers, { path: '/v1/webhooks' }],
      [stranger, { path: '/v1/webhooks' }],
      [customers, { path: '/v1/webhooks/{webhook}', method: 'DELETE' }],
      [customers, { path: '/v1/webhooks/{webhook}', method: 'DELETE' }],
      [customers, post('/v1/webhooks')],
      [customers, { path: '/v1/usage' }],
    ] as const) {
      statuses.push((await agree(pair, who, question)).status)
    }
    expect(statuses).toEqual([201, 201, 402, 200, 200, 200, 404, 201, 200])

    await customers.each((customer) => customer.setPlan('team'))
    for (let count = 0; count < 3; count += 1) await agree(pair, customers, post('/v1/webhooks'))
    await customers.each((customer) => customer.setPlan('developer'))
    expect((await agree(pair, customers, post('/v1/webhooks'))).status).toBe(402)
    await agree(pair, customers, { path: '/v1/webhooks' })
  })

  test('a refused address and an exhausted key leave nothing behind', async () => {
    const customers = await pair.createCustomers('developer')
    await agree(pair, customers, { ...post('/v1/webhooks'), body: { ...body, url: 'https://localhost' } })
    await customers.each((customer) => customer.setUsed(10_000))
    expect((await agree(pair, customers, post('/v1/webhooks'))).status).toBe(429)
    expect((await agree(pair, customers, { path: '/v1/webhooks/x', method: 'DELETE' })).status).toBe(429)
    await customers.each((customer) => customer.grantPack(1))
    expect((await agree(pair, customers, { path: '/v1/webhooks' })).body).toEqual({ data: [] })
  })
})

describe('a program sees the same', () => {
  test.each(Object.entries(scenarios))('%s', async (_title, scenario) => {
    const real = withoutIds(await play(scenario, pair.real))
    expect(withoutIds(await play(scenario, pair.fake))).toEqual(real)
    expect(JSON.stringify(real)).not.toContain('unexpected')
  })
})

// Last, because the clock runs forwards only.
test('at UTC midnight the daily quota starts again, and packs stay', async () => {
  const customers = await pair.createCustomers('free')
  await customers.each((customer) => customer.setUsed(100))
  await customers.each((customer) => customer.grantPack(2))
  await agree(pair, customers, { path: '/v1/prices' })
  await pair.setClock('2026-11-21T23:59:59.400000Z')
  await agree(pair, customers, { path: '/v1/prices' })
  const { status, headers } = await agree(pair, customers, { path: '/v1/prices' })
  expect([status, headers['retry-after']]).toEqual([429, '1'])
  await pair.setClock('2026-11-22T00:00:00.000000Z')
  const next = await agree(pair, customers, { path: '/v1/prices' })
  expect([next.status, next.headers['x-ratelimit-remaining']]).toEqual([200, '99'])
  await agree(pair, customers, { path: '/v1/usage' })
})
