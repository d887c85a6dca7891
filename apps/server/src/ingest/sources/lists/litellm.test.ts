import { describe, expect, test } from 'vitest'
import type { PriceRecord } from '../../../catalog/price-record.ts'
import { rowCheck } from '../../../platform/row-check.ts'
import { admit } from '../../claims/admit.ts'
import { readLitellm } from './litellm.ts'
import { chat, reasonOf, recordOf } from '../../../../test/support/litellm-rows.ts'
import { plainRecord } from '../../../../test/support/plain-record.ts'

test('a chat row becomes a price per million tokens, exactly', () => {
  expect(
    recordOf('gpt-9', {
      ...chat,
      cache_read_input_token_cost: 5e-8,
      source: 'https://openai.example/pricing',
    }),
  ).toEqual({
    ...plainRecord,
    input_per_mtok: '0.2', // 2e-7 * 1e6 is 0.19999999999999998 in floats
    output_per_mtok: '0.8',
    cached_input_per_mtok: '0.05',
    source_url: 'https://openai.example/pricing',
    source_key: 'gpt-9',
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
    ['m', { input_cost_per_token: 1e-6 }, /has input_cost_per_token but no litellm_provider/],
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

  test('ids that differ in case and punctuation alone are one resource', () => {
    const row = { ...chat, litellm_provider: 'together_ai' }
    const { records, rejected } = readLitellm({
      'together_ai/BAAI/bge-m3': row,
      'together_ai/baai/bge_m3': row,
    })
    expect(records.map(({ resource_id }) => resource_id)).toEqual(['together:BAAI/bge-m3'])
    expect(rejected).toEqual([
      {
        id: 'together_ai/baai/bge_m3',
        reason: 'names the same resource as together_ai/BAAI/bge-m3, at the same price',
      },
    ])
  })
})

describe('an implausible file is refused whole', () => {
  test.each<[string, unknown, RegExp]>([
    ['a list', [chat], /top level is not an object/],
    ['null', null, /top level is not an object/],
    ['no models', { hello: 'world' }, /none of its entries is a model/],
    ['no sellers', { a: { input_cost_per_token: 1e-6 } }, /none of its entries is a model/],
  ])('%s', (_, file, message) => {
    expect(() => readLitellm(file)).toThrow(message)
  })
})
