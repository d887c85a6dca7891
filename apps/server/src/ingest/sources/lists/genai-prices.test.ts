import { describe, expect, test } from 'vitest'
import type { Rate } from '../../../catalog/rate-card.ts'
import type { SourceRecord } from '../../source-record.ts'
import { readGenaiPrices, readGenaiPricesPackage } from './genai-prices.ts'
import { plainRecord } from '../../../../test/support/plain-record.ts'

const now = new Date('2026-08-01T12:00:00Z')

function recordOf(prices: unknown, at = now): SourceRecord {
  const provider = {
    id: 'openai',
    pricing_urls: ['https://openai.example/pricing'],
    models: [{ id: 'gpt-9', prices }],
  }
  const { records, rejected } = readGenaiPrices([provider], at)
  expect(rejected).toEqual([])
  const [record] = records
  if (!record) throw new Error('no record')
  return record
}

test('prices per million are taken as they are', () => {
  expect(recordOf({ input_mtok: 0.2, output_mtok: 0.8, cache_read_mtok: 0.02 })).toEqual({
    ...plainRecord,
    input_per_mtok: '0.2',
    output_per_mtok: '0.8',
    cached_input_per_mtok: '0.02',
    source_url: 'https://openai.example/pricing',
    source_key: 'openai:gpt-9',
  })
})

test.each([
  ['a day', '2026-07-12', '2026-07-12'],
  ['today', '2026-08-01', '2026-08-01'],
  ['a day to come', '2026-08-02', undefined],
  ['no day', 'last week', undefined],
  ['an instant', '2026-07-12T10:00:00Z', undefined],
  ['a number', 20260712, undefined],
  ['nothing', null, undefined],
])('the day of a check is kept with its row: %s', (_, prices_checked, expected) => {
  const models = [
    { id: 'gpt-9', prices: { input_mtok: 1 }, prices_checked },
    { id: 'gpt-8', prices: { input_mtok: 1 } },
  ]
  const [checked, other] = readGenaiPrices([{ id: 'openai', models }], now).records
  expect(checked!.checked_on).toBe(expected)
  expect(other).not.toHaveProperty('checked_on')
})

test('of tiers the base is taken', () => {
  expect(recordOf({ input_mtok: { base: 5, tiers: [{ start: 200000, price: 10 }] } }).input_per_mtok).toBe(
    '5',
  )
})

test('an hour of audio is divided into minutes', () => {
  const expected = { audio_per_min: '0.001851667', unit: 'minute', modality: 'audio', input_per_mtok: null }
  expect(recordOf({ audio_hours: 0.1111, input_audio_hours: 0.1111 })).toMatchObject({
    ...expected,
    rates: [],
  })
})

const rate = (meter: string, unit: string, amount: string, only: Partial<Rate> = {}): Rate => {
  return { meter, unit, amount, service_tier: null, variant: null, threshold: null, hours: null, ...only }
}

describe('what fits no column is in the rate card', () => {
  test.each<[string, unknown, Rate]>([
    ['cache_write_mtok', 3.75, rate('cache_write_tokens', '1m_tokens', '3.75')],
    ['cache_write_1h_mtok', 6, rate('cache_write_tokens', '1m_tokens', '6', { variant: '1h' })],
    ['cache_audio_write_5m_mtok', 1, rate('cache_write_audio_tokens', '1m_tokens', '1', { variant: '5m' })],
    ['cache_audio_read_mtok', 0.3, rate('cached_input_audio_tokens', '1m_tokens', '0.3')],
    ['cache_image_read_mtok', 2, rate('cached_input_image_tokens', '1m_tokens', '2')],
    ['input_audio_mtok', 40, rate('input_audio_tokens', '1m_tokens', '40')],
    ['output_image_mtok', 30, rate('output_image_tokens', '1m_tokens', '30')],
    ['output_reasoning_mtok', 3, rate('reasoning_tokens', '1m_tokens', '3')],
    ['output_citation_mtok', 2, rate('citation_tokens', '1m_tokens', '2')],
    ['requests_kcount', 5, rate('requests', 'request', '0.005')],
    ['web_searches_kcount', 10, rate('searches', 'query', '0.01')],
    ['storage_searches_kcount', 2.5, { ...rate('searches', 'query', '0.0025'), variant: 'file' }],
    ['input_text_messages_kcount', 4, rate('input_text_messages', 'message', '0.004')],
    ['input_document_kpages', 4, rate('input_document_pages', 'page', '0.004')],
    ['output_image_gpixels', 2.5, rate('output_image_pixels', '1m_pixels', '0.0025')],
    ['input_text_mchars', 15, rate('input_text_characters', '1m_characters', '15')],
    ['output_smells', 1, rate('output_smells', 'unit', '1')], // an unknown unit
  ])('%s', (field, price, expected) => {
    expect(recordOf({ input_mtok: 1, [field]: price }).rates).toEqual([expected])
  })

  test('tiers hold above their threshold, of columns and of others', () => {
    const tiered = (base: number, price: number) => ({ base, tiers: [{ start: 200_000, price }] })
    const prices = { input_mtok: tiered(5, 10), cache_write_1h_mtok: tiered(10, 20), output_mtok: 25 }
    expect(recordOf(prices)).toMatchObject({
      input_per_mtok: '5',
      output_per_mtok: '25',
      rates: [
        rate('cache_write_tokens', '1m_tokens', '20', { variant: '1h', threshold: 200_000 }),
        rate('cache_write_tokens', '1m_tokens', '10', { variant: '1h' }),
        rate('input_tokens', '1m_tokens', '10', { threshold: 200_000 }),
      ],
    })
  })

  test('another price for hours that are heard and for hours that are spoken: both are kept', () => {
    expect(recordOf({ input_audio_hours: 3, output_audio_hours: 6 })).toMatchObject({
      audio_per_min: '0.05',
      rates: [rate('output_audio_minutes', 'minute', '0.1')],
    })
  })
})

describe('prices of another kind of request are in the rate card', () => {
  const ratesOf = (...price_variants: unknown[]) => {
    const models = [{ id: 'gpt-9', prices: { input_mtok: 2, cache_write_1h_mtok: 4 }, price_variants }]
    const { records, unknown_fields } = readGenaiPrices([{ id: 'openai', models }], now)
    expect(records[0]).toMatchObject({ input_per_mtok: '2' })
    return { rates: records[0]!.rates.filter(({ amount }) => amount !== '4'), unknown_fields }
  }
  const only = (more: Partial<Rate>) => [rate('input_tokens', '1m_tokens', '1', more)]

  test.each<[object, Partial<Rate>]>([
    [{ service_tier: 'batch' }, { service_tier: 'batch' }],
    [{ service_tier: 'flex' }, { service_tier: 'flex' }],
    [{ speed: 'fast' }, { service_tier: 'fast' }],
    [{ inference_geo: 'us' }, { variant: 'us' }],
    [
      { service_tier: 'batch', inference_geo: 'us' },
      { service_tier: 'batch', variant: 'us' },
    ],
  ])('when %j', (when, kind) => {
    const { rates, unknown_fields } = ratesOf({ when, prices: { input_mtok: 1 } })
    expect(rates).toEqual(only(kind))
    expect(unknown_fields).toEqual([])
  })

  test('with its tiers, its kinds, and from the day on which they begin', () => {
    const tiered = { input_mtok: { base: 1, tiers: [{ start: 200_000, price: 3 }] } }
    const dated = [
      { prices: { input_mtok: 9 } },
      { constraint: { start_date: '2026-01-01' }, prices: tiered },
    ]
    expect(ratesOf({ when: { service_tier: 'priority' }, prices: dated }).rates).toEqual([
      rate('input_tokens', '1m_tokens', '3', { service_tier: 'priority', threshold: 200_000 }),
      ...only({ service_tier: 'priority' }),
    ])
    const { rates } = ratesOf({ when: { inference_geo: 'us' }, prices: { cache_write_1h_mtok: 4.4 } })
    expect(rates).toEqual([rate('cache_write_tokens', '1m_tokens', '4.4', { variant: '1h/us' })])
  })

  test.each([
    [{ when: { moon: 'full' }, prices: { input_mtok: 1 } }],
    [{ when: { service_tier: 'batch', moon: 'full' }, prices: { input_mtok: 1 } }],
    [{ when: { service_tier: 'batch' }, prices: 'half' }],
  ])('but %j is only reported', (variant) => {
    const { rates, unknown_fields } = ratesOf(variant)
    expect(rates).toEqual([])
    expect(unknown_fields).toMatchObject([{ field: 'price_variants', rows: 1 }])
  })

  test('an amount that is none refuses the row', () => {
    const models = [
      { id: 'gpt-9', prices: {}, price_variants: [{ when: { speed: 'fast' }, prices: { input_mtok: -3 } }] },
    ]
    const { rejected } = readGenaiPrices([{ id: 'openai', models }], now)
    expect(rejected[0]?.reason).toBe('has no usable price: input_mtok is negative: -3')
  })
})

test.each([
  [{}, null, null],
  [{ input_document_kpages: 4, input_annotated_document_kpages: 5 }, 'ocr', 'page'],
  [{ audio_hours: 3, input_text_messages_kcount: 4 }, 'audio', 'minute'],
  [{ audio_hours: 3, input_document_kpages: 4 }, null, null],
  [{ requests_kcount: 5 }, null, null],
  [{ input_audio_mtok: 40, requests_kcount: 5 }, 'llm', '1m_tokens'],
])('the kind of price gives modality and unit: %o', (prices, modality, unit) => {
  expect(recordOf(prices)).toMatchObject({ modality, unit, input_per_mtok: null })
})

describe('dated prices', () => {
  const dated = [
    { prices: { input_mtok: 10 } },
    { constraint: { start_date: '2026-07-30' }, prices: { input_mtok: 2 } },
    { constraint: { start_date: '2026-09-01', type: 'start_date' }, prices: { input_mtok: 3 } },
  ]
  test.each([
    ['2026-07-29T23:59:59Z', '10', null],
    ['2026-07-30T00:00:00Z', '2', '2026-07-30'],
    ['2026-08-31T23:59:59Z', '2', '2026-07-30'],
    ['2026-09-01T00:00:00Z', '3', '2026-09-01'],
  ])('at %s the last one begun is in force', (at, input_per_mtok, effective_at) => {
    expect(recordOf(dated, new Date(at))).toMatchObject({ input_per_mtok, effective_at })
  })

  test('before, they are scheduled, with all amounts of the entry', () => {
    expect(recordOf(dated, new Date('2026-07-01T00:00:00Z')).scheduled).toMatchObject([
      { starts_on: '2026-07-30', amounts: { input_per_mtok: '2', output_per_mtok: null } },
      { starts_on: '2026-09-01', amounts: { input_per_mtok: '3', output_per_mtok: null } },
    ])
    expect(recordOf(dated, new Date('2026-09-01T00:00:00Z')).scheduled).toEqual([])
  })

  test('what has ended is kept with the day on which it did, and its rates', () => {
    expect(recordOf(dated, new Date('2026-07-29T00:00:00Z')).past).toBeUndefined()
    const before = [
      { prices: { input_mtok: { base: 10, tiers: [{ start: 200_000, price: 20 }] }, cache_read_mtok: 1 } },
      ...dated.slice(1),
    ]
    const none = { output_per_mtok: null, image_per_unit: null, audio_per_min: null, video_per_sec: null }
    expect(recordOf(before, new Date('2026-09-01T00:00:00Z')).past).toEqual([
      {
        ...{ ended_on: '2026-07-30', ...none, input_per_mtok: '10', cached_input_per_mtok: '1' },
        rates: [rate('input_tokens', '1m_tokens', '20', { threshold: 200_000 })],
      },
      { ended_on: '2026-09-01', ...none, input_per_mtok: '2', cached_input_per_mtok: null, rates: [] },
    ])
  })

  test('the day is the UTC day', () => {
    expect(recordOf(dated, new Date('2026-09-01T01:30:00+02:00'))).toMatchObject({
      input_per_mtok: '2',
      scheduled: [{ starts_on: '2026-09-01' }],
    })
  })

  test('the last entry that has begun counts, whatever its date', () => {
    const [first, july, september] = dated
    const disordered = [first, september, july]
    expect(recordOf(disordered, new Date('2026-07-01T00:00:00Z')).scheduled).toMatchObject([
      { starts_on: '2026-07-30', amounts: { input_per_mtok: '2' } },
    ])
    expect(recordOf(disordered, new Date('2026-10-01T00:00:00Z')).input_per_mtok).toBe('2')
  })

  const inHours = (start_time: string, end_time: string) => ({
    constraint: { start_time, end_time },
    prices: { input_mtok: 0.27, output_mtok: { base: 1.1, tiers: [{ start: 64_000, price: 2 }] } },
  })

  test('the standard price holds for most hours; the other is a rate with its hours, in UTC', () => {
    const record = recordOf([{ prices: { input_mtok: 0.135 } }, inHours('00:30:00Z', '18:30:00+02:00')])
    expect(record).toMatchObject({
      input_per_mtok: '0.27',
      output_per_mtok: '1.1',
      effective_at: null,
      scheduled: [],
    })
    expect(record.rates).toEqual([
      rate('input_tokens', '1m_tokens', '0.135', { hours: '16:30-00:30' }),
      rate('output_tokens', '1m_tokens', '2', { threshold: 64_000 }),
    ])
    const short = recordOf([{ prices: { input_mtok: 0.135 } }, inHours('20:00', '04:00')])
    expect(short.input_per_mtok).toBe('0.135')
    expect(short.rates).toEqual([
      rate('input_tokens', '1m_tokens', '0.27', { hours: '20:00-04:00' }),
      rate('output_tokens', '1m_tokens', '2', { hours: '20:00-04:00', threshold: 64_000 }),
      rate('output_tokens', '1m_tokens', '1.1', { hours: '20:00-04:00' }),
    ])
  })

  test('of prices that hold equally long the first is the standard; hours apart are two stretches', () => {
    const band = (start_time: string, end_time: string) => ({
      constraint: { start_time, end_time },
      prices: { input_mtok: 3 },
    })
    expect(recordOf([{ prices: { input_mtok: 1 } }, band('00:00', '12:00')]).input_per_mtok).toBe('1')
    const apart = recordOf([{ prices: { input_mtok: 1 } }, band('06:00', '20:00'), band('22:00', '23:00')])
    expect(apart.input_per_mtok).toBe('3')
    expect(apart.rates.map(({ hours, amount }) => `${hours} ${amount}`)).toEqual([
      '20:00-22:00 1',
      '22:00-23:00 3',
      '23:00-06:00 1',
    ])
  })

  test('hours that begin on a day are those of no day before', () => {
    const band = {
      constraint: { start_date: '2026-09-01', start_time: '20:00', end_time: '04:00' },
      prices: { input_mtok: 1 },
    }
    const prices = [{ prices: { input_mtok: 2 } }, band]
    expect(recordOf(prices, new Date('2026-08-31T00:00:00Z')).rates).toEqual([])
    expect(recordOf(prices, new Date('2026-09-01T00:00:00Z')).rates).toHaveLength(1)
  })

  test.each(['24:00', '9:30', '09:30:00+25:00', 'noon'])('%s is no hour: the row is refused', (start) => {
    const prices = [{ prices: {} }, inHours(start, '16:30')]
    const { rejected } = readGenaiPrices([{ id: 'openai', models: [{ id: 'm', prices }] }], now)
    expect(rejected).toEqual([{ id: 'openai:m', reason: expect.stringMatching(/^cannot be read/) as string }])
  })

  test('hours before an entry that has begun are overruled by it', () => {
    const hours = inHours('00:30:00', '16:30:00')
    const flat = { constraint: { start_date: '2026-07-01' }, prices: { input_mtok: 0.2 } }
    expect(recordOf([{ prices: {} }, hours, flat]).rates).toEqual([])
    expect(recordOf([{ prices: {} }, flat, hours])).toMatchObject({
      input_per_mtok: '0.27',
      rates: [
        { amount: '0.2', hours: '16:30-00:30' },
        { amount: '2', hours: null },
      ],
    })
  })

  test('before the first date there is no price', () => {
    const later = { constraint: { start_date: '2027-01-01' }, prices: { input_mtok: 3 } }
    expect(recordOf([later])).toMatchObject({
      input_per_mtok: null,
      scheduled: [{ starts_on: '2027-01-01', amounts: { input_per_mtok: '3' } }],
    })
  })
})

test('resellers name their maker in the id', () => {
  const models = [
    { id: 'anthropic/claude-9', prices: { input_mtok: 1 } },
    { id: 'nobody/knows', prices: {} },
  ]
  const own = { id: 'anthropic', models: [{ id: 'claude-9', prices: { input_mtok: 1 } }] }
  expect(readGenaiPrices([own, { id: 'openrouter', models }], now).records).toMatchObject([
    {
      resource_id: 'anthropic:claude-9',
      vendor: 'anthropic',
      platform: 'anthropic',
    },
    {
      resource_id: 'openrouter:anthropic/claude-9',
      vendor: 'anthropic',
      platform: 'openrouter',
    },
    { resource_id: 'openrouter:nobody/knows', vendor: 'unknown', source_url: null },
  ])
})

test('Claude, which the list has under google, is paid on Vertex AI', () => {
  const models = [
    { id: 'gemini-9', prices: { input_mtok: 1 } },
    { id: 'claude-9', prices: { input_mtok: 1 } },
  ]
  expect(readGenaiPrices([{ id: 'google', models }], now).records).toMatchObject([
    { resource_id: 'google:gemini-9', platform: 'google', vendor: 'google' },
    { resource_id: 'vertex_ai:claude-9', platform: 'vertex_ai', vendor: 'anthropic' },
  ])
})

test("of a resource in two spellings OpenRouter's own is served", () => {
  const models = [
    { id: 'grok-9', prices: { input_mtok: 1 } },
    { id: 'x-ai/grok-9', prices: { input_mtok: 2 } },
  ]
  expect(readGenaiPrices([{ id: 'openrouter', models }], now)).toMatchObject({
    records: [{ resource_id: 'openrouter:x-ai/grok-9', input_per_mtok: '2' }],
    rejected: [{ id: 'openrouter:grok-9' }],
  })
})

test('a row that cannot be served is named, with the reason', () => {
  const models = [
    { id: 'fine', prices: {} },
    { id: 'negative', prices: { input_mtok: -3 } },
    { id: 'undated', prices: [{ constraint: { start_date: 'soon' }, prices: {} }] },
    { prices: {} },
    { id: 'fine', prices: {} },
  ]
  expect(readGenaiPrices([{ id: 'openai', models }], now).rejected).toEqual([
    { id: 'openai:negative', reason: 'has no usable price: input_mtok is negative: -3' },
    { id: 'openai:undated', reason: expect.stringMatching(/^cannot be read: prices/) as string },
    { id: 'openai:#3', reason: expect.stringMatching(/^cannot be read: id/) as string },
    { id: 'openai:fine', reason: 'names the same resource as openai:fine, at the same price' },
  ])
})

test.each([{}, null, [], [{ id: 'openai', models: [] }], [{ models: [] }]])(
  'another kind of file is refused whole: %o',
  (file) => {
    expect(() => readGenaiPrices(file, now)).toThrow(/not a genai-prices v2 data file/)
  },
)

describe('the installed package', async () => {
  const { records, rejected, version } = await readGenaiPricesPackage(now)

  test('says its version', () => {
    expect(version).toMatch(/^\d+\.\d+\.\d+$/)
  })

  test('gives more than 1,400 records and refuses none but second spellings of a resource', () => {
    expect(records.length).toBeGreaterThan(1400)
    expect(rejected.filter(({ reason }) => !reason.startsWith('names the same resource as'))).toEqual([])
    expect(new Set(records.map(({ resource_id }) => resource_id)).size).toBe(records.length)
  })

  test('holds no float dust, no negative and no -1', () => {
    const amounts = records.flatMap((record) => [
      record.input_per_mtok,
      record.output_per_mtok,
      record.cached_input_per_mtok,
      record.audio_per_min,
    ])
    for (const amount of amounts.filter((amount) => amount !== null)) {
      expect(amount).toMatch(/^(?:0|[1-9]\d*)(?:\.\d{0,8}[1-9])?$/)
      expect(amount).not.toMatch(/\d{10,}/)
    }
  })

  test('names vendor and platform of each, and the maker of all that makers sell themselves', () => {
    for (const { vendor, platform } of records) {
      expect(vendor).not.toBe('')
      expect(platform).not.toBe('')
    }
    const direct = records.filter(({ platform }) => platform === 'openai' || platform === 'anthropic')
    expect(direct.filter(({ vendor, platform }) => vendor !== platform)).toEqual([])
    const gemini = records.filter(({ platform }) => platform === 'google')
    expect(gemini.filter(({ vendor }) => vendor !== 'google')).toEqual([])
    expect(records.filter(({ vendor }) => vendor === 'unknown').length).toBeLessThan(records.length / 10)
  })
})
