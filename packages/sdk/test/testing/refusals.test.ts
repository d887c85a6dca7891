import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ApiError, Ratecard, type Change, type Price } from '../../src/index.ts'
import { createFakeRatecard, type FakeRatecard } from '../../src/testing.ts'
import { schemaComplaints } from './contract.ts'
import { get } from './client.ts'

type Use = (fake: FakeRatecard) => unknown

/** As JavaScript, or a value of a wrong type, would have it. */
const any = (value: unknown) => value as never

describe('wrong use of the fake is refused in a sentence that says what to do', () => {
  test.each<[string, Use, RegExp]>([
    // The four of which tests have passed by accident.
    [
      'failNext of no operation',
      (fake) => fake.failNext({ operation: any('prices'), status: 503 }),
      /`operation` is one of getHealth, listPrices, .*, not "prices"\./,
    ],
    [
      'setPlan of no plan',
      (fake) => fake.account.setPlan(any('gold')),
      /`plan` is one of free, developer, scale, team, enterprise, not "gold"\./,
    ],
    [
      'a fake on no plan',
      () => createFakeRatecard({ plan: any('gold') }),
      /`plan` is one of free, .*, not "gold"\./,
    ],
    [
      'an account on no plan',
      (fake) => fake.createAccount({ plan: any('gold') }),
      /`plan` is one of free, .*, not "gold"\./,
    ],
    [
      "handlers() without msw's http",
      (fake) => fake.handlers(any(undefined)),
      /`http` that msw exports: fake\.handlers\(http\)/,
    ],
    [
      "handlers(http) of Node's http",
      (fake) => fake.handlers(any({ Agent: class {} })),
      /`http` that msw exports/,
    ],
    [
      'a price that is text',
      (fake) => fake.putPrices({ resource_id: 'a', input_per_mtok: any('1') }),
      /The price "a": `input_per_mtok` is null or a number from 0 up, not "1"\./,
    ],
    [
      'a currency that is a number',
      (fake) => fake.putPrices({ resource_id: 'a', currency: any(840) }),
      /`currency` is a text or null, not a number\./,
    ],
    [
      'a page that is no address',
      (fake) => fake.putPrices({ resource_id: 'a', source_url: 'vendor.example' }),
      /`source_url` is null or .*https:\/\//,
    ],
    ['a list of prices', (fake) => fake.putPrices(any([{ resource_id: 'a' }])), /one by one.*\.\.\./],
    ['a price that is an id', (fake) => fake.putPrices(any('openai:gpt-4o')), /one by one/],
    ['a list of changes', (fake) => fake.putChanges(any([{}])), /one by one.*\.\.\./],
    [
      'a title that is a number',
      (fake) => fake.putChanges({ id: 'chg_1', title: any(1) }),
      /The change "chg_1": `title` is a text of 1 to 200 characters, not a number\./,
    ],
    [
      'a title that is too long',
      (fake) => fake.putChanges({ title: 'a'.repeat(201) }),
      /`title` is a text of 1 to 200/,
    ],
    [
      'a diff that is no text',
      (fake) => fake.putChanges({ diff_before: any({ 'openai:gpt-4o': {} }) }),
      /`diff_before` is JSON text or null.*JSON\.stringify/,
    ],
    [
      'verified in words',
      (fake) => fake.putChanges({ verified: any('yes') }),
      /`verified` is true, false or null, not "yes"\./,
    ],
    [
      'a time that is a Date',
      (fake) => fake.putChanges({ first_seen: any(new Date()) }),
      /`first_seen` is an instant/,
    ],
    [
      'alternatives that are no list',
      (fake) => fake.putChanges({ alternatives: any({}) }),
      /`alternatives` is a list/,
    ],
    [
      'an effort nobody knows',
      (fake) => fake.putChanges({ alternatives: [{ migration_effort: any('huge') }] }),
      /`migration_effort` is one of low, medium, high, not "huge"\./,
    ],
    [
      'an alternative with a field of its own',
      (fake) => fake.putChanges({ alternatives: [any({ product: 'a' })] }),
      /`product`/,
    ],
    [
      'a misspelled option of failNext',
      (fake) => fake.failNext(any({ status: 503, time: 2 })),
      /failNext has no `time`\. It has operation, times, status/,
    ],
    ['failNext of nothing', (fake) => fake.failNext(any(undefined)), /Say what goes wrong/],
    ['failNext of a number', (fake) => fake.failNext(any(503)), /Say what goes wrong/],
    ['a status in text', (fake) => fake.failNext({ status: any('503') }), /`status` is 200 to 599/],
    [
      'a connection that does something else',
      (fake) => fake.failNext({ connection: any('reset') }),
      /`connection` is one of refused, lost, not "reset"\./,
    ],
    [
      'headers of a Headers',
      (fake) => fake.failNext({ status: 503, headers: any(new Headers()) }),
      /`headers` is an object/,
    ],
    [
      'a misspelled option of the fake',
      () => createFakeRatecard(any({ price: [] })),
      /createFakeRatecard has no `price`\. It has baseUrl, now, plan, prices, changes\./,
    ],
    [
      'a base URL without a scheme',
      () => createFakeRatecard({ baseUrl: 'localhost:8080' }),
      /`baseUrl` .*https:\/\/api\.ratecard\.example/,
    ],
    ['a base URL that is a path', () => createFakeRatecard({ baseUrl: '/api' }), /`baseUrl` .*https:\/\//],
    ['prices that are no list', () => createFakeRatecard({ prices: any({}) }), /`prices` is a list/],
    [
      'a misspelled option of an account',
      (fake) => fake.createAccount(any({ pack: [] })),
      /createAccount has no `pack`/,
    ],
    [
      'a misspelled option of a pack',
      (fake) => fake.account.grantPack(any({ request: 5 })),
      /grantPack has no `request`/,
    ],
    [
      'a misspelled option of setPlan',
      (fake) => fake.account.setPlan('free', any({ till: '2030-01-01T00:00:00Z' })),
      /setPlan has no `till`/,
    ],
    ['setUsed of a text', (fake) => fake.account.setUsed(any('5')), /whole number from 0 up/],
    ['advance by a text', (fake) => fake.advance(any('1000')), /milliseconds/],
    ['advance by nothing', (fake) => fake.advance(any(undefined)), /milliseconds/],
    ['the outcome of no webhook', (fake) => fake.recordDelivery('wh_1', {}), /no webhook "wh_1"/],
  ])('%s', (_what, use, sentence) => {
    expect(() => use(createFakeRatecard())).toThrow(sentence)
  })

  test('an outcome that the contract does not know', async () => {
    const fake = createFakeRatecard()
    const client = new Ratecard({ apiKey: fake.apiKey, baseUrl: fake.baseUrl, fetch: fake.fetch })
    const { id } = await client.webhooks.create({
      url: 'https://hooks.acme.example',
      secret: '0123456789abcdef',
    })
    for (const [outcome, sentence] of [
      [{ lastStatus: 410 }, /recordDelivery has no `lastStatus`/],
      [{ last_status: 999 }, /`last_status` is null or 100 to 599/],
      [{ active: 'no' }, /`active` is true or false/],
      [{ last_error: 5 }, /`last_error` is a text or null/],
    ] as const) {
      expect(() => fake.recordDelivery(id, any(outcome))).toThrow(sentence)
    }
    expect(await client.webhooks.list()).toMatchObject([{ id, active: true, last_status: null }])
  })

  test('a refusal leaves nothing behind, also of what came before it', () => {
    const fake = createFakeRatecard()
    const before = [fake.prices, fake.changes]
    expect(() => fake.putPrices({ resource_id: 'a' }, { resource_id: 'b', vendor: '' })).toThrow()
    expect(() => fake.putChanges({ id: 'chg_a' }, { id: 'chg_b', severity: 9 })).toThrow()
    expect(() => fake.account.setPlan(any('gold'))).toThrow()
    expect([fake.prices, fake.changes]).toEqual(before)
    expect(() => fake.account.createKey()).not.toThrow()
  })

  test('no refusal repeats what may be a key', () => {
    const key = 'rc_live_0123456789abcdefghijABCDEFGHIJ'
    expect(() => createFakeRatecard().account.setPlan(any(key))).toThrow(/^(?!.*0123456789)/)
  })
})

describe('what is accepted is what the contract allows', () => {
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 1 }),
    fc.constantFrom(
      '',
      'x',
      '2026-01-31',
      '2026-01-31T12:00:00+01:00',
      'https://a.example/b',
      'a'.repeat(5_000),
      -1,
      0,
      3,
      101,
      1e300,
    ),
  )
  const priceFields = Object.keys(createFakeRatecard().prices[0]!)
  const changeFields = Object.keys(createFakeRatecard().changes[0]!)

  test.each<[string, string[], (fake: FakeRatecard, row: object) => unknown, () => object]>([
    ['Price', priceFields, (fake, row) => fake.putPrices(any(row))[0], () => ({ resource_id: 'acme:a' })],
    ['Change', changeFields, (fake, row) => fake.putChanges(any(row))[0], () => ({})],
  ])('any value in any field of a %s is served as such, or refused', (schema, fields, put, blank) => {
    let served = 0
    let refused = 0
    fc.assert(
      fc.property(fc.constantFrom(...fields), value, (field, given) => {
        let row: unknown
        try {
          row = put(createFakeRatecard({ prices: [], changes: [] }), { ...blank(), [field]: given })
        } catch (error) {
          refused += 1
          expect(error).toBeInstanceOf(TypeError)
          expect((error as Error).message).toContain(field)
          return
        }
        served += 1
        expect(schemaComplaints(schema, row)).toEqual([])
      }),
      { numRuns: 1_000, seed: 1 },
    )
    expect([served > 50, refused > 50]).toEqual([true, true])
  })
})

describe('what the types call optional may be left out', () => {
  test('a change needs nothing', async () => {
    const fake = createFakeRatecard({ changes: [] })
    expect(fake.putChanges({ vendor: 'openai', title: 'Something has changed' })).toMatchObject([
      { vendor: 'openai', product: 'openai/model-a', title: 'Something has changed' },
    ])
    const [bare] = fake.putChanges({}) as [Change]
    expect(bare).toMatchObject({ vendor: 'vendor-a', product: 'vendor-a/model-a' })
    expect(schemaComplaints('Change', bare)).toEqual([])
    expect((await get(fake, '/v1/changes?vendor=openai')).status).toBe(200)
  })

  test('a price needs its id', () => {
    const [price] = createFakeRatecard({ prices: [] }).putPrices({ resource_id: 'acme:a' }) as [Price]
    expect(schemaComplaints('Price', price)).toEqual([])
  })
})

describe('a request to another base URL', () => {
  test('is answered with a sentence that names the right one, at once', async () => {
    const fake = createFakeRatecard()
    const client = new Ratecard({
      apiKey: fake.apiKey,
      baseUrl: 'https://api.acme.example',
      fetch: fake.fetch,
    })
    const error = await client.usage.get().then(
      () => undefined,
      (thrown: unknown) => thrown as ApiError,
    )
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ status: 421, attempts: 1 })
    expect(error!.message).toMatch(
      /The fake Ratecard answers at https:\/\/api\.ratecard\.example, not at https:\/\/api\.acme\.example\. .*baseUrl: fake\.baseUrl/,
    )
    expect(fake.requests).toEqual([])
  })

  test('does not repeat a key that stands in the address', async () => {
    const fake = createFakeRatecard()
    const answer = await fake.fetch(`https://api.acme.example/?api_key=${fake.apiKey}`)
    expect([answer.status, (await answer.text()).includes(fake.apiKey)]).toEqual([421, false])
  })
})
