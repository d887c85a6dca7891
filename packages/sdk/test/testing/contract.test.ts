import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { errorKinds } from '@ratecard/contract/errors'
import { createFakeRatecard, type FakeAccount, type FakeRatecard } from '../../src/testing.ts'
import { complaints, errorCodes, operations, schemaComplaints, type ContractOperation } from './contract.ts'

// Any traffic, any state: every answer is one that openapi.yaml allows.

const text = fc.oneof(fc.string({ maxLength: 12 }), fc.string({ unit: 'binary', maxLength: 6 }))
const wildText = fc.oneof(text, fc.constantFrom('%zz', '%00', '%ff', '&', '=', 'a'.repeat(300)))

const names = [
  'vendor',
  'product',
  'platform',
  'modality',
  'category',
  'include_incidents',
  'min_severity',
  'since',
  'limit',
]
const goodValues = [
  'openai',
  'llm',
  'openai/gpt-4o-mini',
  'incident',
  'true',
  '3',
  '2',
  '2026-11-20T09:30:00Z',
]
const query = fc
  .array(
    fc.tuple(
      fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...names) }, { weight: 1, arbitrary: text }),
      fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...goodValues) }, { weight: 1, arbitrary: wildText }),
    ),
    { maxLength: 3 },
  )
  .map((pairs) => pairs.map(([name, value]) => `${safe(name)}=${safe(value)}`).join('&'))

/** Percent-encodes what has an encoding; half a surrogate pair has none. */
function safe(value: string): string {
  try {
    return value.startsWith('%') ? value : encodeURIComponent(value)
  } catch {
    return '%ED%A0%80'
  }
}

const body = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      url: fc.webUrl({ validSchemes: ['https'] }),
      secret: fc.string({ minLength: 10, maxLength: 30 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      url: text,
      secret: text,
      events: fc.array(fc.constantFrom('*', 'change.alert', 'x')),
    }),
  },
  { weight: 1, arbitrary: fc.jsonValue() },
)
const contentType = fc.oneof(
  { weight: 9, arbitrary: fc.constant('application/json') },
  { weight: 1, arbitrary: fc.constantFrom('text/plain', 'application/json; charset=latin1') },
)

const request = fc.record({
  operation: fc.constantFrom(...operations),
  who: fc.constantFrom('free', 'developer', 'team', 'nobody', 'revoked'),
  id: fc.oneof(fc.constant('first'), wildText),
  query: fc.oneof({ weight: 3, arbitrary: fc.constant('') }, { weight: 2, arbitrary: query }),
  body: fc.oneof(
    body.map((value) => JSON.stringify(value)),
    fc.string(),
  ),
  contentType,
})
type AnyRequest = typeof request extends fc.Arbitrary<infer Value> ? Value : never

/** Something that happens to the service between two requests. */
const event = fc.oneof(
  { weight: 12, arbitrary: fc.record({ kind: fc.constant('request' as const), request }) },
  fc.record({ kind: fc.constant('spend' as const), left: fc.integer({ min: 0, max: 2 }) }),
  fc.record({ kind: fc.constant('pack' as const), requests: fc.integer({ min: 1, max: 2 }) }),
  fc.record({ kind: fc.constant('clock' as const), ms: fc.integer({ min: 0, max: 40 * 3_600_000 }) }),
  fc.record({ kind: fc.constant('fail' as const), status: fc.constantFrom(400, 401, 500, 503) }),
  fc.record({ kind: fc.constant('rows' as const), count: fc.integer({ min: 1, max: 3 }) }),
)

const limits: Record<string, number> = { free: 100, developer: 10_000, team: 100_000 }

interface World {
  fake: FakeRatecard
  accounts: Record<string, FakeAccount>
}

/** A customer of each kind; the developer has as many webhooks as there may be. */
async function newWorld(): Promise<World> {
  const fake = createFakeRatecard()
  const accounts = Object.fromEntries(
    (['free', 'developer', 'team'] as const).map((plan) => [plan, fake.createAccount({ plan })]),
  )
  for (let count = 0; count < 2; count += 1) {
    await fake.fetch(`${fake.baseUrl}/v1/webhooks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${accounts.developer?.apiKey}`, 'content-type': 'application/json' },
      body: '{"url":"https://hooks.acme.example","secret":"0123456789abcdef"}',
    })
  }
  return { fake, accounts }
}

async function send({ fake, accounts }: World, { operation, who, ...given }: AnyRequest): Promise<Response> {
  const key = accounts[who]?.apiKey ?? (who === 'nobody' ? 'rc_live_nobody' : 'none')
  const id = given.id === 'first' ? `wh_${'0'.repeat(19)}1` : safe(given.id) || 'x'
  const url = `${fake.baseUrl}${operation.path.replace('{id}', id)}${given.query && `?${given.query}`}`
  return fake.fetch(url, {
    method: operation.method,
    headers: { authorization: `Bearer ${key}`, 'content-type': given.contentType },
    ...(operation.method === 'POST' && { body: given.body }),
  })
}

/** A dot segment or an empty id makes another path of the URL, which is not of this operation. */
function isReached({ fake }: World, operation: ContractOperation): boolean {
  return fake.requests.at(-1)?.operation === operation.id
}

describe('every answer is one the contract allows', () => {
  test('to any sequence of requests, in any state', async () => {
    const statuses = new Set<number>()
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 10, maxLength: 40 }), async (events) => {
        const world = await newWorld()
        for (const step of events) {
          const accounts = Object.entries(world.accounts)
          if (step.kind === 'spend')
            for (const [plan, account] of accounts) account.setUsed(limits[plan]! - step.left)
          if (step.kind === 'pack')
            for (const [, account] of accounts) account.grantPack({ requests: step.requests })
          if (step.kind === 'clock') world.fake.advance(step.ms)
          if (step.kind === 'fail') world.fake.failNext({ status: step.status, operation: 'listPrices' })
          if (step.kind === 'rows') {
            for (let count = 0; count < step.count; count += 1)
              world.fake.putChanges({ product: 'acme/alpha' })
          }
          if (step.kind !== 'request') continue
          const response = await send(world, step.request)
          statuses.add(response.status)
          if (!isReached(world, step.request.operation)) continue
          expect(await complaints(step.request.operation, response), JSON.stringify(step.request)).toEqual([])
        }
      }),
      { numRuns: 120, seed: 4 },
    )
    // Else the traffic was not as broad as it should be.
    expect([...statuses].sort()).toEqual([200, 201, 400, 401, 402, 403, 404, 415, 429, 500, 503])
  })

  test('to a body that is too large', async () => {
    const fake = createFakeRatecard()
    const operation = operations.find(({ id }) => id === 'createWebhook')!
    const response = await fake.fetch(`${fake.baseUrl}/v1/webhooks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${fake.apiKey}`, 'content-type': 'application/json' },
      body: ' '.repeat(65_537),
    })
    expect(response.status).toBe(413)
    expect(await complaints(operation, response)).toEqual([])
  })

  test.each(Object.values(errorKinds).map(({ status }) => status))(
    'to a scripted %i, as far as it is documented',
    async (status) => {
      for (const operation of operations) {
        const fake = createFakeRatecard()
        fake.failNext({ status })
        const response = await fake.fetch(fake.baseUrl + operation.path.replace('{id}', 'x'), {
          method: operation.method,
          headers: { authorization: `Bearer ${fake.apiKey}` },
        })
        expect(response.status).toBe(status)
        const found = await complaints(operation, response.clone())
        const isDocumented = !found.some((complaint) => complaint.includes('does not document'))
        if (isDocumented) expect(found).toEqual([])
        else
          expect(
            schemaComplaints(status === 429 ? 'QuotaErrorBody' : 'ErrorBody', await response.json()),
          ).toEqual([])
      }
    },
  )
})

test('the fake knows the operations and error codes of the contract', () => {
  expect(Object.keys(errorKinds).sort()).toEqual([...errorCodes].sort())
})

test('the sample rows are rows of the contract, those that are written later too', () => {
  const fake = createFakeRatecard()
  fake.putPrices({ resource_id: 'acme:a' })
  fake.putChanges({ product: 'acme/alpha', alternatives: [{}, { product_id: 'acme/beta', rank: 1 }] })
  expect(fake.prices.flatMap((price) => schemaComplaints('Price', price))).toEqual([])
  expect(fake.changes.flatMap((change) => schemaComplaints('Change', change))).toEqual([])
  expect([fake.prices.length, fake.changes.length]).toEqual([16, 6])
})
