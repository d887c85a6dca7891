import { describe, expect, test } from 'vitest'
import type { Rate } from '../../../catalog/rate-card.ts'
import { parseField } from './litellm-fields.ts'
import { chat, reasonOf, recordOf } from '../../../../test/support/litellm-rows.ts'

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
    ['annotation_cost_per_page', 0.005, rate('annotated_pages', 'page', '0.005')],
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
    const { service_tier, threshold, variant } = parseField(
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
