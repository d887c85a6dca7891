import { describe, expect, test } from 'vitest'
import type { PriceRecord } from '../../features/prices/price-record.ts'
import { readGenaiPrices, readGenaiPricesPackage } from './genai-prices.ts'

const now = new Date('2026-08-01T12:00:00Z')

function recordOf(prices: unknown, at = now): PriceRecord {
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
  expect(
    recordOf({ input_mtok: 0.2, output_mtok: 0.8, cache_read_mtok: 0.02, web_searches_kcount: 10 }),
  ).toEqual({
    resource_id: 'openai:gpt-9',
    product_id: 'openai/gpt-9',
    vendor: 'openai',
    platform: 'openai',
    modality: 'llm',
    region: null,
    unit: '1m_tokens',
    input_per_mtok: '0.2',
    output_per_mtok: '0.8',
    cached_input_per_mtok: '0.02',
    image_per_unit: null,
    audio_per_min: null,
    video_per_sec: null,
    currency: 'USD',
    source_url: 'https://openai.example/pricing',
    effective_at: null,
  })
})

test('of tiers the base is taken', () => {
  expect(recordOf({ input_mtok: { base: 5, tiers: [{ start: 200000, price: 10 }] } }).input_per_mtok).toBe(
    '5',
  )
})

test('an hour of audio is divided into minutes', () => {
  const expected = { audio_per_min: '0.001851667', unit: 'minute', modality: 'audio', input_per_mtok: null }
  expect(recordOf({ audio_hours: 0.1111, input_audio_hours: 0.1111 })).toMatchObject(expected)
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

  test('hours of the day do not move the price', () => {
    const hours = {
      constraint: { start_time: '00:30:00Z', end_time: '16:30:00Z' },
      prices: { input_mtok: 0.27 },
    }
    expect(recordOf([{ prices: { input_mtok: 0.135 } }, hours])).toMatchObject({
      input_per_mtok: '0.135',
      effective_at: null,
    })
  })

  test('before the first date there is no price', () => {
    expect(recordOf([{ constraint: { start_date: '2027-01-01' }, prices: { input_mtok: 3 } }])).toMatchObject(
      { input_per_mtok: null },
    )
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
      product_id: 'anthropic/claude-9',
      vendor: 'anthropic',
      platform: 'anthropic',
    },
    {
      resource_id: 'openrouter:anthropic/claude-9',
      product_id: 'anthropic/claude-9',
      vendor: 'anthropic',
      platform: 'openrouter',
    },
    { resource_id: 'openrouter:nobody/knows', product_id: null, vendor: 'unknown', source_url: null },
  ])
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
  const { records, rejected } = await readGenaiPricesPackage(now)

  test('gives more than 1,400 records and refuses none', () => {
    expect(records.length).toBeGreaterThan(1400)
    expect(rejected).toEqual([])
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

  test("names vendor and platform of each, and links every maker's own models", () => {
    for (const { vendor, platform } of records) {
      expect(vendor).not.toBe('')
      expect(platform).not.toBe('')
    }
    const direct = records.filter(({ platform }) => platform === 'openai' || platform === 'anthropic')
    expect(
      direct.filter(({ product_id, vendor, platform }) => product_id === null || vendor !== platform),
    ).toEqual([])
    expect(records.filter(({ vendor }) => vendor === 'unknown').length).toBeLessThan(records.length / 10)
  })
})
