import { once } from 'node:events'
import { connect } from 'node:net'
import { hostname } from 'node:os'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { revokeApiKey } from '../src/features/accounts/api-key-store.ts'
import { endSubscription } from '../src/features/entitlements/subscription-store.ts'
import { insertPack } from '../src/features/metering/pack-store.ts'
import { useApi, type TestApi } from './support/api.ts'
import { createCustomer, priceRecord, storePrices, type Customer } from './support/actors.ts'
import { useDatabase } from './support/postgres.ts'
import { exchange, head, send, type RawAnswer } from './support/raw-http.ts'
import { changeFile, publish, spend } from './support/fixtures.ts'

// One server that recognises requests and one where they take every step: a client sees no difference but
// the time they take.

const database = useDatabase()
const env = { PUBLIC_URL: 'https://ratecard.example' }
const plain = useApi(database, { env, takesLongWay: true })
const fast = useApi(database, { env })
const cors = { ...env, CORS_ORIGINS: 'https://app.example' }
const plainWithCors = useApi(database, { env: cors, takesLongWay: true })
const fastWithCors = useApi(database, { env: cors })

beforeAll(async () => {
  const records = Array.from({ length: 120 }, (_, n) =>
    priceRecord({ resource_id: `acme:${n}`, vendor: n === 0 ? 'lone' : 'acme' }),
  )
  await storePrices(database.db, records)
  await publish(database.db, ...Array.from({ length: 30 }, (_, n) => changeFile({ severity: (n % 5) + 1 })))
})

/** An answer but for what is each answer's own. */
function shapeOf({ status, headers, text }: RawAnswer) {
  const { 'x-request-id': id, date, ...rest } = Object.fromEntries(headers)
  return { status, text, rest, hasId: /^req_\w{20}$/.test(id ?? ''), hasDate: date !== undefined }
}

async function recognised({ metrics }: TestApi): Promise<number> {
  return (await metrics.requestsRecognised.get()).values[0]?.value ?? 0
}

const authorised = ({ key }: Customer) => `Authorization: Bearer ${key}`

/** What both servers answer to a request that is sent three times, each server to a customer of its own. */
async function compare(
  [one, other]: [TestApi, TestApi],
  line: string,
  headers: (customer: Customer) => string[],
): Promise<number> {
  const before = await recognised(other)
  const [first, second] = [
    await createCustomer(database.db, { plan: 'developer' }),
    await createCustomer(database.db, { plan: 'developer' }),
  ]
  for (let round = 0; round < 3; round += 1) {
    const expected = await send(one.url, line, ...headers(first))
    const actual = await send(other.url, line, ...headers(second))
    expect(shapeOf(actual)).toEqual(shapeOf(expected))
  }
  return (await recognised(other)) - before
}

const bare = (customer: Customer) => [authorised(customer)]
const asking =
  (...more: string[]) =>
  (customer: Customer) => [authorised(customer), ...more]

describe('A request that comes again is answered to the byte as the long way, and recognised:', () => {
  test.each([
    '/v1/prices',
    '/v1/prices?limit=1',
    '/v1/prices?vendor=lone',
    '/v1/prices?vendor=none',
    '/v1/prices?vendor=%61cme&limit=5',
    '/v1/prices?&limit=7&',
    '/v1/prices?since=2020-01-01T00:00:00Z&limit=500',
    '/v1/prices?since=2020-01-01T00%3A00%3A00%2B02%3A00',
    '/v1/changes',
    '/v1/changes?min_severity=3&include_incidents=true&limit=2',
    'http://ratecard.example/v1/prices?limit=3',
  ])('GET %s', async (target) => {
    expect(await compare([plain, fast], `GET ${target}`, bare)).toBeGreaterThanOrEqual(2)
  })

  test.each([
    ...[
      'gzip',
      'br',
      'gzip, deflate',
      'gzip, deflate, br',
      'br, gzip',
      'gzip,deflate,br,zstd',
      'identity',
      'zstd',
    ],
    ...['gzip, identity', 'compress', 'deflate'],
  ])('Accept-Encoding: %s', async (coding) => {
    const headers = asking(`Accept-Encoding: ${coding}`)
    expect(await compare([plain, fast], 'GET /v1/prices?limit=20', headers)).toBeGreaterThanOrEqual(2)
    expect(await compare([plain, fast], 'GET /v1/prices?vendor=lone', headers)).toBeGreaterThanOrEqual(2)
  })

  test('with CORS, from no browser', async () => {
    expect(await compare([plainWithCors, fastWithCors], 'GET /v1/prices', bare)).toBeGreaterThanOrEqual(2)
  })

  test('when Origin means nothing', async () => {
    const headers = asking('Origin: https://app.example')
    expect(await compare([plain, fast], 'GET /v1/prices', headers)).toBeGreaterThanOrEqual(2)
  })

  test('with headers in other cases, and two on one connection', async () => {
    const customer = await createCustomer(database.db, { plan: 'developer' })
    const lines = (key: string) => [`AUTHORIZATION: Bearer ${key}`, 'aCCept-encoding: gzip']
    expect(
      await compare([plain, fast], 'GET /v1/prices?limit=20', ({ key }) => lines(key)),
    ).toBeGreaterThanOrEqual(2)
    const before = await recognised(fast)
    const both = [
      head('GET /v1/prices?limit=20', authorised(customer)),
      head('GET /v1/prices?limit=20', authorised(customer), 'Connection: close'),
    ]
    const answers = await exchange(fast.url, both.join(''))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers.map(({ headers }) => headers.get('connection'))).toEqual(['keep-alive', 'close'])
    expect((await recognised(fast)) - before).toBeGreaterThanOrEqual(2)
  })
})

describe('A request that is unusual takes the long way:', () => {
  test.each<[string, string, (customer: Customer) => string[]]>([
    ['qualities', '/v1/prices', asking('Accept-Encoding: br;q=0.1, gzip;q=0.9')],
    ['any coding', '/v1/prices', asking('Accept-Encoding: *')],
    ['no coding at all', '/v1/prices', asking('Accept-Encoding: identity;q=0')],
    ['two codings headers', '/v1/prices', asking('Accept-Encoding: gzip', 'Accept-Encoding: br')],
    ['a scheme in lower case', '/v1/prices', ({ key }) => [`Authorization: bearer ${key}`]],
    ['two spaces', '/v1/prices', ({ key }) => [`Authorization: Bearer  ${key}`]],
    ['two keys', '/v1/prices', (customer) => [authorised(customer), authorised(customer)]],
    ['no key', '/v1/prices', () => []],
    ['half a key', '/v1/prices', ({ key }) => [`Authorization: Bearer ${key.slice(0, -1)}`]],
    ['an empty body', '/v1/prices', asking('Content-Length: 0')],
    ['an expectation', '/v1/prices', asking('Expect: something')],
    ['an unknown parameter', '/v1/prices?nothing=1', bare],
    ['a bad limit', '/v1/prices?limit=0', bare],
    ['no such path', '/v1/price', bare],
    ['no list', '/v1/webhooks', bare],
    ['a public one', '/health?x=1', bare],
  ])('%s', async (_what, target, headers) => {
    await compare([plain, fast], `GET ${target}`, bare)
    expect(await compare([plain, fast], `GET ${target}`, headers)).toBe(0)
  })

  test.each(['HEAD', 'POST', 'OPTIONS'])('%s', async (method) => {
    await compare([plain, fast], 'GET /v1/prices', bare)
    expect(await compare([plain, fast], `${method} /v1/prices`, bare)).toBe(0)
  })

  test.each(['https://app.example', 'https://other.example'])('a browser of %s', async (origin) => {
    const headers = asking(`Origin: ${origin}`)
    expect(await compare([plainWithCors, fastWithCors], 'GET /v1/prices', headers)).toBe(0)
  })

  test.each([['Host: a', 'Host: b'], []])('Host headers: %j', async (...hosts) => {
    const answers = []
    for (const { url } of [plain, fast, fast]) {
      const customer = await createCustomer(database.db)
      const lines = ['GET /v1/prices HTTP/1.1', ...hosts, authorised(customer), 'Connection: close']
      answers.push(...(await exchange(url, `${lines.join('\r\n')}\r\n\r\n`)))
    }
    const [expected, ...others] = answers.map(shapeOf)
    expect(others).toEqual([expected, expected])
  })

  test('HTTP/1.0', async () => {
    const answers = []
    for (const { url } of [plain, fast, fast]) {
      const customer = await createCustomer(database.db)
      const lines = ['GET /v1/prices HTTP/1.0', 'Host: x', authorised(customer)]
      answers.push(...(await exchange(url, `${lines.join('\r\n')}\r\n\r\n`)))
    }
    const [expected, ...others] = answers.map(shapeOf)
    expect(others).toEqual([expected, expected])
  })
})

describe('What has changed since is answered as the long way:', () => {
  const answerAfter = async (line: string, change: (customer: Customer) => Promise<unknown>) => {
    const answers = []
    for (const { url } of [plain, fast]) {
      const customer = await createCustomer(database.db, { plan: 'developer' })
      for (let round = 0; round < 2; round += 1) await send(url, line, authorised(customer))
      await change(customer)
      for (let round = 0; round < 2; round += 1) answers.push(await send(url, line, authorised(customer)))
    }
    const [first, second, ...others] = answers.map((answer) => {
      // The seconds to midnight may pass from one to the next.
      answer.headers.set('retry-after', answer.headers.has('retry-after') ? 'some' : 'none')
      return shapeOf(answer)
    })
    expect(others).toEqual([first, second])
    return answers[0]
  }

  test('a revoked key', async () => {
    const answer = await answerAfter('GET /v1/prices', ({ keyId }) => revokeApiKey(database.db, keyId))
    expect(answer?.status).toBe(401)
  })

  test('a plan that has ended', async () => {
    const end = ({ accountId }: Customer) => endSubscription(database.db, accountId, 'developer')
    expect((await answerAfter('GET /v1/changes', end))?.status).toBe(403)
    const answer = await answerAfter('GET /v1/prices', end)
    expect(answer?.headers.get('x-ratelimit-limit')).toBe('100')
  })

  test('a quota that is used up', async () => {
    const use = async ({ keyId }: Customer) => {
      await database.db.deleteFrom('usage_ledger').where('key_id', '=', keyId).execute()
      await database.db.deleteFrom('usage_days').where('quota_subject', '=', keyId).execute()
      await spend(database.db, { keyId } as Customer, 10_000)
    }
    expect((await answerAfter('GET /v1/prices', use))?.status).toBe(429)
    const answer = await answerAfter('GET /v1/prices', async (customer) => {
      await use(customer)
      await insertPack(database.db, customer.accountId, { units: 5 })
    })
    expect(answer?.headers.get('x-ratelimit-topup')).toBe('true')
  })

  test('an import', async () => {
    const line = 'GET /v1/prices?vendor=lone'
    const readers = await Promise.all([plain, fast].map(() => createCustomer(database.db)))
    const ask = () =>
      Promise.all(
        [plain, fast].map(({ url }, n) => send(url, line, `Authorization: Bearer ${readers[n]?.key}`)),
      )
    for (let n = 0; n < 3; n += 1) {
      await storePrices(database.db, [
        priceRecord({ resource_id: 'acme:0', vendor: 'lone', region: `eu-${n}` }),
      ])
      for (let round = 0; round < 2; round += 1) {
        const [expected, actual] = await ask()
        expect(expected?.text).toContain(`"region":"eu-${n}"`)
        expect(actual && shapeOf(actual)).toEqual(expected && shapeOf(expected))
      }
    }
  })
})

test('The log has a line of the same fields for each request, recognised or not', async () => {
  const customer = await createCustomer(database.db, { plan: 'developer' })
  const before = await recognised(fast)
  fast.log.length = 0
  for (let round = 0; round < 3; round += 1) await send(fast.url, 'GET /v1/prices', authorised(customer))
  await expect.poll(() => fast.log.length).toBe(3)
  expect((await recognised(fast)) - before).toBeGreaterThanOrEqual(2)
  for (const line of fast.log) {
    const parts = JSON.parse(line) as Record<'duration_ms' | 'queue_ms' | 'meter_ms' | 'query_ms', number>
    expect(parts.meter_ms).toBeGreaterThan(0)
    // Each is rounded.
    expect(parts.queue_ms + parts.meter_ms + parts.query_ms).toBeLessThanOrEqual(parts.duration_ms + 0.2)
    expect(parts).toEqual({
      level: 30,
      hostname: hostname(),
      time: expect.any(String) as string,
      request_id: expect.stringMatching(/^req_/) as string,
      method: 'GET',
      operation: 'listPrices',
      status: 200,
      duration_ms: expect.any(Number) as number,
      queue_ms: expect.any(Number) as number,
      meter_ms: expect.any(Number) as number,
      query_ms: expect.any(Number) as number,
      key_id: customer.keyId,
      account_id: customer.accountId,
      msg: 'request',
    })
  }
})

test('A row that is not as the contract says costs nobody a page, and a list that is mended is kept as any other', async () => {
  const setDate = (name: string, value: string) =>
    sql`update prices set effective_at = ${value} where resource_id = ${name}`.execute(database.db)
  // Such a row is from before there was a constraint.
  await sql`alter table prices drop constraint prices_shown`.execute(database.db)
  for (const { url } of [plain, fast]) {
    const customer = await createCustomer(database.db)
    const ask = () => send(url, 'GET /v1/prices?limit=500', authorised(customer))
    await setDate('acme:1', 'some day')
    expect((await ask()).status).toBe(200)
    expect((await ask()).status).toBe(200)
    await setDate('acme:1', '2026-01-31')
    const answer = await ask()
    expect([answer.status, answer.headers.get('x-ratelimit-remaining')]).toEqual([200, '97'])
  }
})

test('Clients that do not wait for their answers leave nothing behind', async () => {
  const customer = await createCustomer(database.db, { plan: 'developer' })
  const request = head('GET /v1/prices', authorised(customer))
  await send(fast.url, 'GET /v1/prices', authorised(customer))
  const { hostname: host, port } = new URL(fast.url)
  const before = await recognised(fast)
  fast.log.length = 0
  for (let n = 0; n < 100; n += 1) {
    const socket = connect(Number(port), host)
    await once(socket, 'connect')
    // Some are gone before the verdict, some before the answer.
    socket.write(request, () =>
      n % 2 === 0 ? socket.resetAndDestroy() : setImmediate(() => socket.destroy()),
    )
    await once(socket, 'close')
  }
  await expect.poll(async () => (await fast.metrics.requestsInFlight.get()).values[0]?.value).toBe(0)
  expect((await send(fast.url, 'GET /v1/prices', authorised(customer))).status).toBe(200)
  expect(await recognised(fast)).toBeGreaterThan(before)
  const levels = fast.log.map((line) => (JSON.parse(line) as { level: number }).level)
  expect(levels.filter((level) => level > 40)).toEqual([])
})
