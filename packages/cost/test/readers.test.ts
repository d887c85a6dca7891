import { describe, expect, it, test } from 'vitest'
import { costOf, UsageError } from '../src/index.ts'
import {
  readAISDK,
  readAnthropic,
  readBedrock,
  readGemini,
  readOpenAI,
  readOpenTelemetry,
  readUsage,
  type ReaderName,
} from '../src/readers.ts'
import { fixtures } from './fixtures/answers.ts'
import { catalogOf, sonnet } from './support.ts'

describe.each(fixtures)('$name', ({ reader, answer, counts, also = {} }) => {
  it('is counted once', () => {
    expect(readUsage(answer, reader)).toMatchObject({ counts, ...also })
    expect(Object.keys(readUsage(answer, reader).counts).sort()).toEqual(Object.keys(counts).sort())
  })

  it('is told by its fields, or not guessed', () => {
    try {
      expect(readUsage(answer).counts).toEqual(readUsage(answer, reader).counts)
    } catch (error) {
      expect(error).toBeInstanceOf(UsageError)
      expect((error as Error).message).toContain('"reader"')
    }
  })

  it('is read by another reader rightly, or not at all', () => {
    // The sum of all tokens is the same, whoever counts.
    const tokens = (name: ReaderName) => {
      const all = Object.entries(readUsage(answer, name).counts).filter(([meter]) =>
        meter.endsWith('_tokens'),
      )
      return all
        .flatMap(([, one]) => (typeof one === 'object' ? Object.values(one as object) : [one]) as number[])
        .reduce((sum, one) => sum + one, 0)
    }
    const others = (
      ['openai', 'anthropic', 'gemini', 'deepseek', 'bedrock', 'opentelemetry'] as const
    ).filter((name) => name !== reader)
    for (const other of others) {
      try {
        expect([other, tokens(other)]).toEqual([other, tokens(reader)])
      } catch (error) {
        expect(error).toBeInstanceOf(UsageError)
      }
    }
  })
})

describe('what cannot be read', () => {
  test.each<[string, () => unknown, string]>([
    [
      "Anthropic's answer with OpenAI's reader",
      () => readOpenAI({ usage: { input_tokens: 1, output_tokens: 1, cache_read_input_tokens: 9 } }),
      '"reader" anthropic',
    ],
    [
      "OpenAI's with Anthropic's",
      () => readAnthropic({ usage: { prompt_tokens: 1, completion_tokens: 1 } }),
      '"reader" openai',
    ],
    [
      "DeepSeek's with OpenAI's",
      () => readOpenAI({ usage: { prompt_tokens: 1, prompt_cache_hit_tokens: 1 } }),
      '"reader" deepseek',
    ],
    [
      "Gemini's with Bedrock's",
      () => readBedrock({ usageMetadata: { promptTokenCount: 1 } }),
      '"reader" gemini',
    ],
    ['an answer without usage', () => readOpenAI({ model: 'gpt-4o', choices: [] }), 'finds no usage'],
    ['nothing', () => readGemini(null), 'finds no usage'],
    ['half a usage', () => readUsage({ inputTokens: 1 }), 'did not report'],
    ['text', () => readUsage('{}'), 'as an object'],
    ['a reader that nobody has', () => readUsage({}, 'toString' as never), 'no such "reader"'],
    [
      'parts that are more than the whole',
      () =>
        readOpenAI({ prompt_tokens: 5, completion_tokens: 0, prompt_tokens_details: { cached_tokens: 9 } }),
      'counted twice',
    ],
    [
      "xAI's reasoning with OpenAI's reader",
      () =>
        readOpenAI({
          prompt_tokens: 5,
          completion_tokens: 1,
          total_tokens: 99,
          completion_tokens_details: { reasoning_tokens: 1 },
        }),
      'total_tokens',
    ],
    [
      'NaN, as version 4 of the AI SDK has it',
      () => readAISDK({ promptTokens: NaN, completionTokens: NaN }),
      'no count',
    ],
    [
      'undefined, as version 5 has it',
      () => readAISDK({ inputTokens: undefined, outputTokens: 5 }),
      'did not report',
    ],
    [
      'cached tokens of nobody knows which vendor',
      () => readAISDK({ inputTokens: 50, outputTokens: 5, cachedInputTokens: 20 }),
      'cachedIn',
    ],
    [
      'cached audio of nobody knows how much',
      () =>
        readOpenAI({
          prompt_tokens: 50,
          completion_tokens: 5,
          prompt_tokens_details: { cached_tokens: 9, audio_tokens: 9 },
        }),
      'how much of the audio',
    ],
    [
      'cached tokens of nobody knows which kind',
      () =>
        readGemini({
          promptTokenCount: 9,
          cachedContentTokenCount: 5,
          promptTokensDetails: [
            { modality: 'TEXT', tokenCount: 4 },
            { modality: 'AUDIO', tokenCount: 5 },
          ],
        }),
      'cacheTokensDetails',
    ],
    [
      'tokens of a kind that is new',
      () => readGemini({ promptTokenCount: 9, promptTokensDetails: [{ modality: 'SMELL', tokenCount: 9 }] }),
      'update @ratecard/cost',
    ],
    [
      'writes of which some live nobody knows how long',
      () =>
        readAnthropic({
          input_tokens: 1,
          output_tokens: 1,
          cache_creation_input_tokens: 9,
          cache_creation: { ephemeral_1h_input_tokens: 5 },
        }),
      'time to live',
    ],
    [
      'rounds of another model',
      () => readAnthropic({ input_tokens: 1, output_tokens: 1, iterations: [{ type: 'advisor_message' }] }),
      'another model',
    ],
    ['a negative count', () => readOpenAI({ prompt_tokens: -1, completion_tokens: 1 }), 'no count'],
  ])('%s is refused with what to do', (_, read, message) => {
    expect(read).toThrow(UsageError)
    expect(read).toThrow(message)
  })
})

it('a write to the cache of an unknown life has no price, until its life is named', () => {
  const answer = {
    type: 'message',
    model: 'claude-sonnet-4-5',
    usage: { input_tokens: 1, output_tokens: 1, cache_creation_input_tokens: 1_000 },
  }
  const catalog = catalogOf(sonnet)
  const told = { catalog, platform: 'anthropic' }
  expect(costOf(readAnthropic(answer), told)).toMatchObject({
    isWhole: false,
    unpriced: [{ meter: 'cache_write_tokens', reason: 'no_rate_for_variant' }],
  })
  expect(costOf(readAnthropic(answer, { cacheTtl: '1h' }), told)).toMatchObject({
    isWhole: true,
    total: '0.006018',
  })
  expect(costOf(readAnthropic(answer, { cacheTtl: '5m' }), told)).toMatchObject({
    isWhole: true,
    total: '0.003768',
  })
})

describe('a model of the AI SDK answers', () => {
  const answer = (usage: object, also: object = {}) => ({ usage, ...also })
  const stated = {
    inputTokens: { total: 1_500, noCache: 500, cacheRead: 1_000, cacheWrite: 0 },
    outputTokens: { total: 20, text: 15, reasoning: 5 },
  }

  it('what it counts, cached and reasoning apart', () => {
    expect(readAISDK(answer(stated)).counts).toEqual({
      input_tokens: 500,
      cached_input_tokens: 1_000,
      output_tokens: 15,
      reasoning_tokens: 5,
    })
  })

  it('what the vendor says besides: audio, images, the tier', () => {
    const heard = { total: 100, noCache: 100, cacheRead: 0, cacheWrite: 0 }
    const raw = {
      service_tier: 'flex',
      prompt_tokens_details: { audio_tokens: 40 },
      completion_tokens_details: { audio_tokens: 9 },
    }
    expect(readAISDK(answer({ ...stated, inputTokens: heard, raw }))).toMatchObject({
      counts: { input_tokens: 60, input_audio_tokens: 40, output_tokens: 6, output_audio_tokens: 9 },
      tier: 'flex',
    })
    const gemini = { candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 12 }] }
    expect(readAISDK(answer({ ...stated, raw: gemini })).counts).toMatchObject({
      output_tokens: 3,
      output_image_tokens: 12,
    })
    expect(() => readAISDK(answer({ ...stated, raw }))).toThrow('how much of the audio')
  })

  it("what Bedrock's writes to a cache are, in version 5", () => {
    const usage = { inputTokens: 10, outputTokens: 1, cachedInputTokens: 0 }
    const providerMetadata = { bedrock: { usage: { cacheWriteInputTokens: 300 } } }
    expect(
      readAISDK(answer(usage, { providerMetadata }), { cachedIn: false, cacheTtl: '5m' }).counts,
    ).toEqual({
      input_tokens: 10,
      cache_write_tokens: { '5m': 300 },
      output_tokens: 1,
    })
  })

  it('and what nobody counted is not 0', () => {
    const nothing = { total: undefined, cacheRead: undefined }
    expect(() => readAISDK(answer({ ...stated, inputTokens: nothing }))).toThrow('did not report')
  })
})

it.each([
  ['openai.responses', 'openai'],
  ['azure.chat', 'azure'],
  ['azure-openai.responses', 'azure'],
  ['google.generative-ai', 'google'],
  ['google.vertex.chat', 'vertex_ai'],
  ['vertex.anthropic.messages', 'vertex_ai'],
  ['amazon-bedrock', 'bedrock'],
  ['aws.bedrock', 'bedrock'],
  ['x_ai', 'xai'],
  ['Mistral.chat', 'mistral'],
  ['somebody.else', 'somebody.else'],
])('a provider that is called %s is the platform %s', (provider, platform) => {
  const attributes = { 'gen_ai.provider.name': provider, 'gen_ai.usage.output_tokens': 1 }
  expect(readOpenTelemetry(attributes).platform).toBe(platform)
})
