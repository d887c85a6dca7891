import { describe, expect, test } from 'vitest'
import type { SourceReading, SourceRecord } from '../../source-record.ts'
import { readHostList } from './host-list.ts'
import { hostLists } from './index.ts'

/** Rows in each list's form, hand-written: what a form means to the digit, and what is refused. */
const now = new Date('2026-08-20T12:00:00Z')

const read = (name: keyof typeof hostLists, ...rows: unknown[]): SourceReading =>
  readHostList(hostLists[name], { data: rows }, now)

function only(name: keyof typeof hostLists, row: unknown): SourceRecord {
  const { records, rejected } = read(name, row)
  expect(rejected).toEqual([])
  return records[0]!
}

const cardOf = ({ rates }: SourceRecord) =>
  rates.map(({ meter, unit, variant, threshold, amount }) => [meter, unit, variant, threshold, amount])

const refusalOf = (name: keyof typeof hostLists, good: unknown, bad: unknown) =>
  read(name, good, bad)
    .rejected.map(({ reason }) => reason)
    .join()

const venice = { id: 'llama-9', type: 'text', model_spec: { pricing: { input: { usd: 1, diem: 9 } } } }
const withPrice = (type: string, pricing: unknown) => ({ id: 'some-model', type, model_spec: { pricing } })

describe('venice', () => {
  test('states prices per million, and above a threshold of its own', () => {
    const usd = (amount: number) => ({ usd: amount, diem: amount * 3 })
    const base = { input: usd(2.83), output: usd(15), cache_input: usd(0.28), cache_write: usd(3.54) }
    const extended = { context_token_threshold: 200_000, input: usd(5.67), output: usd(22.5) }
    const record = only('venice', { ...venice, model_spec: { pricing: { ...base, extended } } })
    expect(record).toMatchObject({
      ...{ resource_id: 'venice:llama-9', platform: 'venice', modality: 'llm', currency: 'USD' },
      ...{ unit: '1m_tokens', input_per_mtok: '2.83', output_per_mtok: '15', cached_input_per_mtok: '0.28' },
    })
    expect(cardOf(record)).toEqual([
      ['cache_write_tokens', '1m_tokens', null, null, '3.54'],
      ['input_tokens', '1m_tokens', null, 200_000, '5.67'],
      ['output_tokens', '1m_tokens', null, 200_000, '22.5'],
    ])
  })

  test.each<[string, string, unknown, Partial<SourceRecord>, unknown[]]>([
    [
      'speech by its characters',
      'tts',
      { input: { usd: 62.5 } },
      { modality: 'audio', input_per_mtok: null },
      [['characters', '1m_characters', null, null, '62.5']],
    ],
    [
      'speech by a thousand',
      'music',
      { per_thousand_characters: { usd: 0.11500000000000002 } },
      {},
      [['characters', '1m_characters', null, null, '115']],
    ],
    [
      'hearing by the second',
      'asr',
      { per_audio_second: { usd: 3.1480000000000004e-5 } },
      { audio_per_min: '0.0018888' },
      [],
    ],
    [
      'sound by the second',
      'music',
      { per_second: { usd: 0.0023000000000000004 } },
      { audio_per_min: '0.138' },
      [],
    ],
    [
      'a song by its length',
      'music',
      { durations: { 60: { usd: 0.03, min_seconds: 60 } } },
      { unit: 'generation' },
      [['generations', 'generation', '60s', null, '0.03']],
    ],
    [
      'a picture by its size',
      'image',
      { resolutions: { '1K': { usd: 0.18 } }, upscale: { '2x': { usd: 0.02 } } },
      { image_per_unit: null },
      [
        ['output_images', 'image', '1K', null, '0.18'],
        ['upscaled_images', 'image', '2x', null, '0.02'],
      ],
    ],
    [
      'an edit',
      'inpaint',
      {
        inpaint: { usd: 0.34 },
        quality: { '1K': { low: { usd: 0.03 } } },
        inputImages: { included: 1, additional: { usd: 0.0345 } },
      },
      { image_per_unit: '0.34', modality: 'image' },
      [
        ['additional_input_images', 'image', null, null, '0.0345'],
        ['output_images', 'image', '1K/low', null, '0.03'],
      ],
    ],
    ['a video without a price', 'video', undefined, { modality: 'video', unit: null }, []],
    [
      'a type that is new',
      'hologram',
      { input: { usd: 1 } },
      { modality: 'other', input_per_mtok: null },
      [],
    ],
  ])('%s', (_, type, pricing, price, card) => {
    const record = only('venice', withPrice(type, pricing))
    expect(record).toMatchObject(price)
    expect(cardOf(record)).toEqual(card)
  })

  test('says when a model ends', () => {
    const deprecation = { autoRemap: false, removesAt: '2026-09-24T00:00:00.000Z' }
    const row = { ...venice, model_spec: { ...venice.model_spec, deprecation } }
    expect(only('venice', row).retires_on).toBe('2026-09-24')
  })

  test('is the bare list as well', () => {
    expect(readHostList(hostLists.venice, [venice], now).records).toHaveLength(1)
  })

  test.each([
    ['another kind of price', { input: { usd: 'NaN' } }, /input is not a number: NaN/],
    ['no amount', { input: { usd: true } }, /input is not a number: boolean/],
    ['a threshold that is none', { extended: { input: { usd: 1 } } }, /context_token_threshold/],
  ])('refuses %s', (_, pricing, reason) => {
    expect(refusalOf('venice', venice, withPrice('text', pricing))).toMatch(reason)
  })
})

const ovh = {
  id: 'gpt-oss-120b',
  created: 1_756_386_145,
  pricing: { currency_unit: 'USD', prompt: '0.00000009', completion: '0.00000047', input_cache_reads: '0' },
}

describe('ovhcloud', () => {
  test('states prices per token, in a currency that it names', () => {
    expect(only('ovhcloud', ovh)).toMatchObject({
      ...{ resource_id: 'ovhcloud:gpt-oss-120b', currency: 'USD', input_per_mtok: '0.09' },
      ...{ output_per_mtok: '0.47', cached_input_per_mtok: null },
    })
    const cached = { ...ovh.pricing, input_cache_reads: '0.00000001', input_cache_writes: '0.0000001' }
    const record = only('ovhcloud', { ...ovh, pricing: cached })
    expect(record.cached_input_per_mtok).toBe('0.01')
    expect(cardOf(record)).toEqual([['cache_write_tokens', '1m_tokens', null, null, '0.1']])
  })

  test('bills nothing by a unit of which it says 0: that is no free model', () => {
    const pricing = { currency_unit: 'USD', prompt: '0', completion: '0', image: '0', request: '0' }
    expect(only('ovhcloud', { id: 'whisper', pricing })).toMatchObject({
      ...{ input_per_mtok: null, output_per_mtok: null, unit: null },
    })
  })

  test.each([
    ['another currency', { ...ovh.pricing, currency_unit: 'EUR' }],
    ['none', { prompt: '0.1' }],
  ])('refuses a row in %s', (_, pricing) => {
    expect(refusalOf('ovhcloud', ovh, { ...ovh, id: 'b', pricing })).toBe(
      'cannot be read: pricing.currency_unit: it is not in USD',
    )
    const file = () => read('ovhcloud', { ...ovh, pricing })
    expect(file).toThrow(/not an answer of OVHcloud's .*it is not in USD/)
  })
})

const atlas = {
  model: 'xai/grok-9',
  type: 'Text',
  price: { actual: { type: 'flat', input_price: '2', output_price: '6' } },
}

describe('atlascloud', () => {
  test('states what is paid, and above thresholds', () => {
    const prompt_thresholds = [{ threshold: 200_000, input_price: '4', cache_price: '1' }]
    const actual = {
      ...atlas.price.actual,
      cache_price: '0.5',
      cache_creation_1h_price: '3',
      prompt_thresholds,
    }
    const record = only('atlascloud', {
      ...atlas,
      price: { discount: '70', origin: { input_price: '9' }, actual },
    })
    expect(record).toMatchObject({
      ...{ resource_id: 'atlascloud:xai/grok-9', vendor: 'xai', modality: 'llm' },
      ...{ input_per_mtok: '2', output_per_mtok: '6', cached_input_per_mtok: '0.5' },
    })
    expect(cardOf(record)).toEqual([
      ['cache_write_tokens', '1m_tokens', '1h', null, '3'],
      ['cached_input_tokens', '1m_tokens', null, 200_000, '1'],
      ['input_tokens', '1m_tokens', null, 200_000, '4'],
    ])
  })

  test('says in few rows what a piece is, and only there it is read', () => {
    const priced = (actual: object) =>
      cardOf(only('atlascloud', { ...atlas, type: 'Audio', price: { actual } }))
    expect(priced({ base_price: '0.15', unit: 'generation' })).toEqual([
      ['generations', 'generation', null, null, '0.15'],
    ])
    expect(priced({ base_price: '0.15' })).toEqual([])
  })

  test('is free where the name says so', () => {
    const free = { actual: { type: 'flat', input_price: '0', output_price: '0' } }
    expect(only('atlascloud', { ...atlas, model: 'a/b-free', price: free }).input_per_mtok).toBe('0')
    expect(only('atlascloud', { ...atlas, model: 'a/b', price: free }).input_per_mtok).toBeNull()
  })

  test('refuses another way to count', () => {
    const price = { actual: { type: 'per_request', input_price: '2' } }
    expect(refusalOf('atlascloud', atlas, { ...atlas, model: 'b', price })).toMatch(/price\.actual\.type/)
  })
})

describe('huggingface', () => {
  const host = (provider: string, input?: number, more = {}) => ({
    ...{ provider, ...(input !== undefined && { pricing: { input, output: 15 } }), ...more },
  })
  const rows = (...providers: unknown[]) => {
    const { records } = read('huggingface', { id: 'moonshotai/Kimi-K3', providers })
    return Object.fromEntries(records.map((record) => [record.resource_id, record.input_per_mtok]))
  }

  test('is a price by host, and one without a host where all agree', () => {
    expect(rows(host('together', 3), host('fireworks-ai', 3))).toEqual({
      'huggingface:together:moonshotai/Kimi-K3': '3',
      'huggingface:fireworks-ai:moonshotai/Kimi-K3': '3',
      'huggingface:moonshotai/Kimi-K3': '3',
    })
    const { records } = read('huggingface', { id: 'moonshotai/Kimi-K3', providers: [host('together', 3)] })
    expect(records[0]).toMatchObject({ platform: 'huggingface', region: 'together', vendor: 'moonshot' })
  })

  test.each([
    ['costs another amount', host('groq', 4), '4'],
    ['states none', host('groq'), null],
    ['has 0, and is not free', host('groq', 0), null],
    ['is free', host('groq', 0, { is_free: true }), '0'],
  ])('of which one %s', (_, other, amount) => {
    expect(rows(host('together', 3), other)).toMatchObject({
      'huggingface:groq:moonshotai/Kimi-K3': amount,
      'huggingface:moonshotai/Kimi-K3': null,
    })
  })
})

describe('by documentation', () => {
  test.each<[keyof typeof hostLists, unknown, Partial<SourceRecord>, unknown[]]>([
    [
      'deepinfra',
      {
        model_name: 'deepseek-ai/V9',
        ...{ deprecated: 1_790_208_000, replaced_by: 'deepseek-ai/V10' },
        pricing: {
          ...{ type: 'tokens', cents_per_input_token: 9e-6, cents_per_output_token: 1.8e-5 },
          ...{ rate_per_input_token_cached: 0.2, rate_per_input_token_cache_write: 1.25 },
        },
      },
      {
        ...{ input_per_mtok: '0.09', output_per_mtok: '0.18', cached_input_per_mtok: '0.018' },
        ...{ retires_on: '2026-09-24', replaced_by: 'deepseek-ai/V10' },
      },
      [['cache_write_tokens', '1m_tokens', null, null, '0.1125']],
    ],
    [
      'deepinfra',
      { model_name: 'a/b', pricing: { type: 'image_units', cents_per_image_unit: 3 } },
      { input_per_mtok: null },
      [],
    ],
    [
      'vercel',
      {
        ...{ id: 'google/gemini-9', type: 'language' },
        pricing: {
          ...{ input: '0.000002', output: '0.000012', input_cache_read: '0.0000002' },
          input_tiers: [
            { cost: '0.000002', min: 0, max: 200_001 },
            { cost: '0.000004', min: 200_001 },
          ],
        },
      },
      { input_per_mtok: '2', output_per_mtok: '12', cached_input_per_mtok: '0.2', modality: 'llm' },
      [['input_tokens', '1m_tokens', null, 200_000, '4']],
    ],
    [
      'together',
      { id: 'meta/Llama-9', pricing: { hourly: 0, input: 0.3, output: 0.5, base: 0, finetune: 0 } },
      { input_per_mtok: '0.3', output_per_mtok: '0.5' },
      [],
    ],
    [
      'novita',
      { id: 'baidu/ernie-9', input_token_price_per_m: 2_800, output_token_price_per_m: 11_000 },
      { input_per_mtok: '0.28', output_per_mtok: '1.1' },
      [],
    ],
    [
      'xai',
      {
        id: 'grok-9',
        prompt_text_token_price: 2_000,
        cached_prompt_text_token_price: 500,
        completion_text_token_price: 5_000,
        prompt_image_token_price: 0,
      },
      { input_per_mtok: '0.2', cached_input_per_mtok: '0.05', output_per_mtok: '0.5', vendor: 'xai' },
      [],
    ],
    [
      'cerebras',
      { id: 'gpt-oss-120b', pricing: { prompt: '0.00000035', completion: '0.00000075' } },
      { input_per_mtok: '0.35', output_per_mtok: '0.75' },
      [],
    ],
    [
      'cerebras',
      { id: 'free-tier', pricing: { prompt: '0', completion: '0' } },
      { input_per_mtok: null, output_per_mtok: null },
      [],
    ],
    [
      'chutes',
      { id: 'zai/GLM-9', pricing: { prompt: 0.2989, completion: 1.1957, input_cache_read: 0.14945 } },
      { input_per_mtok: '0.2989', output_per_mtok: '1.1957', cached_input_per_mtok: '0.14945' },
      [],
    ],
    [
      'llmgateway',
      {
        id: 'gpt-9',
        pricing: { prompt: '0.000001', completion: '0.000004', input_cache_read: '0', image: '0.005' },
      },
      { input_per_mtok: '1', output_per_mtok: '4', cached_input_per_mtok: null },
      [],
    ],
    [
      'aihubmix',
      { model_id: 'gpt-9', pricing: { input: 1.25, output: 10, cache_read: 0.125 } },
      { input_per_mtok: '1.25', output_per_mtok: '10', cached_input_per_mtok: '0.125' },
      [],
    ],
  ])('%s', (name, row, price, card) => {
    const record = only(name, row)
    expect(record).toMatchObject({ platform: name, currency: 'USD', ...price })
    expect(cardOf(record)).toEqual(card)
  })

  test('xai answers with its rows under `models`', () => {
    const models = [{ id: 'grok-9', prompt_text_token_price: 500 }]
    expect(readHostList(hostLists.xai, { models }, now).records[0]?.input_per_mtok).toBe('0.05')
  })

  test('deepinfra does not say what a discount is taken off', () => {
    const good = { model_name: 'a', pricing: { type: 'tokens', cents_per_input_token: 1e-5 } }
    const bad = { model_name: 'b', pricing: { ...good.pricing, discount: 0.5 } }
    expect(refusalOf('deepinfra', good, bad)).toMatch(/discount/)
  })
})
