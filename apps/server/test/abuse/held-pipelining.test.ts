import { beforeAll, describe, expect, test } from 'vitest'
import { useApi } from '../support/api.ts'
import { createCustomer, priceRecord, storePrices, type Customer } from '../support/actors.ts'
import { useDatabase } from '../support/postgres.ts'
import { exchange, head } from '../support/raw-http.ts'
import { changeFile, publish, usageOf } from '../support/fixtures.ts'

// Requests that do not wait for the answers before them: each is answered, in order, and paid for once.

const database = useDatabase()
const plain = useApi(database, { takesLongWay: true })
const fast = useApi(database)

beforeAll(async () => {
  const records = Array.from({ length: 50 }, (_, n) => priceRecord({ resource_id: `acme:${n}` }))
  await storePrices(database.db, records)
  await publish(database.db, changeFile())
})

const hook = JSON.stringify({ url: 'https://hooks.acme.example/x', secret: 'sixteen characters' })
const authorised = ({ key }: Customer) => `Authorization: Bearer ${key}`
const withBody = (line: string, body: string, ...headers: string[]) =>
  head(line, ...headers, `Content-Length: ${body.length}`) + body
const json = 'Content-Type: application/json'

type Kind = [status: number, units: number, bytes: (customer: Customer) => string]

const kinds: Kind[] = [
  [200, 1, (one) => head('GET /v1/prices?limit=1', authorised(one))],
  [200, 1, (one) => head('GET /v1/prices', authorised(one), 'Accept-Encoding: gzip')],
  [200, 1, (one) => head('GET /v1/changes', authorised(one))],
  [200, 1, (one) => head('GET /v1/webhooks', authorised(one))],
  [200, 0, (one) => head('GET /v1/usage', authorised(one))],
  [200, 0, () => head('GET /health')],
  [201, 1, (one) => withBody('POST /v1/webhooks', hook, authorised(one), json)],
  [400, 0, (one) => head('GET /v1/prices?limit=0', authorised(one))],
  [400, 0, (one) => withBody('POST /v1/webhooks', '{}', authorised(one), json)],
  [401, 0, () => head('GET /v1/prices')],
  [401, 0, () => withBody('POST /v1/webhooks', hook, json)],
  [404, 0, (one) => head('GET /v1/nothing', authorised(one))],
  [404, 1, (one) => head('DELETE /v1/webhooks/wh_none', authorised(one))],
  [405, 0, (one) => withBody('PUT /v1/webhooks', hook, authorised(one), json)],
  [413, 0, (one) => withBody('POST /v1/webhooks', ' '.repeat(65_537), authorised(one), json)],
  [415, 0, (one) => withBody('POST /v1/webhooks', hook, authorised(one), 'Content-Type: text/plain')],
]

describe.each([
  // Each takes ten times as long.
  ['step by step', plain, 100],
  ['recognised', fast, 1_000],
] as const)('%s', (_way, api, count) => {
  test.each([3, 5, 7])(
    'mixed requests in one piece have their statuses in order, and cost what they cost alone',
    async (step) => {
      const customer = await createCustomer(database.db, { plan: 'scale' })
      // Each kind twice, in another order each time: 16 and the step have no divisor in common.
      const sent = Array.from({ length: 32 }, (_, n) => kinds[(n * step) % kinds.length]!)
      const bytes = sent.map(([, , bytesOf]) => bytesOf(customer)).join('')
      const answers = await exchange(api.url, bytes + head('GET /health', 'Connection: close'))
      expect(answers.map(({ status }) => status)).toEqual([...sent.map(([status]) => status), 200])
      const { metered_total } = await usageOf(api, customer)
      expect(metered_total).toBe(sent.reduce((sum, [, units]) => sum + units, 0))
    },
  )

  test(`${count} equal requests in one piece take as many units, and each is told another remainder`, async () => {
    const customer = await createCustomer(database.db, { plan: 'developer' })
    const one = head('GET /v1/prices?limit=1', authorised(customer))
    const last = head('GET /v1/prices?limit=1', authorised(customer), 'Connection: close')
    const answers = await exchange(api.url, one.repeat(count - 1) + last)
    expect(answers.map(({ status }) => status)).toEqual(Array(count).fill(200))
    const remainders = answers.map(({ headers }) => Number(headers.get('x-ratelimit-remaining')))
    const expected = Array.from({ length: count }, (_, n) => 10_000 - count + n)
    expect(remainders.toSorted((a, b) => a - b)).toEqual(expected)
    expect(new Set(answers.map(({ headers }) => headers.get('x-request-id'))).size).toBe(count)
    expect((await usageOf(api, customer)).metered_total).toBe(count)
  })
})

test('a quota of 100 serves exactly 100 of 150 requests at once over two servers, whatever was refused before', async () => {
  const customer = await createCustomer(database.db)
  const free: [status: number, bytes: string][] = [
    [400, head('GET /v1/prices?limit=0', authorised(customer))],
    [400, head('GET /v1/prices?nothing=1', authorised(customer))],
    [401, head('GET /v1/prices', `${authorised(customer)}0`)],
    [403, head('GET /v1/changes', authorised(customer))],
    [403, withBody('POST /v1/webhooks', hook, authorised(customer), json)],
    [404, head('GET /v1/nothing', authorised(customer))],
    [405, head('POST /v1/prices', authorised(customer))],
    [200, head('GET /v1/usage', authorised(customer))],
    [200, head('GET /health', authorised(customer))],
  ]
  const last = head('GET /health', 'Connection: close')
  for (const { url } of [plain, fast, plain, fast]) {
    const answers = await exchange(url, free.map(([, bytes]) => bytes).join('') + last)
    expect(answers.map(({ status }) => status)).toEqual([...free.map(([status]) => status), 200])
  }
  const one = head('GET /v1/prices?limit=1', authorised(customer), 'Connection: close')
  const urls = Array.from({ length: 150 }, (_, n) => (n % 2 === 0 ? plain : fast).url)
  const answers = (await Promise.all(urls.map((url) => exchange(url, one)))).flat()
  const served = answers.filter(({ status }) => status === 200)
  const remainders = served.map(({ headers }) => Number(headers.get('x-ratelimit-remaining')))
  expect(remainders.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, n) => n))
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(50)
})
