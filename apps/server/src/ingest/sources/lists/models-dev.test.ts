import { describe, expect, test } from 'vitest'
import type { SourceRecord } from '../../source-record.ts'
import { readModelsDev } from './models-dev.ts'
import { plainRecord } from '../../../../test/support/plain-record.ts'

/** A file in models.dev's format, hand-written: one model for each trap of the format. */
const text = { modalities: { input: ['text'], output: ['text'] } }
const fileOf = (provider: string, models: Record<string, unknown>) => ({
  [provider]: { id: provider, doc: `https://${provider}.example/models`, models },
})

function recordOf(
  cost: unknown,
  {
    provider = 'openai',
    id = 'gpt-9',
    ...model
  }: { provider?: string; id?: string; [field: string]: unknown } = {},
): SourceRecord {
  const { records, rejected } = readModelsDev(fileOf(provider, { [id]: { ...text, id, cost, ...model } }))
  expect(rejected).toEqual([])
  const [record] = records
  if (!record) throw new Error('no record')
  return record
}

const ratesOf = (record: SourceRecord) =>
  record.rates.map(({ meter, service_tier, threshold, amount }) => [meter, service_tier, threshold, amount])

test('prices per million are taken as they are, and float dust is brushed off', () => {
  expect(recordOf({ input: 0.049999999999999996, output: 0.8, cache_read: 0.02 })).toEqual({
    ...plainRecord,
    input_per_mtok: '0.05',
    output_per_mtok: '0.8',
    cached_input_per_mtok: '0.02',
    source_url: 'https://openai.example/models',
    source_key: 'openai/gpt-9',
    facts: { vision: false, audio: false },
  })
})

describe('what fits no column is kept in the rate card', () => {
  test.each<[string, Record<string, unknown>, unknown[]]>([
    ['a write to the cache', { cache_write: 3.75 }, [['cache_write_tokens', null, null, '3.75']]],
    [
      'audio',
      { input_audio: 40, output_audio: 80 },
      [
        ['input_audio_tokens', null, null, '40'],
        ['output_audio_tokens', null, null, '80'],
      ],
    ],
    ['thought at a price of its own', { reasoning: 3 }, [['reasoning_tokens', null, null, '3']]],
    ['thought at the price of output', { reasoning: 8 }, []],
    ['a picture made of tokens', { image: 120 }, [['output_image_tokens', null, null, '120']]],
    ['a fee, per thousand requests', { request: 5 }, [['requests', null, null, '0.005']]],
    ['a field that is not known', { moonlight: 7 }, [['moonlight', null, null, '7']]],
    ['a 0 that only fills its field', { cache_write: 0 }, []],
  ])('%s', (_, cost, rates) => {
    const record = recordOf({ input: 2, output: 8, ...cost })
    expect(ratesOf(record)).toEqual(rates)
    expect(record).toMatchObject({ input_per_mtok: '2', output_per_mtok: '8', unit: '1m_tokens' })
  })

  const longer = [
    ['input_tokens', null, 200_000, '4'],
    ['output_tokens', null, 200_000, '12'],
  ]
  const tiers = [{ input: 4, output: 12, cache_read: 0.2, tier: { type: 'context', size: 200_000 } }]
  const base = { input: 2, output: 8, cache_read: 0.2 }
  test.each([
    ['tiers; what they do not change is not repeated', { ...base, tiers }],
    ['the older spelling', { ...base, context_over_200k: { input: 4, output: 12 } }],
    ['both, which say the same', { ...base, tiers, context_over_200k: { input: 5, output: 13 } }],
  ])('longer requests: %s', (_, cost) => {
    expect(ratesOf(recordOf(cost))).toEqual(longer)
    expect(recordOf(cost)).toMatchObject({ input_per_mtok: '2', cached_input_per_mtok: '0.2' })
  })

  test('a faster mode, under the name of its service tier or its own', () => {
    const fast = { cost: { input: 4 }, provider: { body: { service_tier: 'priority' } } }
    const swift = { cost: { input: 3 }, provider: { body: { speed: 'swift' } } }
    const experimental = { modes: { fast, swift } }
    expect(ratesOf(recordOf({ input: 2, output: 8 }, { experimental }))).toEqual([
      ['input_tokens', 'priority', null, '4'],
      ['input_tokens', 'swift', null, '3'],
    ])
  })
})

test.each(['cache_read', 'cached_input', 'cache_input'])('a cached price is read when spelt %s', (field) => {
  expect(recordOf({ input: 2, output: 8, [field]: 0.2 }).cached_input_per_mtok).toBe('0.2')
})

test('cached_write is a write to the cache', () => {
  expect(ratesOf(recordOf({ input: 2, output: 8, cached_write: 2.5 }))).toEqual([
    ['cache_write_tokens', null, null, '2.5'],
  ])
})

describe('unknown is not free', () => {
  test.each([
    ['alibaba-coding-plan', { input: 0, output: 0 }],
    ['xiaomi-token-plan-cn', { input: 0, output: 0, cache_read: 0 }],
    ['github-copilot', { input: 0, output: 0 }],
    ['kimi-for-coding', undefined],
  ])('a model in the plan %s has no price of its own', (provider, cost) => {
    expect(recordOf(cost, { provider })).toMatchObject({
      unit: 'plan',
      input_per_mtok: null,
      output_per_mtok: null,
      cached_input_per_mtok: null,
    })
  })

  test('what a plan does bill by tokens is a price', () => {
    expect(recordOf({ input: 3, output: 15 }, { provider: 'github-copilot' })).toMatchObject({
      unit: '1m_tokens',
      input_per_mtok: '3',
    })
  })

  test('a model without cost has no price', () => {
    expect(recordOf(undefined)).toMatchObject({ unit: null, input_per_mtok: null, modality: 'llm' })
  })

  test('an image model at 0 per token is billed by something else', () => {
    const image = { modalities: { output: ['image'] } }
    expect(recordOf({ input: 0, output: 0 }, image)).toMatchObject({
      modality: 'image',
      unit: null,
      input_per_mtok: null,
    })
  })

  test('a free model is free', () => {
    const free = { input: 0, output: 0, cache_read: 0 }
    expect(recordOf(free)).toMatchObject({ unit: '1m_tokens', input_per_mtok: '0', output_per_mtok: '0' })
  })

  test('a cached price of 0 beside a price is none', () => {
    expect(recordOf({ input: 2, output: 8, cache_read: 0 }).cached_input_per_mtok).toBeNull()
  })
})

describe('where and whose', () => {
  test.each([
    ['amazon-bedrock', 'us.anthropic.claude-9-v1:0', 'bedrock:us:us.anthropic.claude-9-v1:0', 'anthropic'],
    ['google-vertex', 'gemini-9', 'vertex_ai:gemini-9', 'google'],
    ['alibaba', 'qwen-max', 'dashscope:qwen-max', 'alibaba'],
    ['alibaba-cn', 'qwen-max', 'dashscope:cn:qwen-max', 'alibaba'],
    ['moonshotai-cn', 'kimi-k9', 'moonshot:cn:kimi-k9', 'moonshot'],
    ['nano-gpt', 'TEE/deepseek-v9', 'nano-gpt:TEE/deepseek-v9', 'deepseek'],
  ])('%s %s', (provider, id, resource_id, vendor) => {
    expect(recordOf({ input: 1, output: 2 }, { provider, id })).toMatchObject({ resource_id, vendor })
  })

  test.each([{ canonical_model_id: 'moonshotai/kimi-k9' }, { base_model: 'moonshotai/kimi-k9' }])(
    'a model that the file names has that name: %o',
    (named) => {
      const record = recordOf({ input: 1, output: 2 }, { provider: 'poe', id: 'k-nine', ...named })
      expect(record).toMatchObject({
        resource_id: 'poe:k-nine',
        vendor: 'moonshot',
        model_name: 'kimi-k9',
        is_named: true,
      })
    },
  )

  test("a platform's second list is the same resource, and the first is served", () => {
    const model = { ...text, cost: { input: 1, output: 2 } }
    const file = {
      ...fileOf('azure-cognitive-services', { 'gpt-9': model }),
      ...fileOf('azure', { 'gpt-9': { ...model, cost: { input: 1, output: 3 } } }),
    }
    expect(readModelsDev(file)).toMatchObject({
      records: [{ resource_id: 'azure:gpt-9', source_key: 'azure/gpt-9', output_per_mtok: '3' }],
      rejected: [
        {
          id: 'azure-cognitive-services/gpt-9',
          reason: 'names the same resource as azure/gpt-9, which is served, at another price',
        },
      ],
    })
  })
})

test.each<[string, unknown, RegExp]>([
  ['a negative price', { input: -6999906, output: 2 }, /has no usable price: input is negative: -6999906/],
  ['a price in words', { input: 'free', output: 2 }, /input is not a number: free/],
  [
    'a tier of something else',
    { input: 1, tiers: [{ input: 2, tier: { size: 9, type: 'age' } }] },
    /cannot be read: cost\.tiers/,
  ],
  ['a tier of no size', { input: 1, tiers: [{ input: 2, tier: {} }] }, /cannot be read: cost\.tiers/],
])('a row that cannot be served is named, with the reason: %s', (_, cost, reason) => {
  const file = fileOf('openai', { odd: { ...text, cost }, fine: text })
  expect(readModelsDev(file)).toMatchObject({
    records: [{ resource_id: 'openai:fine' }],
    rejected: [{ id: 'openai/odd', reason: expect.stringMatching(reason) as string }],
  })
})

test.each([{}, null, [], 'api', { data: [] }, fileOf('openai', {}), { openai: { models: [] } }])(
  'another kind of file is refused whole: %o',
  (file) => {
    expect(() => readModelsDev(file)).toThrow(/not models\.dev's api\.json/)
  },
)
