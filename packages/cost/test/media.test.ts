import { describe, expect, it, test } from 'vitest'
import { costOf } from '../src/index.ts'
import { shippedCatalog } from '../src/catalog.ts'
import {
  readAISDK,
  readCohere,
  readDeepgram,
  readGemini,
  readMistral,
  readOpenAI,
  readUsage,
  UsageError,
} from '../src/readers.ts'
import { catalogOf, outcome, rate, record } from './support.ts'

const picture = { url: 'https://example.com/1.png' }
const video = { object: 'video', model: 'sora-2', status: 'completed', seconds: '8', size: '1280x720' }

describe('an answer that counts something else than tokens', () => {
  test.each<[string, unknown, object]>([
    ['pictures', { created: 1, data: [picture, picture] }, { output_images: 2 }],
    [
      'pictures of a size and quality',
      { data: [picture], size: '1024x1792', quality: 'hd' },
      { output_images: { '1024x1792/hd': 1 } },
    ],
    [
      'pictures of the standard quality',
      { data: [picture], size: '1024x1024', quality: 'standard' },
      { output_images: { '1024x1024': 1 } },
    ],
    ['predictions', { predictions: [{ bytesBase64Encoded: 'x' }] }, { output_images: 1 }],
    ['a video', video, { output_video_seconds: { '1280x720': 8 } }],
    ['a video that failed', { ...video, status: 'failed' }, {}],
    ['a transcription', { text: 'a', duration: 12.5 }, { input_audio_seconds: 12.5 }],
    [
      'embeddings that count the total alone',
      { object: 'list', usage: { total_tokens: 7 } },
      { input_tokens: 7 },
    ],
  ])('%s', (_, answer, counts) => {
    expect(readOpenAI(answer).counts).toEqual(counts)
  })

  it.each([
    ['a video that is not done', { ...video, status: 'in_progress' }, 'is not done'],
    ['a video without its length', { ...video, seconds: undefined }, 'no count'],
    ['data that are no pictures', { data: [{ id: 'a' }] }, 'finds no usage'],
    ['no pictures', { data: [] }, 'finds no usage'],
  ])('%s is refused', (_, answer, message) => {
    expect(() => readOpenAI(answer)).toThrow(message)
  })

  it('has a container by its memory, once however often it runs', () => {
    const call = { type: 'code_interpreter_call', container_id: 'a' }
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 }
    const sessions = (memory_limit: string | undefined, output: object[]) =>
      readOpenAI({ usage, output, tools: [{ type: 'code_interpreter', container: { memory_limit } }] }).counts
    expect(sessions(undefined, [call, call])).toMatchObject({ code_interpreter_sessions: 1 })
    expect(sessions('1g', [call])).toMatchObject({ code_interpreter_sessions: 1 })
    expect(sessions('16g', [call, { ...call, container_id: 'b' }])).toMatchObject({
      code_interpreter_sessions: { '16g': 2 },
    })
    expect(sessions(undefined, [{ type: 'shell_call', environment: { type: 'local' } }])).not.toHaveProperty(
      'code_interpreter_sessions',
    )
  })

  it('has maps beside searches', () => {
    const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 }
    const groundingMetadata = { webSearchQueries: ['a', 'b'], groundingChunks: [{ maps: {} }, { web: {} }] }
    const answer = { usageMetadata, candidates: [{ groundingMetadata }] }
    const searches = (modelVersion: string) => readGemini({ ...answer, modelVersion }).counts.searches
    expect(searches('gemini-2.5-flash')).toEqual({ '': 1, maps: 1 })
    expect(searches('publishers/google/models/gemini-3-pro')).toEqual({ '': 2, maps: 1 })
  })
})

describe("Cohere's answer", () => {
  const billed_units = { input_tokens: 5, output_tokens: 2 }
  it.each<[string, object, object]>([
    [
      'of the second version',
      { usage: { billed_units, tokens: { input_tokens: 99 } } },
      { input_tokens: 5, output_tokens: 2 },
    ],
    ['of the first', { meta: { billed_units } }, { input_tokens: 5, output_tokens: 2 }],
    ['of a reranking', { results: [], meta: { billed_units: { search_units: 3 } } }, { queries: 3 }],
    [
      'with what nobody knows',
      { meta: { billed_units: { classifications: 4 } } },
      { 'usage.classifications': 4 },
    ],
  ])('%s', (_, answer, counts) => {
    expect(readCohere(answer)).toEqual({ counts, platform: 'cohere' })
    expect(readUsage(answer)).toEqual(readCohere(answer))
  })

  it('without what was billed is refused', () => {
    expect(() => readCohere({ usage: { tokens: { input_tokens: 9 } } })).toThrow(UsageError)
  })
})

describe("Deepgram's answer", () => {
  const metadata = {
    duration: 61.5,
    channels: 1,
    model_info: { a: { arch: 'nova-3' } },
    created: '2026-01-01T00:00:00Z',
  }
  it('counts seconds', () => {
    const usage = readUsage({ metadata })
    expect(usage).toEqual({
      counts: { input_audio_seconds: 61.5 },
      model: 'nova-3',
      platform: 'deepgram',
      at: '2026-01-01T00:00:00Z',
    })
  })

  it('of several channels is refused', () => {
    expect(() => readDeepgram({ metadata: { ...metadata, channels: 2 } })).toThrow('several channels')
  })
})

describe("the AI SDK's answer", () => {
  it('of a transcription has its seconds, and of a picture its model', () => {
    const responses = [{ modelId: 'gpt-image-1', timestamp: '2026-10-01T00:00:00Z' }]
    expect(readAISDK({ text: 'a', durationInSeconds: 12, responses: [{ modelId: 'whisper-1' }] })).toEqual({
      counts: { input_audio_seconds: 12 },
      model: 'whisper-1',
    })
    expect(readAISDK({ images: [], usage: { inputTokens: 9, outputTokens: 3 }, responses })).toMatchObject({
      counts: { input_tokens: 9, output_tokens: 3 },
      model: 'gpt-image-1',
    })
  })
})

test("a transcription of Mistral's has tokens of audio in its total alone", () => {
  const usage = { prompt_audio_seconds: 203, prompt_tokens: 4, total_tokens: 3264, completion_tokens: 635 }
  expect(readMistral({ model: 'voxtral-mini-2602', usage }).counts).toEqual({
    input_tokens: 4,
    output_tokens: 635,
    input_audio_seconds: 203,
  })
  expect(() => readMistral({ usage: { ...usage, prompt_audio_seconds: null } })).toThrow('total_tokens')
})

describe('a price', () => {
  it('of hours of weekdays is none at a weekend', () => {
    const one = record({
      resource_id: 'a:x',
      input_per_mtok: '1',
      rates: [rate('input_tokens', '2', { hours: '01:00-04:00' }), rate('week_hours', '1', { unit: 'one' })],
    })
    const at = (day: string) =>
      costOf(
        { counts: { input_tokens: 1_000_000 } },
        { catalog: catalogOf(one), model: 'a:x', at: `${day}T02:00:00Z` },
      ).total
    expect([at('2026-09-11'), at('2026-09-12'), at('2026-09-13'), at('2026-09-14')]).toEqual([
      '2',
      '1',
      '1',
      '2',
    ])
  })

  it('of a tier and a region has the factors of both', () => {
    const one = record({
      resource_id: 'a:x',
      input_per_mtok: '10',
      rates: [
        rate('price_multiplier', '0.5', { variant: 'batch' }),
        rate('price_multiplier', '1.1', { variant: 'us' }),
      ],
    })
    const counts = { input_tokens: 1_000_000 }
    expect(outcome(catalogOf(one), counts, { model: 'a:x', tier: 'batch', region: 'us' })).toBe('5.5')
  })

  it('of audio with a least time is billed for that at least, once a request', () => {
    const one = record({
      resource_id: 'a:x',
      audio_per_min: '6',
      rates: [rate('least_seconds', '10', { unit: 'one' })],
    })
    const catalog = catalogOf(one)
    const cost = (seconds: number, requests = 1) =>
      costOf({ counts: { input_audio_seconds: seconds }, requests }, { catalog, model: 'a:x' })
    expect([cost(4).total, cost(10).total, cost(10.5).total]).toEqual(['1', '1', '1.05'])
    expect(cost(4, 3)).toMatchObject({ total: '0.4', doubts: ['sum_of_requests'] })
  })

  it('that a vendor calls by a table of tiers is on no other model', () => {
    const catalog = shippedCatalog()
    const reason = (model: string, tier: string) =>
      outcome(catalog, { input_tokens: 1 }, { model, tier, platform: 'openai' })
    expect(reason('gpt-6-astra', 'batch')).toBe('input_tokens: no_rate_for_tier')
    expect(reason('gpt-4.1', 'flex')).toBe('input_tokens: no_rate_for_tier')
    expect(reason('gpt-5.1-codex-mini', 'batch')).toBe('input_tokens: no_rate_for_tier')
    expect(reason('gpt-5', 'scale')).toBe('input_tokens: no_rate_for_tier')
  })
})
