import { describe, expect, it, test } from 'vitest'
import { costOf, sumOf, UsageError, type Counts, type Usage } from '../src/core.ts'
import { costOf as costOfAnswer, ownPrices } from '../src/index.ts'
import { catalogOf, outcome, rate, record, sonnet } from './support.ts'

const catalog = catalogOf(
  sonnet,
  record({
    resource_id: 'openai:gpt-5.4',
    input_per_mtok: '2.5',
    output_per_mtok: '15',
    cached_input_per_mtok: '0.25',
    rates: [
      rate('input_tokens', '5', { threshold: 271_999 }),
      rate('cached_input_tokens', '0.5', { threshold: 271_999 }),
      rate('output_tokens', '22.5', { threshold: 271_999 }),
      rate('input_tokens', '1.25', { service_tier: 'flex' }),
      rate('output_tokens', '7.5', { service_tier: 'flex' }),
    ],
  }),
  record({
    resource_id: 'xai:grok-4.3',
    input_per_mtok: '1.25',
    output_per_mtok: '2.5',
    rates: [
      rate('input_tokens', '2.5', { threshold: 199_999 }),
      rate('output_tokens', '5', { threshold: 200_000 }),
    ],
  }),
  record({
    resource_id: 'dashscope:qwen3-max',
    input_per_mtok: '1.2',
    output_per_mtok: '6',
    cached_input_per_mtok: '0.24',
    rates: [
      rate('input_tokens', '2.4', { threshold: 32_000 }),
      rate('output_tokens', '12', { threshold: 32_000 }),
      rate('input_tokens', '3', { threshold: 128_000 }),
      rate('output_tokens', '15', { threshold: 128_000 }),
    ],
  }),
  record({
    resource_id: 'deepseek:deepseek-chat',
    input_per_mtok: '0.27',
    output_per_mtok: '1.1',
    rates: [
      rate('input_tokens', '0.135', { hours: '16:30-00:30' }),
      rate('output_tokens', '0.55', { hours: '16:30-00:30' }),
    ],
  }),
  record({
    resource_id: 'google:gemini-2.5-flash',
    input_per_mtok: '0.3',
    output_per_mtok: '2.5',
    rates: [rate('input_audio_tokens', '1'), rate('output_image_tokens', '30')],
  }),
  record({ resource_id: 'openai:whisper-1', modality: 'audio', audio_per_min: '0.006' }),
  record({ resource_id: 'deepgram:nova-3', modality: 'audio', audio_per_min: '0.0043' }),
  record({
    resource_id: 'openai:gpt-image-1',
    modality: 'image',
    input_per_mtok: '5',
    output_per_mtok: '40',
    image_per_unit: '0.167',
    rates: [rate('output_images', '0.011', { unit: 'image', variant: '1024x1024/low' })],
  }),
  record({
    resource_id: 'anthropic:claude-sonnet-5',
    input_per_mtok: '2',
    output_per_mtok: '10',
    effective_at: '2026-06-01',
    rates: [rate('cache_write_tokens', '2.5'), rate('searches', '0.01')],
    announced: [
      {
        ...sonnet,
        starts_on: '2026-10-01',
        input_per_mtok: '3',
        output_per_mtok: '15',
        cached_input_per_mtok: null,
      },
    ],
  }),
  record({ resource_id: 'dashscope:cn', currency: 'CNY', input_per_mtok: '8', output_per_mtok: '20' }),
  record({ resource_id: 'own:free', input_per_mtok: '0', output_per_mtok: '0' }),
  record({ resource_id: 'own:dear', input_per_mtok: null, output_per_mtok: null, currency: null }),
)

const noAmounts = {
  input_per_mtok: null,
  output_per_mtok: null,
  cached_input_per_mtok: null,
  image_per_unit: null,
  audio_per_min: null,
  video_per_sec: null,
}
const claude = { model: 'claude-sonnet-4-5', platform: 'anthropic' }

describe('a whole cost', () => {
  it('is exact, line by line', () => {
    const counts: Counts = {
      input_tokens: 1_234,
      cached_input_tokens: 5_678,
      cache_write_tokens: { '5m': 900, '1h': 100 },
      output_tokens: 321,
      reasoning_tokens: 11,
      searches: 2,
    }
    const cost = costOf({ counts }, { catalog, ...claude })
    // 0.003702 + 0.0017034 + 0.003375 + 0.0006 + 0.004815 + 0.000165 + 0.02
    expect(cost).toMatchObject({
      isWhole: true,
      total: '0.0343604',
      currency: 'USD',
      unpriced: [],
      doubts: [],
    })
    expect(
      cost.lines.map(({ meter, variant, amount, billedAs }) => [meter, variant, amount, billedAs]),
    ).toEqual([
      ['input_tokens', null, '0.003702', 'input_tokens'],
      ['cached_input_tokens', null, '0.0017034', 'cached_input_tokens'],
      ['cache_write_tokens', null, '0.003375', 'cache_write_tokens'],
      ['cache_write_tokens', '1h', '0.0006', 'cache_write_tokens'],
      ['output_tokens', null, '0.004815', 'output_tokens'],
      ['reasoning_tokens', null, '0.000165', 'output_tokens'],
      ['searches', null, '0.02', 'searches'],
    ])
    expect(cost.catalog).toMatchObject({ version: '42', origin: 'data' })
    expect(
      cost.lines.every((line) => line.catalogVersion === '42' && line.resourceId === cost.resourceId),
    ).toBe(true)
  })

  test.each<[string, Counts, object, string]>([
    ['0.1 and 0.2 are 0.3', { input_tokens: 100_000, output_tokens: 0 }, claude, '0.3'],
    ['nothing used costs nothing', { input_tokens: 0, output_tokens: undefined }, claude, '0'],
    [
      'more than a binary number holds',
      { input_tokens: '123456789012345678901' },
      { model: 'own:free' },
      '0',
    ],
    [
      'seconds of audio are sold by the minute',
      { input_audio_seconds: 90 },
      { model: 'openai:whisper-1' },
      '0.009',
    ],
    ['minutes of audio', { input_audio_minutes: 1.5 }, { model: 'openai:whisper-1' }, '0.009'],
    [
      'a rest without end is rounded far behind money',
      { input_audio_seconds: 1 },
      { model: 'deepgram:nova-3' },
      '0.0000716666666666666666666667',
    ],
    ['an image in is input where the card has no other rate', { input_image_tokens: 1_000 }, claude, '0.003'],
    [
      'of an image model output is an image',
      { output_image_tokens: 1_000 },
      { model: 'openai:gpt-image-1' },
      '0.04',
    ],
    [
      'an image by its size',
      { output_images: { '1024x1024/low': 3 } },
      { model: 'openai:gpt-image-1' },
      '0.033',
    ],
    ['another currency', { input_tokens: 1_000_000 }, { model: 'dashscope:cn' }, '8'],
  ])('%s', (_, counts, told, expected) => {
    expect(outcome(catalog, counts, told)).toBe(expected)
  })
})

describe('long prompts', () => {
  const gpt = { model: 'openai:gpt-5.4' }
  const grok = { model: 'xai:grok-4.3' }
  test.each<[string, Counts, object, string]>([
    ["OpenAI's threshold is not passed at 272,000", { input_tokens: 272_000 }, gpt, '0.68'],
    ['and is with the next token', { input_tokens: 272_001 }, gpt, '1.360005'],
    ['the whole request costs it', { input_tokens: 300_000, output_tokens: 10_000 }, gpt, '1.725'],
    [
      'what was read from a cache counts',
      { input_tokens: 2_000, cached_input_tokens: 271_000 },
      gpt,
      '0.1455',
    ],
    ['output does not', { input_tokens: 1_000, output_tokens: 400_000 }, gpt, '6.0025'],
    ["xAI's is passed at 200,000", { input_tokens: 200_000, output_tokens: 1_000 }, grok, '0.505'],
    ['and not before', { input_tokens: 199_999, output_tokens: 1_000 }, grok, '0.25249875'],
    ["Anthropic's is not passed at 200,000", { input_tokens: 200_000 }, claude, '0.6'],
    [
      'a write to the cache counts',
      { input_tokens: 199_000, cache_write_tokens: 1_001 },
      claude,
      '1.2015075',
    ],
    [
      'the highest of several',
      { input_tokens: 128_001, output_tokens: 1 },
      { model: 'dashscope:qwen3-max' },
      '0.384018',
    ],
    [
      'a rate that is not known above it is not guessed',
      { input_tokens: 32_001, cached_input_tokens: 5 },
      { model: 'dashscope:qwen3-max' },
      'cached_input_tokens: no_rate_above_threshold',
    ],
    [
      'nor that of a kind of write',
      { input_tokens: 200_001, cache_write_tokens: { '1h': 5 } },
      claude,
      'cache_write_tokens: no_rate_above_threshold',
    ],
  ])('%s', (_, counts, told, expected) => {
    expect(outcome(catalog, counts, told)).toBe(expected)
  })

  it('are not seen in a sum of requests, and the figure says so', () => {
    const usage: Usage = { counts: { input_tokens: 400_000 }, requests: 10 }
    expect(costOf(usage, { catalog, ...claude })).toMatchObject({ total: '1.2', doubts: ['sum_of_requests'] })
  })
})

describe('conditions', () => {
  const tokens: Counts = { input_tokens: 1_000, output_tokens: 1_000 }
  test.each<[string, Counts, object, string]>([
    ['batch', tokens, { ...claude, tier: 'batch' }, '0.009'],
    ['standard has no name', tokens, { ...claude, tier: 'Standard' }, '0.018'],
    ['default neither', tokens, { ...claude, tier: 'default' }, '0.018'],
    [
      'a tier without a rate',
      { ...tokens, cached_input_tokens: 1 },
      { ...claude, tier: 'batch' },
      'cached_input_tokens: no_rate_for_tier',
    ],
    [
      'a tier nobody sells',
      tokens,
      { ...claude, tier: 'scale' },
      'input_tokens: no_rate_for_tier, output_tokens: no_rate_for_tier',
    ],
    ['a search costs the same in a batch', { searches: 1 }, { ...claude, tier: 'batch' }, '0.01'],
    ['a mode that multiplies', tokens, { ...claude, tier: 'fast' }, '0.108'],
    ['a region that multiplies', tokens, { ...claude, region: 'US' }, '0.0198'],
    ['a region that is none', tokens, { ...claude, region: 'not_available' }, '0.018'],
    [
      'a region nobody knows',
      { input_tokens: 1 },
      { ...claude, region: 'eu' },
      'input_tokens: no_rate_for_region',
    ],
    [
      'an hour of the night',
      tokens,
      { model: 'deepseek:deepseek-chat', at: '2026-08-01T23:59:59Z' },
      '0.000685',
    ],
    ['after midnight', tokens, { model: 'deepseek:deepseek-chat', at: '2026-08-01T00:29:00Z' }, '0.000685'],
    ['by day', tokens, { model: 'deepseek:deepseek-chat', at: '2026-08-01T00:30:00Z' }, '0.00137'],
    [
      'in seconds, as vendors write it',
      tokens,
      { model: 'deepseek:deepseek-chat', at: 1_785_542_400 },
      '0.000685',
    ],
    [
      'an hour that nobody says',
      tokens,
      { model: 'deepseek:deepseek-chat' },
      'input_tokens: time_needed, output_tokens: time_needed',
    ],
  ])('%s', (_, counts, told, expected) => {
    expect(outcome(catalog, counts, told)).toBe(expected)
  })
})

describe('what nobody knows', () => {
  test.each<[string, Counts, object, string]>([
    ['audio is no text', { output_audio_tokens: 5 }, claude, 'output_audio_tokens: no_rate'],
    ['an image is no text', { output_image_tokens: 5 }, claude, 'output_image_tokens: no_rate'],
    [
      'a cached kind of what has a rate',
      { cached_input_audio_tokens: 5 },
      { model: 'google:gemini-2.5-flash' },
      'cached_input_audio_tokens: no_rate',
    ],
    [
      'a size without a price',
      { output_images: { '8x8': 1 } },
      { model: 'openai:gpt-image-1' },
      'output_images: no_rate_for_variant',
    ],
    [
      'an image of no size, where sizes count',
      { output_images: 1 },
      { model: 'openai:gpt-image-1' },
      'output_images: no_rate_for_variant',
    ],
    ['a meter that nobody has', { constructor: 1 }, claude, 'constructor: no_rate'],
    ['no model', { input_tokens: 1 }, {}, 'input_tokens: model_missing'],
    ['a model nobody knows', { input_tokens: 1 }, { model: 'gpt-99' }, 'input_tokens: model_unknown'],
    ['no currency', { input_tokens: 1 }, { model: 'own:dear' }, 'input_tokens: no_rate'],
  ])('%s', (_, counts, told, expected) => {
    expect(outcome(catalog, counts, told)).toBe(expected)
  })

  it('leaves no total, and what has a price as the least', () => {
    const cost = costOf({ counts: { input_tokens: 1_000, output_audio_tokens: 5 } }, { catalog, ...claude })
    expect(cost).toMatchObject({ isWhole: false, total: null, atLeast: '0.003' })
    expect(cost.unpriced[0]?.message).toContain('output_audio_tokens of anthropic:claude-sonnet-4-5')
  })

  it('is not free: 0 is a price, null is none', () => {
    expect(outcome(catalog, { input_tokens: 9 }, { model: 'own:free' })).toBe('0')
    expect(outcome(catalog, { input_tokens: 9, cached_input_tokens: 1 }, { model: 'own:free' })).toBe(
      'cached_input_tokens: no_rate',
    )
  })
})

describe('the price at that moment', () => {
  const sonnet5 = { model: 'anthropic:claude-sonnet-5' }
  const tokens: Counts = { input_tokens: 1_000_000 }
  test.each<[string, Counts, object, string]>([
    ['now', tokens, sonnet5, '2'],
    ['on the day before the rise', tokens, { ...sonnet5, at: '2026-09-30T23:59:59Z' }, '2'],
    ['on the day of the rise', tokens, { ...sonnet5, at: '2026-10-01T00:00:00Z' }, '3'],
    [
      'what moves with it is not known',
      { cache_write_tokens: 5 },
      { ...sonnet5, at: '2026-10-01' },
      'cache_write_tokens: no_rate',
    ],
    ['what does not is', { searches: 1 }, { ...sonnet5, at: '2026-10-01' }, '0.01'],
    ['before its first day', tokens, { ...sonnet5, at: '2026-05-31' }, 'input_tokens: before_history'],
    ['before it was seen', tokens, { ...claude, at: new Date('2025-12-31') }, '6'],
  ])('%s', (_, counts, told, expected) => {
    expect(outcome(catalog, counts, told)).toBe(expected)
  })

  it.each([
    ['of a catalog that was new', undefined, '2026-11-29', []],
    ['of a catalog that was old', undefined, '2026-12-01', ['catalog_older_than_use']],
    ['checked long before the catalog was written', '2026-05-01', '2026-08-30', ['catalog_older_than_use']],
    ['checked after the use', '2026-05-01', '2026-04-01', []],
  ])('a price %s', (_, checked_on, at, doubts) => {
    const one = catalogOf(record({ ...sonnet, checked_on: checked_on ?? null }))
    const cost = costOf({ counts: tokens, at }, { catalog: one, ...claude })
    expect(cost).toMatchObject({ doubts, checkedOn: checked_on ?? null })
  })

  it('is assumed to have been the same before it was seen, and says so', () => {
    const cost = costOf({ counts: tokens, at: '2025-12-31' }, { catalog, ...claude })
    expect(cost).toMatchObject({ isWhole: true, total: '6', doubts: ['price_assumed'] })
  })

  it('is the one of before, where the catalog has it', () => {
    const past = [
      { ...noAmounts, ended_on: '2025-03-01', input_per_mtok: '20', rates: [] },
      {
        ...noAmounts,
        ended_on: '2025-06-10',
        input_per_mtok: '10',
        rates: [rate('cache_write_tokens', '12')],
      },
    ]
    const o3 = catalogOf(
      record({ resource_id: 'openai:o3', input_per_mtok: '2', effective_at: '2025-06-10', past }),
    )
    const at = (day: string, counts: Counts = tokens) => outcome(o3, counts, { model: 'openai:o3', at: day })
    expect(at('2025-02-28')).toBe('20')
    expect(at('2025-06-09T23:59:59Z')).toBe('10')
    expect(at('2025-06-09', { cache_write_tokens: 1_000_000 })).toBe('12')
    expect(at('2025-06-10')).toBe('2')
    expect(at('2025-06-10', { cache_write_tokens: 1 })).toBe('cache_write_tokens: no_rate')
  })

  it('is doubted from the day on which its source says that it ended', () => {
    const ended = catalogOf(record({ ...sonnet, ended_on: '2026-04-04' }))
    const doubts = (at?: string) => costOf({ counts: tokens, at }, { catalog: ended, ...claude }).doubts
    expect([doubts(), doubts('2026-04-04'), doubts('2026-04-03')]).toEqual([
      ['price_ended'],
      ['price_ended'],
      [],
    ])
  })

  it('since a source has said all of it', () => {
    const first_seen = '2025-08-01T00:00:00.000000Z'
    const claim = { ...sonnet, first_seen, since: { input_per_mtok: '2025-09-29T00:00:00.000000Z' } }
    const old = catalogOf(record({ ...sonnet, updated_at: '2026-08-01T00:00:00.000000Z', claims: [claim] }))
    expect(outcome(old, { input_tokens: 1_000 }, { ...claude, at: '2025-10-01' })).toBe('0.003')
    const before = costOf({ counts: tokens, at: '2025-09-01' }, { catalog: old, ...claude })
    expect(before.unpriced).toMatchObject([
      { reason: 'before_history', message: expect.stringContaining('changed on 2025-09-29') as string },
    ])
  })

  it.each(['yesterday', '2026-01-01T10:00', NaN, Infinity])('%s is no time', (at) => {
    expect(() => costOf({ counts: tokens, at }, { catalog, ...claude })).toThrow(UsageError)
  })
})

describe('overrides', () => {
  const tokens: Counts = { input_tokens: 100_000, output_tokens: 100_000 }
  test.each<[string, object, string]>([
    ['a discount on all', { multiplier: '0.9' }, '1.62'],
    ["a router's fee", { multiplier: 1.055 }, '1.899'],
    ['the platform wins over all', { multiplier: 2, platforms: { anthropic: { multiplier: '0.5' } } }, '0.9'],
    [
      'the model wins over the platform',
      {
        platforms: { anthropic: { multiplier: 5 } },
        models: { 'anthropic/claude-sonnet-4-5': { multiplier: 1 } },
      },
      '1.8',
    ],
    [
      'a price of your own is not multiplied',
      { multiplier: 9, models: { 'anthropic:claude-sonnet-4-5': { rates: { input_tokens: '2.1' } } } },
      '13.71',
    ],
    ['of another platform', { platforms: { openai: { multiplier: 7 } } }, '1.8'],
    [
      'inherited names are none',
      { platforms: Object.create({ anthropic: { multiplier: 7 } }) as object },
      '1.8',
    ],
  ])('%s', (_, overrides, expected) => {
    expect(outcome(catalog, tokens, { ...claude, overrides })).toBe(expected)
  })

  it('give a price to what has none, and the line says whose it is', () => {
    const overrides = { models: { 'anthropic:claude-sonnet-4-5': { rates: { output_audio_tokens: 20 } } } }
    const cost = costOfAnswer({ counts: { output_audio_tokens: 1_000 } }, { catalog, ...claude, overrides })
    expect(cost).toMatchObject({ total: '0.02', lines: [{ listRate: null, rate: '20', unit: '1m_tokens' }] })
  })

  const long: Counts = { input_tokens: 300_000, output_tokens: 100_000 }
  const models = (own: object) => ({ models: { 'anthropic:claude-sonnet-4-5': own } })
  test.each<[string, Counts, object, object, string]>([
    // The list's batch is 1.5 and 7.5.
    [
      'a tier by a factor, in place of the list',
      tokens,
      { tier: 'batch' },
      { tiers: { batch: '0.4' } },
      '0.72',
    ],
    ['a tier that the list lacks', tokens, { tier: 'flex' }, { tiers: { flex: 0.5 } }, '0.9'],
    [
      'of the platform',
      tokens,
      { tier: 'flex' },
      { platforms: { anthropic: { tiers: { Flex: 0.5 } } } },
      '0.9',
    ],
    ['with a discount besides', tokens, { tier: 'flex' }, { multiplier: 0.5, tiers: { flex: 0.5 } }, '0.45'],
    [
      'a tier that is named nowhere',
      tokens,
      { tier: 'flex' },
      { tiers: { batch: 1 } },
      'input_tokens: no_rate_for_tier, output_tokens: no_rate_for_tier',
    ],
    [
      'a rate of a tier, and the list for the other meter',
      tokens,
      { tier: 'batch' },
      models({ rates: { input_tokens: [{ amount: 1, tier: 'batch' }] } }),
      '0.85',
    ],
    [
      'it is of no other tier',
      tokens,
      {},
      models({ rates: { input_tokens: [{ amount: 1, tier: 'batch' }] } }),
      '1.8',
    ],
    [
      'a rate of a region',
      { input_tokens: 100_000 },
      { region: 'eu-west-1' },
      models({ rates: { input_tokens: [{ amount: 4, region: 'eu-west-1' }] } }),
      '0.4',
    ],
    [
      'a rate above a threshold of your own',
      { input_tokens: 100_000 },
      {},
      models({ rates: { input_tokens: [{ amount: 2 }, { amount: 9, threshold: 50_000 }] } }),
      '0.9',
    ],
    [
      'an amount alone holds for long prompts too',
      long,
      {},
      models({ rates: { input_tokens: 1, output_tokens: 1 } }),
      '0.4',
    ],
    [
      'an amount alone, with a factor for its tier',
      tokens,
      { tier: 'batch' },
      models({ rates: { input_tokens: 1, output_tokens: 1 }, tiers: { batch: 0.5 } }),
      '0.1',
    ],
    [
      'writes to a cache by their life',
      { cache_write_tokens: { '5m': 50_000, '1h': 50_000 } },
      {},
      models({
        rates: {
          cache_write_tokens: [
            { amount: 5, variant: '5m' },
            { amount: 7, variant: '1h' },
          ],
        },
      }),
      '0.6',
    ],
    [
      'reasoning is output of yours',
      { reasoning_tokens: 1_000_000 },
      {},
      models({ rates: { output_tokens: 8 } }),
      '8',
    ],
    [
      'by the name as it is given',
      tokens,
      {},
      { models: { 'claude-sonnet-4-5': { multiplier: 0.5 } } },
      '0.9',
    ],
  ])('%s', (_, counts, told, overrides, expected) => {
    expect(outcome(catalog, counts, { ...claude, ...told, overrides })).toBe(expected)
  })

  it('price a model of your own, which no list has', () => {
    const rates = { input_tokens: [{ amount: '0.2' }, { amount: '0.4', threshold: 1_000 }], output_tokens: 1 }
    const overrides = { models: { 'my-llama': { rates, tiers: { batch: 0.5 }, currency: 'EUR' } } }
    const of = (counts: Counts, told: object = {}) =>
      costOfAnswer({ counts }, { catalog, model: 'my-llama', overrides, ...told })
    expect(of({ input_tokens: 1_000, output_tokens: 10 })).toMatchObject({
      total: '0.00021',
      currency: 'EUR',
      resourceId: 'my-llama',
      rule: 'override',
      doubts: [],
      lines: [{ listRate: null, rate: '0.2' }, { rate: '1' }],
    })
    expect(of({ input_tokens: 2_000 }).total).toBe('0.0008')
    expect(of({ input_tokens: 1_000 }, { tier: 'batch', platform: 'own', at: '2020-01-01' }).total).toBe(
      '0.0001',
    )
    expect(of({ output_images: 1 }).unpriced).toMatchObject([{ reason: 'no_rate' }])
    expect(
      costOfAnswer({ counts: { input_tokens: 1 } }, { catalog, model: 'my-llama' }).unpriced,
    ).toMatchObject([{ reason: 'model_unknown' }])
    const bare = { models: { 'my-llama': { multiplier: 2 } } }
    expect(of({ input_tokens: 1 }, { overrides: bare }).unpriced).toMatchObject([{ reason: 'model_unknown' }])
  })

  it('are made for the core', () => {
    const told = { catalog, ...claude, overrides: ownPrices({ multiplier: 2 }) }
    expect(costOf({ counts: { input_tokens: 1_000_000 } }, { ...told, at: undefined }).total).toBe('12')
  })

  test.each<[unknown, string]>([
    [{ multiplier: -1 }, 'overrides.multiplier: -1 is no amount: it is a number of 0 or more.'],
    [
      { tiers: { batch: 'half' } },
      'overrides.tiers.batch: "half" is no amount: it is a number of 0 or more.',
    ],
    [{ model: {} }, 'overrides has no "model": there are multiplier, tiers, platforms, models.'],
    [
      models({ rate: {} }),
      'overrides.models["anthropic:claude-sonnet-4-5"] has no "rate": there are multiplier, tiers, rates, currency.',
    ],
    [{ models: { 'claude-sonnet-4-5': 0.5 } }, 'overrides.models["claude-sonnet-4-5"] is no object.'],
    [{ platforms: 0.5 }, 'overrides.platforms is no object.'],
    [0.5, 'overrides is no object.'],
    [
      models({ rates: { input_tokens: 'free' } }),
      'overrides.models["anthropic:claude-sonnet-4-5"].rates.input_tokens: "free" is no amount: it is a number of 0 or more.',
    ],
    [
      models({ rates: { input_tokens: [{ amount: 1 }, { price: 2 }] } }),
      'overrides.models["anthropic:claude-sonnet-4-5"].rates.input_tokens[1] has no "price": there are amount, tier, variant, threshold, hours, region.',
    ],
    [
      models({ rates: { input_tokens: [{ tier: 'batch' }] } }),
      '.rates.input_tokens[0].amount: undefined is no amount',
    ],
    [
      models({ rates: { input_tokens: [{ amount: 1, threshold: '200k' }] } }),
      '.rates.input_tokens[0].threshold is no whole number.',
    ],
  ])('%j is refused, with where it is', (overrides, message) => {
    const price = () => outcome(catalog, tokens, { ...claude, overrides: overrides as never })
    expect(price).toThrow(UsageError)
    expect(price).toThrow(message)
  })
})

describe('a cost that the provider reports', () => {
  const usage: Usage = { counts: { input_tokens: 1_000 }, reported: { amount: '0.0031', currency: 'USD' } }
  it('is shown beside ours', () => {
    expect(costOf(usage, { catalog, ...claude })).toMatchObject({
      source: 'catalog',
      total: '0.003',
      reported: { amount: '0.0031' },
    })
  })
  it('wins where that is wished, also for a model that nobody knows', () => {
    expect(costOf(usage, { catalog, model: 'x', preferReported: true })).toMatchObject({
      source: 'reported',
      isWhole: true,
      total: '0.0031',
    })
  })
})

describe('a usage that is none', () => {
  it.each<unknown>([
    { prompt_tokens: 5 },
    { usageMetadata: { promptTokenCount: 5 } },
    null,
    { constructor: 1 },
    'text',
  ])('%j is sent to the readers', (given) => {
    expect(() => costOf(given as never, { catalog, ...claude })).toThrow(UsageError)
    expect(() => costOf(given as never, { catalog, ...claude })).toThrow('@ratecard/cost/readers')
  })

  it.each([-1, NaN, Infinity, '1,5', '', {}, true, null, '1e400', -1n])('%o is no count', (count) => {
    const counts = { input_tokens: count } as unknown as Counts
    if (typeof count === 'object' && count !== null) expect(outcome(catalog, counts, claude)).toBe('0')
    else expect(() => outcome(catalog, counts, claude)).toThrow(UsageError)
  })

  it('has a bounded number of counts', () => {
    const variants = Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`v${index}`, 1]))
    expect(() => outcome(catalog, { searches: variants }, claude)).toThrow('at most 200 counts')
  })

  it('needs a catalog', () => {
    expect(() => costOf({ counts: {} }, {} as never)).toThrow('Give a "catalog"')
  })
})

describe('sums', () => {
  const cost = (counts: Counts, model: string) => costOf({ counts }, { catalog, model })
  it('are exact, and currencies are never mixed', () => {
    const costs = [
      cost({ input_tokens: 100_000 }, 'openai:gpt-5.4'),
      cost({ input_tokens: 1 }, 'dashscope:cn'),
    ]
    expect(sumOf([...costs, ...costs])).toEqual([
      { currency: 'USD', count: 2, isWhole: true, total: '0.5' },
      { currency: 'CNY', count: 2, isWhole: true, total: '0.000016' },
    ])
  })
  it('have no total where something has no price', () => {
    const costs = [cost({ input_tokens: 100_000 }, 'openai:gpt-5.4'), cost({ input_tokens: 1 }, 'unknown')]
    expect(sumOf(costs)).toEqual([
      { currency: 'USD', count: 2, isWhole: false, total: null, atLeast: '0.25', partial: 1 },
    ])
    expect(sumOf(costs.slice(1))).toMatchObject([{ currency: 'XXX', isWhole: false, atLeast: '0' }])
    expect(sumOf([])).toEqual([])
  })
})
