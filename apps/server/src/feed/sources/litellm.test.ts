import { describe, expect, test } from 'vitest'
import type { PriceRecord } from '../../features/prices/price-record.ts'
import type { Rate } from '../../features/prices/rate-card.ts'
import type { SourceRecord } from '../source-record.ts'
import { meaningOf } from './litellm-fields.ts'
import { rowCheck } from '../../platform/row-check.ts'
import { admit } from '../admit.ts'
import { readLitellm } from './litellm.ts'

/** A file in LiteLLM's format, hand-written: one row for each trap of the format. */
const chat = {
  litellm_provider: 'openai',
  mode: 'chat',
  input_cost_per_token: 2e-7,
  output_cost_per_token: 8e-7,
}

function recordOf(key: string, row: Record<string, unknown>): SourceRecord {
  const { records, rejected } = readLitellm({ [key]: row })
  expect(rejected).toEqual([])
  const [record] = records
  if (!record) throw new Error('no record')
  return record
}

function reasonOf(key: string, row: unknown): string | undefined {
  return readLitellm({ other: chat, [key]: row }).rejected.find(({ id }) => id === key)?.reason
}

test('a chat row becomes a price per million tokens, exactly', () => {
  expect(
    recordOf('gpt-9', {
      ...chat,
      cache_read_input_token_cost: 5e-8,
      source: 'https://openai.example/pricing',
    }),
  ).toEqual({
    resource_id: 'openai:gpt-9',
    product_id: 'openai/gpt-9',
    vendor: 'openai',
    platform: 'openai',
    modality: 'llm',
    region: null,
    unit: '1m_tokens',
    input_per_mtok: '0.2', // 2e-7 * 1e6 is 0.19999999999999998 in floats
    output_per_mtok: '0.8',
    cached_input_per_mtok: '0.05',
    image_per_unit: null,
    audio_per_min: null,
    video_per_sec: null,
    currency: 'USD',
    source_url: 'https://openai.example/pricing',
    effective_at: null,
    source_key: 'gpt-9',
    model_name: 'gpt-9',
    rates: [],
    retires_on: null,
    scheduled: [],
  })
})

describe('each unit goes into its own column and into no other', () => {
  test.each<[string, Record<string, unknown>, Partial<PriceRecord>]>([
    [
      'the old spelling of a cached price',
      { mode: 'chat', input_cost_per_token_cache_hit: 1.4e-8 },
      { cached_input_per_mtok: '0.014' },
    ],
    [
      'an image made',
      { mode: 'image_edit', output_cost_per_image: 0.04 },
      { image_per_unit: '0.04', unit: 'image' },
    ],
    [
      'an image made, under input',
      { mode: 'image_generation', input_cost_per_image: 0.04 },
      { image_per_unit: '0.04' },
    ],
    [
      'an image given to a chat model',
      { mode: 'chat', input_cost_per_token: 1e-6, input_cost_per_image: 0.001 },
      { image_per_unit: null, unit: '1m_tokens' },
    ],
    [
      'an image by its tokens',
      { mode: 'image_generation', input_cost_per_token: 5e-6 },
      { image_per_unit: null, input_per_mtok: '5' },
    ],
    [
      'pixels',
      { mode: 'image_generation', input_cost_per_pixel: 1.9e-8, output_cost_per_pixel: 0 },
      { image_per_unit: null, unit: 'pixel' },
    ],
    [
      'seconds heard, stated twice',
      { mode: 'audio_transcription', input_cost_per_second: 0.0001, output_cost_per_second: 0.0001 },
      { audio_per_min: '0.006', unit: 'minute' },
    ],
    [
      'seconds heard beside a filler',
      { mode: 'audio_transcription', input_cost_per_second: 0, output_cost_per_second: 2.77778e-5 },
      { audio_per_min: '0.001666668' },
    ],
    [
      'characters spoken',
      { mode: 'audio_speech', input_cost_per_character: 1.5e-5 },
      { audio_per_min: null, input_per_mtok: null, unit: '1m_characters' },
    ],
    [
      'a second of video',
      { mode: 'video_generation', output_cost_per_second: 0.5 },
      { video_per_sec: '0.5', audio_per_min: null, unit: 'second' },
    ],
    [
      'a second of video, by its name',
      { mode: 'video_generation', output_cost_per_video_per_second: 0.1, output_cost_per_second: 9 },
      { video_per_sec: '0.1' },
    ],
    [
      'video given to a chat model',
      { mode: 'chat', input_cost_per_video_per_second: 0.0005, output_cost_per_token: 7e-6 },
      { video_per_sec: null, output_per_mtok: '7' },
    ],
    [
      'seconds of a chat model',
      { mode: 'chat', input_cost_per_second: 0.01 },
      { audio_per_min: null, video_per_sec: null, unit: 'second' },
    ],
    ['pages', { mode: 'ocr', ocr_cost_per_page: 0.002 }, { input_per_mtok: null, unit: 'page' }],
    [
      'searches in tiers',
      { mode: 'search', tiered_pricing: [{ input_cost_per_query: 0.005, max_results_range: [0, 25] }] },
      { unit: 'query' },
    ],
    [
      'tokens in tiers: the lowest',
      {
        mode: 'chat',
        tiered_pricing: [
          { input_cost_per_token: 2e-6, range: [32000, 128000] },
          { input_cost_per_token: 1e-6, range: [0, 32000] },
        ],
      },
      { input_per_mtok: '1', unit: '1m_tokens' },
    ],
    [
      'above a threshold',
      {
        mode: 'chat',
        input_cost_per_token: 1e-6,
        input_cost_per_token_above_200k_tokens: 2e-6,
        input_cost_per_token_batches: 5e-7,
      },
      { input_per_mtok: '1' },
    ],
  ])('%s', (_, row, expected) => {
    expect(recordOf('model', { litellm_provider: 'somewhere', ...row })).toMatchObject(expected)
  })
})

describe('what fits no column is in the rate card', () => {
  const ratesOf = (row: Record<string, unknown>) => recordOf('m', { ...chat, ...row }).rates
  const rate = (meter: string, unit: string, amount: string, only: Partial<Rate> = {}): Rate => {
    return { meter, unit, amount, service_tier: null, variant: null, threshold: null, hours: null, ...only }
  }

  test.each<[string, unknown, Rate]>([
    [
      'input_cost_per_token_batches',
      1e-7,
      rate('input_tokens', '1m_tokens', '0.1', { service_tier: 'batch' }),
    ],
    ['output_cost_per_token_flex', 4e-7, rate('output_tokens', '1m_tokens', '0.4', { service_tier: 'flex' })],
    [
      'input_cost_per_token_above_272k_tokens_priority',
      8e-7,
      rate('input_tokens', '1m_tokens', '0.8', { service_tier: 'priority', threshold: 272_000 }),
    ],
    ['cache_creation_input_token_cost', 2.5e-7, rate('cache_write_tokens', '1m_tokens', '0.25')],
    [
      'cache_creation_input_token_cost_above_1hr_above_200k_tokens',
      1.2e-5,
      rate('cache_write_tokens', '1m_tokens', '12', { variant: '1h', threshold: 200_000 }),
    ],
    [
      'cache_read_input_token_cost_above_200k_tokens',
      6e-7,
      rate('cached_input_tokens', '1m_tokens', '0.6', { threshold: 200_000 }),
    ],
    ['cache_read_input_audio_token_cost', 3e-7, rate('cached_input_audio_tokens', '1m_tokens', '0.3')],
    ['input_cost_per_audio_token', 4e-5, rate('input_audio_tokens', '1m_tokens', '40')],
    ['output_cost_per_image_token', 3e-5, rate('output_image_tokens', '1m_tokens', '30')],
    ['output_cost_per_reasoning_token', 4e-6, rate('reasoning_tokens', '1m_tokens', '4')],
    ['citation_cost_per_token', 2e-6, rate('citation_tokens', '1m_tokens', '2')],
    ['input_cost_per_character', 1.5e-5, rate('input_characters', '1m_characters', '15')],
    ['input_cost_per_pixel', 2.0345052083e-9, rate('input_pixels', '1m_pixels', '0.002034505')],
    ['input_cost_per_image', 0.001, rate('input_images', 'image', '0.001')],
    ['input_cost_per_audio_per_second', 0.00014, rate('input_audio_seconds', 'second', '0.00014')],
    [
      'input_cost_per_video_per_second_above_15s_interval',
      0.002,
      rate('input_video_seconds', 'second', '0.002', { variant: 'above_15s' }),
    ],
    ['output_cost_per_second_1080p', 0.08, rate('output_seconds', 'second', '0.08', { variant: '1080p' })],
    ['input_cost_per_query', 0.002, rate('queries', 'query', '0.002')],
    ['input_cost_per_request', '0.005', rate('requests', 'request', '0.005')],
    ['ocr_cost_per_page', 0.003, rate('ocr_pages', 'page', '0.003')],
    ['code_interpreter_cost_per_session', 0.03, rate('code_interpreter_sessions', 'session', '0.03')],
    ['file_search_cost_per_1k_calls', 2.5, rate('file_search_calls', 'call', '0.0025')],
    ['vector_store_cost_per_gb_per_day', 0.1, rate('vector_store_gb_days', 'gb_day', '0.1')],
    ['computer_use_input_cost_per_1k_tokens', 0.003, rate('computer_use_input_tokens', '1m_tokens', '3')],
    ['input_dbu_cost_per_token', 1.429e-6, rate('input_dbus', '1m_tokens', '1.429')],
    [
      'regional_processing_uplift_multiplier_eu',
      1.1,
      rate('price_multiplier', 'multiplier', '1.1', { variant: 'eu' }),
    ],
    // Unknown names.
    ['input_cost_per_token_turbo', 1e-7, rate('input_tokens', '1m_tokens', '0.1', { variant: 'turbo' })],
    ['output_cost_per_smell', 0.5, rate('output_smell', 'smell', '0.5')],
    ['hosting_cost', 7, rate('hosting_cost', 'unit', '7')],
  ])('%s', (field, value, expected) => {
    expect(ratesOf({ [field]: value })).toEqual([expected])
  })

  test('a search has a price for each size of its context', () => {
    const sizes = { search_context_size_low: 0.01, search_context_size_high: 0.03 }
    expect(ratesOf({ search_context_cost_per_query: sizes })).toEqual([
      rate('searches', 'query', '0.03', { variant: 'high' }),
      rate('searches', 'query', '0.01', { variant: 'low' }),
    ])
  })

  test('the tiers above the lowest start at a threshold; what only the lowest has starts at the first token', () => {
    const tiered_pricing = [
      { input_cost_per_token: 2e-6, range: [32e3, 128e3] },
      { input_cost_per_token: 1e-6, output_cost_per_reasoning_token: 4e-6, range: [0, 32e3] },
    ]
    const record = recordOf('m', { litellm_provider: 'dashscope', mode: 'chat', tiered_pricing })
    expect(record.input_per_mtok).toBe('1')
    expect(record.rates).toEqual([
      rate('input_tokens', '1m_tokens', '2', { threshold: 32_000 }),
      rate('reasoning_tokens', '1m_tokens', '4'),
    ])
  })

  test('tiers of something else than tokens are variants', () => {
    const tiered_pricing = [
      { input_cost_per_query: 0.005, max_results_range: [0, 25] },
      { input_cost_per_query: 0.025, max_results_range: [26, 100] },
    ]
    expect(recordOf('s', { litellm_provider: 'exa_ai', mode: 'search', tiered_pricing }).rates).toEqual([
      rate('queries', 'query', '0.005', { variant: 'max_results:0-25' }),
      rate('queries', 'query', '0.025', { variant: 'max_results:26-100' }),
    ])
  })

  test('what a column holds is not said twice, what differs is', () => {
    const heard = { input_cost_per_second: 0.0001, output_cost_per_second: 0.0001 }
    const whisper = { litellm_provider: 'openai', mode: 'audio_transcription' }
    expect(recordOf('whisper-9', { ...whisper, ...heard }).rates).toEqual([])
    const image = { litellm_provider: 'google', mode: 'image_generation', output_cost_per_image: 0.134 }
    expect(recordOf('i', { ...image, input_cost_per_image: 0.134 }).rates).toEqual([])
    expect(recordOf('i', { ...image, input_cost_per_image: 0.001 }).rates).toEqual([
      rate('input_images', 'image', '0.001'),
    ])
    const both = { cache_read_input_token_cost: 2e-8, input_cost_per_token_cache_hit: 3e-8 }
    expect(recordOf('m', { ...chat, ...both })).toMatchObject({
      cached_input_per_mtok: '0.02',
      rates: [rate('cached_input_tokens', '1m_tokens', '0.03')],
    })
  })

  test('a 0 fills a field, unless it is all that the row says', () => {
    expect(ratesOf({ input_cost_per_image: 0, input_cost_per_token_batches: 0 })).toEqual([])
    const search = { litellm_provider: 'duckduckgo', mode: 'search', input_cost_per_query: 0 }
    expect(recordOf('duckduckgo/search', search).rates).toEqual([rate('queries', 'query', '0')])
    const speech = { litellm_provider: 'somewhere', mode: 'audio_transcription', input_cost_per_token: 0 }
    expect(recordOf('asr', speech).rates).toEqual([])
  })

  test('modes of service and regions that multiply a price', () => {
    const entry = { us: 1.1, fast: 6, bedrock_invocation_schema: 'titan_v2' }
    expect(ratesOf({ provider_specific_entry: entry })).toEqual([
      rate('price_multiplier', 'multiplier', '6', { variant: 'fast' }),
      rate('price_multiplier', 'multiplier', '1.1', { variant: 'us' }),
    ])
  })

  test('endings stack in any order', () => {
    const { service_tier, threshold, variant } = meaningOf(
      'input_cost_per_token_flex_above_1hr_above_64k_tokens',
    )
    expect({ service_tier, threshold, variant }).toEqual({
      service_tier: 'flex',
      threshold: 64_000,
      variant: '1h',
    })
  })

  test('a field about prices that holds no number is none', () => {
    expect(
      ratesOf({ cost_note: 'ask us', cost_region: '', supports_cost_per_image: true, cost_history: [1, 2] }),
    ).toEqual([])
  })

  test('a rate that cannot be a price refuses the row by name', () => {
    expect(reasonOf('m', { ...chat, input_cost_per_token_batches: -5e-7 })).toMatch(
      /input_cost_per_token_batches is negative/,
    )
  })
})

test.each([
  ['2026-10-14', '2026-10-14'],
  ['2026-02-30', null],
  ['in autumn', null],
  [20261014, null],
  [undefined, null],
])('the day of deprecation, %s, is the day of retirement when it is one', (deprecation_date, retires_on) => {
  expect(recordOf('m', { ...chat, deprecation_date }).retires_on).toBe(retires_on)
})

describe('unknown is not free', () => {
  test('zero tokens on a row billed by another unit are null', () => {
    const row = {
      litellm_provider: 'cohere',
      mode: 'rerank',
      input_cost_per_token: 0,
      output_cost_per_token: 0,
      input_cost_per_query: 0.002,
    }
    expect(recordOf('rerank-v9', row)).toMatchObject({
      input_per_mtok: null,
      output_per_mtok: null,
      unit: 'query',
    })
    const speech = { litellm_provider: 'somewhere', mode: 'audio_transcription', input_cost_per_token: 0 }
    expect(recordOf('asr', speech)).toMatchObject({ input_per_mtok: null, unit: null })
  })

  test("a stated zero stays zero: a free model, an embedding's output", () => {
    expect(recordOf('m', { ...chat, input_cost_per_token: 0, output_cost_per_token: 0 })).toMatchObject({
      input_per_mtok: '0',
      output_per_mtok: '0',
    })
    expect(recordOf('m', { ...chat, mode: 'embedding', output_cost_per_token: 0 })).toMatchObject({
      input_per_mtok: '0.2',
      output_per_mtok: '0',
    })
  })

  test('a row without a price, and -1, are served as unknown', () => {
    expect(recordOf('m', { litellm_provider: 'github_copilot', mode: 'chat' })).toMatchObject({
      input_per_mtok: null,
      unit: null,
      modality: 'llm',
    })
    expect(recordOf('m', { litellm_provider: 'openrouter', input_cost_per_token: -1 })).toMatchObject({
      input_per_mtok: null,
      modality: null,
    })
  })

  test('a source that is a sentence is no address', () => {
    expect(recordOf('m', { ...chat, source: 'Defaulting to base model pricing' }).source_url).toBeNull()
  })
})

describe('what is not served is named, with the reason', () => {
  test.each<[string, unknown, RegExp]>([
    ['sample_spec', { litellm_provider: 'one of …', input_cost_per_token: 0 }, /not a model/],
    ['fallback_generalizations', { rules: [] }, /not a model/],
    ['last_updated', '2026-07-24 06:00:00', /not a model/],
    ['notes', { text: 'none' }, /no litellm_provider/],
    [
      'bedrock/*/1-month-commitment/cohere.command-text-v14',
      { litellm_provider: 'bedrock', mode: 'chat', input_cost_per_second: 0.011 },
      /rented throughput/,
    ],
    ['openai/*', chat, /a pattern/],
    [
      'fireworks_ai/accounts/fireworks/models/',
      { ...chat, litellm_provider: 'fireworks_ai' },
      /names no model/,
    ],
    ['m', { ...chat, input_cost_per_token: -0.5 }, /input_cost_per_token is negative: -0\.5/],
    ['m', { ...chat, output_cost_per_token: 'free' }, /output_cost_per_token is not a number: free/],
    ['m', { ...chat, output_cost_per_token: 1e6 }, /too large/],
    ['m', { ...chat, output_cost_per_token: 1e-30 }, /too small/],
    ['m', { ...chat, output_cost_per_token: {} }, /cannot be read: output_cost_per_token/],
    ['m', { litellm_provider: 7 }, /cannot be read: litellm_provider/],
  ])('%s', (key, row, reason) => {
    expect(reasonOf(key, row)).toMatch(reason)
  })

  test.each(['\u0000', '\ud800'])('text that the database does not take (%j)', async (character) => {
    const check = await rowCheck()
    const rejected = (file: Record<string, unknown>) => admit(readLitellm(file), check).rejected
    const reason = expect.stringMatching(/no text/) as string
    expect(rejected({ [`m${character}`]: chat })).toEqual([{ id: 'm\ufffd', reason }])
    const entry = { ...chat, provider_specific_entry: { [character]: 2 } }
    expect(rejected({ m: entry })).toEqual([{ id: 'm', reason }])
    expect(recordOf('m', { ...chat, source: `https://a.example/${character}` }).source_url).toBeNull()
  })

  test('a resource listed twice is served once, by the key that names its platform', () => {
    const row = { ...chat, litellm_provider: 'deepseek' }
    const file = { 'deepseek-chat': { ...row, output_cost_per_token: 9e-7 }, 'deepseek/deepseek-chat': row }
    expect(readLitellm(file)).toMatchObject({
      records: [{ resource_id: 'deepseek:deepseek-chat', output_per_mtok: '0.8' }],
      rejected: [
        {
          id: 'deepseek-chat',
          reason: expect.stringMatching(
            /deepseek\/deepseek-chat, which is served, at another price/,
          ) as string,
        },
      ],
    })
  })

  test('ids that differ in case alone are two resources', () => {
    const row = { ...chat, litellm_provider: 'together_ai' }
    const { records } = readLitellm({ 'together_ai/BAAI/bge-m3': row, 'together_ai/baai/bge-m3': row })
    expect(records.map(({ resource_id }) => resource_id)).toEqual([
      'together:BAAI/bge-m3',
      'together:baai/bge-m3',
    ])
  })
})

describe('an implausible file is refused whole', () => {
  test.each<[string, unknown, RegExp]>([
    ['a list', [chat], /top level is not an object/],
    ['null', null, /top level is not an object/],
    ['no models', { hello: 'world' }, /none of its entries is a model/],
    [
      'a price without a provider',
      { a: chat, b: { input_cost_per_token: 1e-6 } },
      /b has input_cost_per_token but no litellm_provider/,
    ],
  ])('%s', (_, file, message) => {
    expect(() => readLitellm(file)).toThrow(message)
  })
})
