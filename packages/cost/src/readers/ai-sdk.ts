import { UsageError } from '../errors.ts'
import type { Usage } from '../types.ts'
import { aiSdkFields, unreadIn } from './known-fields.ts'
import {
  cacheWrites,
  count,
  keepUsed,
  has,
  inside,
  isObject,
  refuse,
  said,
  text,
  time,
  usageIn,
  without,
  type CacheOptions,
  type Fields,
} from './shape.ts'

/** How an answer of the Vercel AI SDK is read. */
export interface AiSdkOptions extends CacheOptions {
  /**
   * Whether `inputTokens` has what was read from a cache in it. Version 5 passes on what the vendor counts: with Anthropic
   * and Bedrock it has not. Later ones say it.
   */
  readonly cachedIn?: boolean | undefined
}

/**
 * What the Vercel AI SDK answers, version 4 to 7: the result of `generateText`, `embed` and their like, a model's own, or the usage. Of several steps
 * the sum is taken.
 */
export function readAISDK(answer: unknown, options: AiSdkOptions = {}): Usage {
  const { outer } = usageIn(answer)
  const stated = [outer['totalUsage'], outer['usage'], outer].find(isObject) ?? outer
  // Pictures and transcriptions have a list of responses.
  const response = [outer['response'], inside(outer, 'responses')[0]].find(isObject) ?? {}
  const about = { model: text(response, 'modelId'), at: time(response, 'timestamp') }
  if (!has(stated, 'inputTokens', 'promptTokens', 'outputTokens', 'tokens')) {
    if (has(outer, 'durationInSeconds'))
      return said({ ...about, counts: keepUsed({ input_audio_seconds: count(outer, 'durationInSeconds') }) })
    if ('inputTokens' in stated) throw unreported()
    refuse(answer, 'ai-sdk')
  }
  const usage = isObject(stated['inputTokens']) ? ofModel(stated) : stated
  const steps = outer['steps']
  return said({
    ...about,
    counts: {
      ...(has(usage, 'promptTokens')
        ? fourth(usage)
        : has(usage, 'tokens')
          ? // Embeddings.
            keepUsed({ input_tokens: count(usage, 'tokens') })
          : later(usage, outer, options)),
      ...unreadIn(usage, aiSdkFields),
    },
    tier: tierIn(usage, inside(outer, 'providerMetadata')),
    requests: Array.isArray(steps) && steps.length > 1 && has(outer, 'totalUsage') ? steps.length : undefined,
  })
}

/** The tier that was billed, as OpenAI and Anthropic say it. */
function tierIn(usage: Fields, metadata: Fields): string | undefined {
  const raw = inside(usage, 'raw')
  if (text(raw, 'speed') === 'fast') return 'fast'
  const stated = [inside(metadata, 'openai'), inside(metadata, 'azure')].map((one) =>
    text(one, 'serviceTier'),
  )
  return stated.find((tier) => tier !== undefined) ?? text(raw, 'service_tier')
}

function fourth(usage: Fields) {
  return keepUsed({
    input_tokens: count(usage, 'promptTokens'),
    output_tokens: count(usage, 'completionTokens'),
  })
}

function later(usage: Fields, outer: Fields, options: AiSdkOptions) {
  // What a vendor did not report is undefined here, and that is not 0.
  if (!has(usage, 'inputTokens') || !has(usage, 'outputTokens')) throw unreported()
  const [input, output] = [count(usage, 'inputTokens'), count(usage, 'outputTokens')]
  const details = inside(usage, 'inputTokenDetails')
  const out = inside(usage, 'outputTokenDetails')
  const reasoning = has(out, 'reasoningTokens')
    ? count(out, 'reasoningTokens')
    : count(usage, 'reasoningTokens')
  const metadata = inside(outer, 'providerMetadata')
  const anthropic = inside(metadata, 'anthropic')
  const bedrock = inside(inside(metadata, 'bedrock'), 'usage')
  const raw = has(usage, 'raw') ? inside(usage, 'raw') : inside(anthropic, 'usage')
  const ttl = inside(raw, 'cache_creation')
  const isSixth = has(usage, 'inputTokenDetails')
  const read = isSixth ? count(details, 'cacheReadTokens') : count(usage, 'cachedInputTokens')
  const written = isSixth
    ? count(details, 'cacheWriteTokens')
    : count(anthropic, 'cacheCreationInputTokens') + count(bedrock, 'cacheWriteInputTokens')
  const byTtl = {
    '5m': count(ttl, 'ephemeral_5m_input_tokens'),
    '1h': count(ttl, 'ephemeral_1h_input_tokens'),
  }
  const isIn =
    isSixth ||
    (options.cachedIn ?? guessless(read, input, has(anthropic, 'cacheCreationInputTokens', 'usage')))
  const kinds = kindsIn(raw)
  if (read > 0 && kinds.input_audio_tokens > 0)
    throw new UsageError(
      'The AI SDK does not say how much of the audio was cached: read the answer of the vendor.',
    )
  return keepUsed({
    input_tokens: isIn
      ? without(input, 'inputTokens', read, isSixth ? written : 0, kinds.input_audio_tokens)
      : without(input, 'inputTokens', kinds.input_audio_tokens),
    cached_input_tokens: read,
    cache_write_tokens: cacheWrites(written, byTtl, options),
    output_tokens: without(
      output,
      'outputTokens',
      reasoning,
      kinds.output_audio_tokens,
      kinds.output_image_tokens,
    ),
    reasoning_tokens: reasoning,
    ...kinds,
    searches: count(inside(raw, 'server_tool_use'), 'web_search_requests'),
  })
}

function unreported(): UsageError {
  return new UsageError('The AI SDK has no counts of this answer: its provider did not report them.')
}

/** What was not text, by what the vendor itself says; the SDK has one number for all. */
function kindsIn(raw: Fields) {
  const inOpenAi = (name: string) => count(inside(raw, name), 'audio_tokens')
  const inGemini = (name: string, modality: string) => {
    const list = raw[name]
    const found = (Array.isArray(list) ? list : [])
      .filter(isObject)
      .find((one) => one['modality'] === modality)
    return found === undefined ? 0 : count(found, 'tokenCount')
  }
  return {
    input_audio_tokens: inOpenAi('prompt_tokens_details') + inGemini('promptTokensDetails', 'AUDIO'),
    output_audio_tokens: inOpenAi('completion_tokens_details') + inGemini('candidatesTokensDetails', 'AUDIO'),
    output_image_tokens: inGemini('candidatesTokensDetails', 'IMAGE'),
  }
}

/** The usage as models of the specifications v3 and v4 answer it, in the form of the SDK's own answers. */
function ofModel(usage: Fields): Fields {
  const [input, output] = [inside(usage, 'inputTokens'), inside(usage, 'outputTokens')]
  return {
    inputTokens: input['total'],
    outputTokens: output['total'],
    inputTokenDetails: { cacheReadTokens: input['cacheRead'], cacheWriteTokens: input['cacheWrite'] },
    outputTokenDetails: { reasoningTokens: output['reasoning'] },
    raw: usage['raw'],
  }
}

/** Whether what was cached is part of the input, where the answer proves it. */
function guessless(read: number, input: number, isAnthropic: boolean): boolean {
  if (read === 0) return true
  if (read > input || isAnthropic) return false
  throw new UsageError(
    'Version 5 of the AI SDK does not say whether "inputTokens" has the cached ones in it. Give { cachedIn: true } for OpenAI and Google, { cachedIn: false } for Anthropic and Bedrock.',
  )
}
