import { describe, expect, test } from 'vitest'
import { readLlmPrices } from './llm-prices.ts'
import { plainRecord } from '../../../../test/support/plain-record.ts'

/** A file in the format of llm-prices' historical-v1.json, hand-written: one period for each trap. */
const period = {
  id: 'gpt-9',
  vendor: 'openai',
  name: 'GPT-9',
  input: 2,
  output: 10,
  input_cached: null,
  from_date: null,
  to_date: null,
}

function read(prices: unknown[], day = '2026-08-21') {
  return readLlmPrices({ prices }, new Date(`${day}T12:00:00Z`))
}

test('a period is a price per million tokens, of a model that its vendor sells', () => {
  expect(read([{ ...period, input: 0.1, input_cached: 0.025 }]).records).toEqual([
    {
      ...plainRecord,
      input_per_mtok: '0.1',
      output_per_mtok: '10',
      cached_input_per_mtok: '0.025',
      source_key: 'openai/gpt-9',
    },
  ])
})

test.each([
  ['anthropic', 'claude-4.5-haiku', 'anthropic:claude-haiku-4-5'],
  ['anthropic', 'claude-opus-4', 'anthropic:claude-opus-4-0'],
  ['amazon', 'amazon-nova-pro', 'bedrock:amazon.nova-pro-v1:0'],
  ['google', 'gemini-3-1-pro-preview', 'google:gemini-3.1-pro-preview'],
  ['anthropic', 'constructor', 'anthropic:constructor'],
])("a name of the file's own making stands for the vendor's id: %s/%s", (vendor, id, resource_id) => {
  expect(read([{ ...period, vendor, id }]).records).toMatchObject([
    { resource_id, source_key: `${vendor}/${id}` },
  ])
})

test.each([
  ['amazon', 'bedrock', 'amazon'],
  ['meta-ai', 'meta', 'meta'],
  ['moonshot-ai', 'moonshot', 'moonshot'],
  ['qwen', 'dashscope', 'alibaba'],
  ['xai', 'xai', 'xai'],
  ['constructor', 'constructor', 'unknown'],
])('the vendor %s sells on %s', (name, platform, vendor) => {
  const [record] = read([{ ...period, id: 'model', vendor: name }]).records
  expect(record).toMatchObject({ resource_id: `${platform}:model`, platform, vendor })
})

describe('periods', () => {
  const past = { ...period, input: 4, to_date: '2026-07-30' }
  const present = { ...period, from_date: '2026-07-30', to_date: '2026-09-01' }
  const future = { ...period, input: 3, from_date: '2026-09-01' }

  test.each([
    ['2026-07-29', '4', null],
    ['2026-07-30', '2', '2026-07-30'],
    ['2026-08-31', '2', '2026-07-30'],
    ['2026-09-01', '3', '2026-09-01'],
  ])('on %s the one that has begun and not ended is in force', (day, input_per_mtok, effective_at) => {
    const { records, rejected } = read([future, past, present], day)
    expect(records).toMatchObject([{ input_per_mtok, effective_at }])
    expect(records.length + rejected.length + (records[0]?.scheduled.length ?? 0)).toBe(3)
  })

  test('one that ended is named, one to come is scheduled', () => {
    const { records, rejected } = read([past, present, future])
    expect(rejected).toEqual([{ id: 'openai/gpt-9', reason: 'ended on 2026-07-30' }])
    expect(records[0]?.scheduled).toMatchObject([
      {
        starts_on: '2026-09-01',
        amounts: { input_per_mtok: '3', output_per_mtok: '10', image_per_unit: null },
      },
    ])
  })

  test('a model that is only to come has no price yet', () => {
    expect(read([future]).records).toMatchObject([
      { input_per_mtok: null, effective_at: null, scheduled: [{ starts_on: '2026-09-01' }] },
    ])
  })

  test('of two that hold at once the later is served, and the other named', () => {
    const { records, rejected } = read([{ ...past, to_date: null }, present])
    expect(records).toMatchObject([{ input_per_mtok: '2' }])
    expect(rejected).toMatchObject([
      { id: 'openai/gpt-9', reason: expect.stringMatching(/which is served, at another price/) as string },
    ])
  })
})

describe('a long context that is listed as a model', () => {
  const tier = { ...period, id: 'gpt-9-272k', name: 'GPT-9 >272k', input: 4, output: 15, input_cached: 0.4 }

  test('is a tier in the rate card of its model', () => {
    const { records, rejected } = read([tier, period])
    expect(records.map(({ resource_id, input_per_mtok }) => [resource_id, input_per_mtok])).toEqual([
      ['openai:gpt-9', '2'],
    ])
    expect(
      records[0]?.rates.map(({ meter, unit, threshold, amount }) => [meter, unit, threshold, amount]),
    ).toEqual([
      ['cached_input_tokens', '1m_tokens', 272_000, '0.4'],
      ['input_tokens', '1m_tokens', 272_000, '4'],
      ['output_tokens', '1m_tokens', 272_000, '15'],
    ])
    expect(rejected).toEqual([
      { id: 'openai/gpt-9-272k', reason: 'is a tier of openai/gpt-9, kept in its rate card' },
    ])
  })

  test('only in the period that holds', () => {
    const cheaper = { ...tier, input: 3, from_date: '2026-07-30' }
    const dearer = { ...tier, input: 5, from_date: '2026-10-01' }
    const { records, rejected } = read([
      period,
      { ...tier, to_date: '2026-07-30' },
      { ...cheaper, to_date: '2026-10-01' },
      dearer,
    ])
    expect(records[0]?.rates.find(({ meter }) => meter === 'input_tokens')?.amount).toBe('3')
    expect(rejected.map(({ reason }) => reason)).toEqual([
      'is a tier of openai/gpt-9 that ended on 2026-07-30',
      'is a tier of openai/gpt-9, kept in its rate card',
      'is a tier of openai/gpt-9 that begins on 2026-10-01',
    ])
  })

  test('stays a model when its model is not listed, or is sold no more', () => {
    expect(read([tier]).records).toMatchObject([{ resource_id: 'openai:gpt-9-272k', rates: [] }])
    const { records } = read([tier, { ...period, to_date: '2026-01-01' }])
    expect(records).toMatchObject([{ resource_id: 'openai:gpt-9-272k', input_per_mtok: '4' }])
  })

  test('is told from a window in the name', () => {
    const window = { ...period, id: 'gpt-9-32k', name: 'GPT-9 32k' }
    expect(read([period, window]).records).toHaveLength(2)
  })
})

test('a row that cannot be served is named, with the reason', () => {
  const rows = [
    period,
    { ...period, id: 'negative', output: -3 },
    { ...period, id: 'undated', to_date: 'soon' },
    'gpt-10',
  ]
  expect(read(rows).rejected).toEqual([
    { id: 'openai/negative', reason: 'has no usable price: output is negative: -3' },
    { id: '#2', reason: expect.stringMatching(/^cannot be read: to_date/) as string },
    { id: '#3', reason: expect.stringMatching(/^cannot be read/) as string },
  ])
})

test.each([{}, [], null, { prices: [] }, { prices: {} }])(
  'another kind of file is refused whole: %o',
  (file) => {
    expect(() => readLlmPrices(file, new Date())).toThrow(/not an llm-prices historical-v1 file/)
  },
)

test('the date of the file, where it has one, is its version', () => {
  const file = { updated_at: '2026-08-05', prices: [period] }
  expect(readLlmPrices(file, new Date()).version).toBe('2026-08-05')
  expect(read([period]).version).toBeNull()
})
