import { describe, expect, test } from 'vitest'
import { tarArchive } from '../../../../test/support/tar-archive.ts'
import type { Rate } from '../../../catalog/rate-card.ts'
import type { SourceRecord } from '../../source-record.ts'
import { readPortkeyFile, readPortkey } from './portkey.ts'
import { plainRecord } from '../../../../test/support/plain-record.ts'

/** Files in Portkey's format, hand-written, in cents: one model for each trap of the format. */
const cents = (prices: Record<string, number>) =>
  Object.fromEntries(Object.entries(prices).map(([field, price]) => [field, { price }]))
const chat = cents({ request_token: 0.00002, response_token: 0.00008 })
const modelOf = (pay_as_you_go: unknown, more: object = {}) => ({
  pricing_config: { pay_as_you_go, ...more },
})

function recordOf(model: unknown, name = 'gpt-9', provider = 'openai'): SourceRecord {
  const { records, rejected } = readPortkey({ [provider]: { [name]: model } })
  expect(rejected).toEqual([])
  const [record] = records
  if (!record) throw new Error('no record')
  return record
}

const texts = (rates: readonly Rate[]) =>
  rates.map(({ meter, unit, amount, service_tier, variant, threshold }) =>
    [meter, unit, amount, service_tier, variant, threshold].filter((part) => part !== null).join(' '),
  )

test('cents per token become USD per million tokens', () => {
  expect(recordOf(modelOf({ ...chat, ...cents({ cache_read_input_token: 0.000005 }) }))).toEqual({
    ...plainRecord,
    input_per_mtok: '0.2',
    output_per_mtok: '0.8',
    cached_input_per_mtok: '0.05',
    source_key: 'openai/gpt-9',
  })
})

describe('what fits no column is kept in the rate card', () => {
  test.each<[string, object, object, string[]]>([
    [
      'batches',
      {},
      { batch_config: cents({ request_token: 0.00001 }) },
      ['input_tokens 1m_tokens 0.1 batch'],
    ],
    [
      'writes to the cache, short and long',
      {
        ...cents({ cache_write_input_token: 0.00025 }),
        additional_units: cents({ cache_write_1h: 0.0004 }),
      },
      {},
      ['cache_write_tokens 1m_tokens 4 1h', 'cache_write_tokens 1m_tokens 2.5'],
    ],
    [
      'searches of several kinds; "search" and "web_search" are one',
      {
        additional_units: cents({ web_search: 1, search: 1, file_search: 0.25, web_search_low_context: 0.5 }),
      },
      {},
      ['searches query 0.0025 file', 'searches query 0.005 low', 'searches query 0.01'],
    ],
    [
      'thought, if it is not output',
      cents({ reasoning_token: 0.0004 }),
      {},
      ['reasoning_tokens 1m_tokens 4'],
    ],
    ['thought as output', cents({ reasoning_token: 0.00008 }), {}, []],
    [
      'training',
      {},
      { finetune_config: cents({ pay_per_token: 0.0025, pay_per_hour: 10_000 }) },
      ['training_hours hour 100', 'training_tokens 1m_tokens 25'],
    ],
    ['a fee', {}, { fixed_cost: { request: { price: 0.5 } } }, ['requests request 0.005']],
    ['sound by its tokens', cents({ request_audio_token: 0.004 }), {}, ['input_audio_tokens 1m_tokens 40']],
    ['a unit that is not known', { additional_units: cents({ moonlight: 50 }) }, {}, ['moonlight unit 0.5']],
    ['settings, which are no prices', { additional_units: cents({ default_steps: 28 }) }, {}, []],
  ])('%s', (_, prices, more, rates) => {
    const record = recordOf(modelOf({ ...chat, ...prices }, more))
    expect(texts(record.rates)).toEqual(rates)
    expect(record).toMatchObject({ input_per_mtok: '0.2', output_per_mtok: '0.8', unit: '1m_tokens' })
  })

  test('modes of service, regions and longer requests; what a region does not change is not repeated', () => {
    const at = (price: number) => ({ pricing_config: { pay_as_you_go: cents({ request_token: price }) } })
    const steps = (low: number, high: number) => ({ context_tiers: { short: at(low), long: at(high) } })
    const custom_pricing = {
      context_tier_map: { '0': 'short', '200000': 'long' },
      regions: {
        default: { execution_modes: { standard: steps(0.00002, 0.00004), priority: at(0.00006) } },
        'eu,us': { execution_modes: { standard: steps(0.00002, 0.00005), priority: at(0.00007) } },
      },
    }
    expect(texts(recordOf({ ...modelOf(chat), custom_pricing }).rates)).toEqual([
      'input_tokens 1m_tokens 0.7 priority eu',
      'input_tokens 1m_tokens 0.7 priority us',
      'input_tokens 1m_tokens 0.6 priority',
      'input_tokens 1m_tokens 0.5 eu 200000',
      'input_tokens 1m_tokens 0.5 us 200000',
      'input_tokens 1m_tokens 0.4 200000',
    ])
  })

  test('where the list and its own default region differ, neither is lost', () => {
    const standard = modelOf(cents({ request_token: 0.00003, cache_read_input_token: 0.000002 }))
    const custom_pricing = { regions: { default: { execution_modes: { standard } } } }
    const record = recordOf({ ...modelOf(chat), custom_pricing })
    expect(record).toMatchObject({ input_per_mtok: '0.2', cached_input_per_mtok: '0.02' })
    expect(texts(record.rates)).toEqual(['input_tokens 1m_tokens 0.3 default'])
  })
})

describe('each unit goes into its own column and into no other', () => {
  const zero = cents({ request_token: 0, response_token: 0 })
  test.each<[string, string, object, Partial<SourceRecord>, string[]]>([
    [
      'pictures by quality and size',
      'dall-e-3',
      { image: { default: cents({ default: 4, '1024x1792': 8 }), hd: cents({ default: 8 }) } },
      { modality: 'image', unit: 'image', image_per_unit: '0.04', input_per_mtok: null },
      ['output_images image 0.08 1024x1792', 'output_images image 0.08 hd'],
    ],
    [
      'pictures made',
      'seedream-9',
      { ...zero, additional_units: cents({ generated_images: 3 }) },
      { modality: 'image', image_per_unit: '0.03', input_per_mtok: null },
      [],
    ],
    [
      'the text of an image model',
      'gpt-image-9',
      { image: { default: cents({ default: 4 }) }, ...cents({ request_text_token: 0.0005 }) },
      { image_per_unit: '0.04', input_per_mtok: '5', unit: 'image' },
      [],
    ],
    [
      'seconds of video',
      'veo-9',
      { ...zero, additional_units: cents({ video_seconds: 40, default_duration_seconds: 8 }) },
      { modality: 'video', unit: 'second', video_per_sec: '0.4', output_per_mtok: null },
      [],
    ],
    [
      'seconds of video by size: the lowest is the headline',
      'sora-9',
      {
        ...zero,
        additional_units: cents({
          video_duration_seconds_1920_1080: 70,
          video_duration_seconds_1280_720: 30,
        }),
      },
      { modality: 'video', video_per_sec: '0.3' },
      ['output_video_seconds second 0.3 1280x720', 'output_video_seconds second 0.7 1920x1080'],
    ],
    [
      'minutes heard, called tokens, stated twice',
      'nova-9',
      {
        ...zero,
        ...cents({ request_audio_token: 0.43 }),
        additional_units: cents({ request_audio_token: 0.43 }),
      },
      { modality: 'audio', unit: 'minute', audio_per_min: '0.0043', input_per_mtok: null },
      [],
    ],
    [
      'minutes heard, called tokens of text',
      'whisper-9',
      cents({ request_token: 0.6, response_token: 0 }),
      { modality: 'audio', unit: 'minute', audio_per_min: '0.006', input_per_mtok: null },
      [],
    ],
    [
      'characters spoken, called tokens',
      'tts-1-hd',
      cents({ request_token: 0.003, response_token: 0 }),
      { modality: 'audio', unit: '1m_characters', input_per_mtok: null },
      ['input_characters 1m_characters 30'],
    ],
    [
      'queries, called tokens',
      'rerank-v9',
      cents({ request_token: 0.2, response_token: 0 }),
      { modality: 'rerank', unit: 'query', input_per_mtok: null },
      ['queries query 0.002'],
    ],
    [
      'pages, called tokens',
      'mistral-ocr-9',
      cents({ request_token: 0.4 }),
      { modality: 'ocr', unit: 'page', input_per_mtok: null },
      ['pages page 0.004'],
    ],
    [
      'a reranker that does count tokens',
      'rerank-by-token',
      cents({ request_token: 0.000005 }),
      { modality: 'rerank', unit: '1m_tokens', input_per_mtok: '0.05' },
      [],
    ],
    [
      'an embedding',
      'text-embedding-9',
      cents({ request_token: 0.000002, response_token: 0 }),
      { modality: 'embedding', input_per_mtok: '0.02', output_per_mtok: '0' },
      [],
    ],
  ])('%s', (_, name, prices, expected, rates) => {
    const record = recordOf(modelOf(prices), name)
    expect(record).toMatchObject(expected)
    expect(texts(record.rates)).toEqual(rates)
  })
})

describe('unknown is not free', () => {
  const zero = modelOf(cents({ request_token: 0, response_token: 0, cache_read_input_token: 0 }))
  test('0 is what stands for a price that is not known', () => {
    expect(recordOf(zero)).toMatchObject({ input_per_mtok: null, output_per_mtok: null, unit: null })
    expect(recordOf({ pricing_config: null })).toMatchObject({ input_per_mtok: null, modality: null })
  })

  test('a model that is called free is', () => {
    const free = recordOf(zero, 'google/gemma-9:free', 'openrouter')
    expect(free).toMatchObject({ resource_id: 'openrouter:google/gemma-9:free', input_per_mtok: '0' })
  })

  test('a cached price of 0 beside a price is none', () => {
    const record = recordOf(modelOf({ ...chat, ...cents({ cache_read_input_token: 0 }) }))
    expect(record.cached_input_per_mtok).toBeNull()
  })
})

describe('rows of shorter and of longer requests are one model', () => {
  const short = modelOf(chat)
  const long = modelOf(cents({ request_token: 0.00004, response_token: 0.00008 }))
  const served = { resource_id: 'google:gemini-9', input_per_mtok: '0.2' }

  test('without a row of its own it is that of shorter requests', () => {
    const { records, rejected } = readPortkey({
      google: { 'gemini-9-gt-128k': long, 'gemini-9-lte-128k': short },
    })
    expect(records).toMatchObject([{ ...served, source_key: 'google/gemini-9-lte-128k' }])
    expect(texts(records[0]?.rates ?? [])).toEqual(['input_tokens 1m_tokens 0.4 128000'])
    expect(rejected).toEqual([
      {
        id: 'google/gemini-9-gt-128k',
        reason: 'is a tier of google/gemini-9-lte-128k, kept in its rate card',
      },
    ])
  })

  test('with one, the row of shorter requests completes it', () => {
    const cached = modelOf({ ...chat, ...cents({ cache_read_input_token: 0.000002 }) })
    const { records, rejected } = readPortkey({ google: { 'gemini-9-lte-128k': cached, 'gemini-9': short } })
    expect(records).toMatchObject([
      { ...served, source_key: 'google/gemini-9', cached_input_per_mtok: '0.02' },
    ])
    expect(rejected).toEqual([
      {
        id: 'google/gemini-9-lte-128k',
        reason: 'is about the same requests as google/gemini-9, which is served',
      },
    ])
  })

  test('a tier of nothing is named', () => {
    expect(readPortkey({ google: { 'a-gt-9k': long, b: short } }).rejected).toEqual([
      { id: 'google/a-gt-9k', reason: 'is a tier of google/a, which the file does not list' },
    ])
  })
})

test.each([
  ['azure-openai', 'gpt-9', 'azure:gpt-9'],
  ['vertex-ai', 'gemini-9', 'vertex_ai:gemini-9'],
  ['workers-ai', '@cf/meta/llama-9', 'cloudflare:@cf/meta/llama-9'],
  ['x-ai', 'grok-9', 'xai:grok-9'],
  ['bedrock-mantle', 'anthropic.claude-9', 'bedrock:anthropic.claude-9'],
])('%s %s is %s', (provider, name, resource_id) => {
  expect(recordOf(modelOf(chat), name, provider).resource_id).toBe(resource_id)
})

test('a row that cannot be served is named, with the reason', () => {
  const models = {
    default: modelOf(chat),
    fine: { ...modelOf(chat), stray: modelOf(chat) },
    negative: modelOf(cents({ request_token: -3 })),
    textual: modelOf({ request_token: 'x' }),
    unpriced: {},
  }
  expect(readPortkey({ openai: models }).rejected).toEqual([
    { id: 'openai/default', reason: 'is not a model: what Portkey assumes of unknown ones' },
    { id: 'openai/fine/stray', reason: 'stands inside the entry of another model' },
    { id: 'openai/negative', reason: 'has no usable price: request_token is negative: -3' },
    { id: 'openai/textual', reason: expect.stringMatching(/^cannot be read: pricing_config/) as string },
    { id: 'openai/unpriced', reason: expect.stringMatching(/^cannot be read: pricing_config/) as string },
  ])
})

test.each([{}, null, [], { openai: 3 }, { openai: {} }, { openai: { a: { price: 1 } } }])(
  'another kind of file is refused whole: %o',
  (file) => {
    expect(() => readPortkey(file)).toThrow(/not a Portkey price file/)
  },
)

describe('the file may be', () => {
  const models = { 'gpt-9': modelOf(chat) }

  test("one provider's, named as Portkey names it", () => {
    expect(readPortkeyFile({ json: models, name: 'openai.json' })).toEqual({ openai: models })
    expect(() => readPortkeyFile({ json: models })).toThrow(/name the file .* such as openai\.json/)
    expect(() => readPortkeyFile({ json: models, name: 'my prices.txt' })).toThrow(/openai\.json/)
  })

  test('all of them by provider', () => {
    expect(readPortkeyFile({ json: { openai: models }, name: 'all.json' })).toEqual({ openai: models })
  })

  test('the archive of the repository', () => {
    const bytes = tarArchive({
      'models-main/openapi.yaml': 'openapi: 3.1.0',
      'models-main/pricing/openai.json': JSON.stringify(models),
      'models-main/general/openai.json': '{}',
    })
    expect(readPortkeyFile({ bytes })).toEqual({ openai: models })
  })

  test('and an archive without prices is refused, as is one with a broken list', () => {
    expect(() => readPortkeyFile({ bytes: tarArchive({ 'a.json': '{}' }) })).toThrow(/no pricing/)
    expect(() => readPortkeyFile({ bytes: tarArchive({ 'pricing/a.json': '{' }) })).toThrow(
      /pricing\/a\.json is not JSON/,
    )
  })
})
