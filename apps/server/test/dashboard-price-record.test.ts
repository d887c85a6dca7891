import type { Schemas } from '../src/http/dashboard/schemas/index.ts'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { writePrices } from '../src/features/prices/write-prices.ts'
import { priceRecord } from './support/actors.ts'
import { useApi } from './support/api.ts'
import type { Browser } from './support/dashboard-client.ts'
import { signInOwner } from './support/dashboard-owner.ts'
import { useDatabase } from './support/postgres.ts'
import { ids, useScene } from './support/snapshot-scene.ts'

// Everything that is stored about a price, as the dashboard shows it.

const database = useDatabase()
const api = useApi(database)
useScene(database)
let browser: Browser
beforeAll(async () => {
  browser = await signInOwner(database.db, api.url)
})

const read = (path: string, name: string, value: string) =>
  browser.get(`${path}?${name}=${encodeURIComponent(value)}`)

async function recordOf(id: string): Promise<Schemas['PriceRecord']> {
  const { status, body } = await read('/price-record', 'resource_id', id)
  expect(status).toBe(200)
  return (body as { data: Schemas['PriceRecord'] }).data
}

const rate = (values: Partial<Schemas['PriceRate']>) => ({
  meter: 'input_tokens',
  unit: '1m_tokens',
  service_tier: null,
  variant: null,
  threshold: null,
  hours: null,
  said_by: ['litellm'],
  denied_by: {},
  ...values,
})

describe('a record', () => {
  test('has its hours, what is announced, and what each source says', async () => {
    const record = await recordOf(ids.deepseek)
    expect(record.amounts).toMatchObject({ input_per_mtok: '0.27', output_per_mtok: '1.1' })
    expect(record.rates).toEqual([
      rate({ amount: '0.135', hours: '16:30-00:30', said_by: ['own-json'] }),
      rate({ meter: 'output_tokens', amount: '0.55', hours: '16:30-00:30', said_by: ['own-json'] }),
    ])
    expect(record).toMatchObject({
      rule: 'operator',
      rule_text: 'The operator says so: an own price, or a move that was accepted.',
      doubt: null,
    })
    expect(record.announced).toMatchObject([
      {
        starts_on: '2999-01-01',
        source: 'own-json',
        amounts: { input_per_mtok: '0.54', output_per_mtok: '2.2' },
      },
    ])
    const bySource = Object.fromEntries(record.claims.map((claim) => [claim.source, claim]))
    expect(Object.keys(bySource).sort()).toEqual(['litellm', 'own-json'])
    expect(bySource['own-json']).toMatchObject({ leads: true })
    expect(bySource['own-json']?.stated).toContainEqual({
      field: 'input_per_mtok',
      amount: '0.27',
      since: null,
      is_served: true,
    })
    expect(bySource['litellm']).toMatchObject({
      leads: false,
      key: 'deepseek/deepseek-chat',
      currency: 'USD',
    })
    expect(bySource['litellm']?.stated).toContainEqual({
      field: 'input_per_mtok',
      amount: '0.28',
      since: null,
      is_served: false,
    })
  })

  test('has its long context, its batch and its searches, the day it retires, and its public page', async () => {
    const record = await recordOf(ids.gemini)
    expect(record.rates).toEqual(
      expect.arrayContaining([
        rate({ amount: '2.5', threshold: 200_000 }),
        rate({ meter: 'output_tokens', amount: '15', threshold: 200_000 }),
        rate({ amount: '0.625', service_tier: 'batch' }),
        expect.objectContaining({ meter: 'searches', amount: '0.035' }),
      ]),
    )
    expect(record).toMatchObject({
      retires_on: '2999-06-17',
      ...{ is_confirmed: false, rule: 'alone', rule_text: 'One source alone states it.' },
      page: '/models/google/gemini-2.5-pro',
    })
    expect((await api.request(record.page)).status).toBe(200)
  })

  test('of a region has its writes to the cache', async () => {
    const record = await recordOf(ids.bedrock)
    expect(record.region).toBe('us')
    expect(record.rates).toEqual(
      expect.arrayContaining([
        rate({ meter: 'cache_write_tokens', amount: '4.125' }),
        rate({ meter: 'cache_write_tokens', amount: '6.6', variant: '1h' }),
      ]),
    )
  })

  test('has the moves that are not believed yet, and no word of who decides', async () => {
    await database.db
      .insertInto('feed_holds')
      .values({
        ...{ id: 'hold_1', source: 'litellm', resource_id: ids.bedrock, reason: 'large' },
        run_id: (await database.db.selectFrom('feed_runs').select('id').executeTakeFirstOrThrow()).id,
        before: JSON.stringify({ input_per_mtok: '3.3' }),
        after: JSON.stringify({ input_per_mtok: '33' }),
        first_seen: '2026-03-02T12:00:00Z',
      })
      .execute()
    const { holds } = await recordOf(ids.bedrock)
    expect(holds).toEqual([
      {
        source: 'litellm',
        reason: 'large',
        first_seen: '2026-03-02T12:00:00.000000Z',
        before: expect.objectContaining({ input_per_mtok: '3.3', output_per_mtok: null }) as object,
        after: expect.objectContaining({ input_per_mtok: '33' }) as object,
      },
    ])
  })

  test('that is not there is answered with 404, and no name with 400', async () => {
    expect((await read('/price-record', 'resource_id', 'acme:nothing')).status).toBe(404)
    expect((await browser.get('/price-record')).status).toBe(400)
    expect(await read('/model-prices', 'model', 'acme/nothing')).toMatchObject({
      status: 404,
      body: { error: 'not_found' },
    })
    expect((await browser.get('/model-prices')).status).toBe(400)
    const stranger = await browser.send('GET', '/price-record?resource_id=x', undefined, { cookie: null })
    expect(stranger.status).toBe(401)
  })
})

describe('a model', () => {
  const loose = "acme:it's/ü 1%"
  beforeAll(async () => {
    const of = (resource_id: string, product_id: string | null) => ({
      record: priceRecord({ resource_id, product_id }),
      source: 'test',
      rates: [],
    })
    const writes = [
      of('acme:many', 'acme/many'),
      of('bolt:many', 'acme/many'),
      of(loose, null),
      ...Array.from({ length: 160 }, (_, index) => of(`shop-${index}:crowd`, 'acme/crowd')),
    ]
    await database.db
      .transaction()
      .execute((trx) => writePrices(trx, writes, { runId: null, observedAt: '2026-01-01T00:00:00.000000Z' }))
  })
  const pricesOf = async (model: string) => {
    const { status, body } = await read('/model-prices', 'model', model)
    expect(status).toBe(200)
    return (body as { data: Schemas['ModelPrices'] }).data.prices
  }

  test('has its price on each platform, with its card', async () => {
    expect((await pricesOf('acme/many')).map(({ resource_id }) => resource_id)).toEqual([
      'acme:many',
      'bolt:many',
    ])
    const [gemini] = await pricesOf('google/gemini-2.5-pro')
    expect(gemini?.rates).toContainEqual(rate({ amount: '2.5', threshold: 200_000 }))
  })

  test('may be a record that no product is known of', async () => {
    expect(await pricesOf(loose)).toMatchObject([{ resource_id: loose, product_id: null, rates: [] }])
  })

  test('has at most 150 prices', async () => {
    expect(await pricesOf('acme/crowd')).toHaveLength(150)
  })
})

describe('why it is served', () => {
  const stand = (values: Record<string, unknown>) =>
    database.db.updateTable('price_standings').set(values).where('resource_id', '=', ids.gemini).execute()
  const denials = (...sources: string[]) =>
    JSON.stringify({
      input_per_mtok: {
        said_by: ['litellm'],
        denied_by: Object.fromEntries(sources.map((source) => [source, '1'])),
      },
    })

  test.each([
    ['contested', ['portkey', 'models-dev'], '2 sources state otherwise'],
    ['waiting', ['litellm'], '1 source states otherwise'],
    ['agreed', ['portkey'], null],
    ['contested', [], null],
  ])('%s, which %j deny', async (rule, sources, doubt) => {
    await stand({ rule, evidence: denials(...sources) })
    expect(await recordOf(ids.gemini)).toMatchObject({ rule, doubt })
  })

  test('and who denies a rate', async () => {
    const key = JSON.stringify(['input_tokens', '1m_tokens', null, null, 200_000, null])
    const polls = { [key]: { said_by: ['litellm'], denied_by: { portkey: '2' } } }
    await stand({ rate_evidence: JSON.stringify(polls) })
    const { rates } = await recordOf(ids.gemini)
    expect(rates).toContainEqual(rate({ amount: '2.5', threshold: 200_000, denied_by: { portkey: '2' } }))
    expect(rates).toContainEqual(
      rate({ amount: '0.625', service_tier: 'batch', said_by: null, denied_by: null }),
    )
  })

  test('is not known of what an older release decided', async () => {
    await stand({ rule: null, evidence: '{}', rate_evidence: null })
    expect(await recordOf(ids.gemini)).toMatchObject({ rule: null, rule_text: null, doubt: null })
  })

  test('and an amount that is apart by rounding alone is served', async () => {
    await sql`update feed_claims set stated = stated || '{"input_per_mtok": "1.201"}'
      where stated->>'resource_id' = ${ids.gemini}`.execute(database.db)
    const { claims } = await recordOf(ids.gemini)
    expect(claims[0]?.stated[0]).toMatchObject({ field: 'input_per_mtok', amount: '1.201', is_served: true })
  })
})

test('the table marks who pays more by the hour, and what is doubtful', async () => {
  await database.db.transaction().execute((trx) =>
    writePrices(
      trx,
      [
        {
          record: priceRecord({ resource_id: 'acme:night', input_per_mtok: '1', output_per_mtok: '2' }),
          source: 'test',
          rates: [
            rate({ amount: '2', hours: '08:00-20:00' }),
            rate({ amount: '3', service_tier: 'priority' }),
          ] as never,
        },
      ],
      { runId: null, observedAt: '2026-01-01T00:00:00.000000Z' },
    ),
  )
  const { columns } = ((await browser.get('/prices')).body as { data: Schemas['PriceTable'] }).data
  const marksOf = (id: string) => {
    const row = columns.resource_id.indexOf(id)
    const at = <T>(values: readonly T[]) => values[row]
    return {
      rates: at(columns.rates),
      input: at(columns.input_mark),
      output: at(columns.output_mark),
      starts_on: at(columns.starts_on),
      standing: at(columns.standing),
    }
  }
  expect(marksOf('acme:night')).toEqual({
    rates: 2,
    input: 'off_peak',
    output: null,
    starts_on: null,
    standing: null,
  })
  // Its other hours are cheaper: nobody pays more than is shown.
  expect(marksOf(ids.deepseek)).toMatchObject({
    rates: 2,
    input: null,
    starts_on: '2999-01-01',
    standing: 'disputed',
  })
  expect(marksOf(ids.gemini)).toMatchObject({ input: 'from', output: 'from', standing: 'one_source' })
  expect(marksOf(ids.bedrock)).toMatchObject({ input: null, standing: 'held' })
})
