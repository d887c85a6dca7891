import { UsageError } from '../errors.ts'
import type { Usage } from '../types.ts'
import {
  cacheWrites,
  count,
  countsOf,
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

// Frameworks that bring the vendors' answers into one form.

/** How an answer of the Vercel AI SDK is read. */
export interface AiSdkOptions extends CacheOptions {
  /**
   * Whether `inputTokens` has what was read from a cache in it. Version 5 passes on what the vendor counts: with Anthropic
   * and Bedrock it has not. Version 6 says it by itself.
   */
  readonly cachedIn?: boolean
}

/**
 * What the Vercel AI SDK answers, version 4 to 6: the result of `generateText` and its like, or its usage. Of several steps
 * the sum is taken.
 */
export function readAiSdk(answer: unknown, options: AiSdkOptions = {}): Usage {
  const { outer } = usageIn(answer)
  const usage = [outer['totalUsage'], outer['usage'], outer].find(isObject) ?? outer
  if (!has(usage, 'inputTokens', 'promptTokens', 'outputTokens')) refuse(answer, 'readAiSdk')
  const steps = outer['steps']
  const response = inside(outer, 'response')
  return said({
    counts: has(usage, 'promptTokens') ? fourth(usage) : later(usage, outer, options),
    model: text(response, 'modelId'),
    at: time(response, 'timestamp'),
    requests: Array.isArray(steps) && steps.length > 1 && has(outer, 'totalUsage') ? steps.length : undefined,
  })
}

function fourth(usage: Fields) {
  return countsOf({
    input_tokens: count(usage, 'promptTokens'),
    output_tokens: count(usage, 'completionTokens'),
  })
}

function later(usage: Fields, outer: Fields, options: AiSdkOptions) {
  // What a vendor did not report is undefined here, and that is not 0.
  if (!has(usage, 'inputTokens') || !has(usage, 'outputTokens'))
    throw new UsageError('The AI SDK has no counts of this answer: its provider did not report them.')
  const [input, output] = [count(usage, 'inputTokens'), count(usage, 'outputTokens')]
  const details = inside(usage, 'inputTokenDetails')
  const out = inside(usage, 'outputTokenDetails')
  const reasoning = has(out, 'reasoningTokens')
    ? count(out, 'reasoningTokens')
    : count(usage, 'reasoningTokens')
  const anthropic = inside(inside(outer, 'providerMetadata'), 'anthropic')
  const ttl = inside(inside(anthropic, 'usage'), 'cache_creation')
  const isSixth = has(usage, 'inputTokenDetails')
  const read = isSixth ? count(details, 'cacheReadTokens') : count(usage, 'cachedInputTokens')
  const written = isSixth ? count(details, 'cacheWriteTokens') : count(anthropic, 'cacheCreationInputTokens')
  const byTtl = {
    '5m': count(ttl, 'ephemeral_5m_input_tokens'),
    '1h': count(ttl, 'ephemeral_1h_input_tokens'),
  }
  const isIn =
    isSixth ||
    (options.cachedIn ?? guessless(read, input, has(anthropic, 'cacheCreationInputTokens', 'usage')))
  return countsOf({
    input_tokens: isIn ? without(input, 'inputTokens', read, isSixth ? written : 0) : input,
    cached_input_tokens: read,
    cache_write_tokens: cacheWrites(written, byTtl, options),
    output_tokens: without(output, 'outputTokens', reasoning),
    reasoning_tokens: reasoning,
  })
}

/** Whether what was cached is part of the input, where the answer proves it. */
function guessless(read: number, input: number, isAnthropic: boolean): boolean {
  if (read === 0) return true
  if (read > input || isAnthropic) return false
  throw new UsageError(
    'Version 5 of the AI SDK does not say whether "inputTokens" has the cached ones in it. Give { cachedIn: true } for OpenAI and Google, { cachedIn: false } for Anthropic and Bedrock.',
  )
}

const prefix = 'gen_ai.usage.'

/**
 * Attributes of a span by OpenTelemetry's conventions for generative AI, as an object or as OTLP writes them. Input is with
 * what was read from a cache and written to one, as the conventions say.
 */
export function readOpenTelemetry(attributes: unknown, options: CacheOptions = {}): Usage {
  const fields = attributesOf(attributes)
  const first = (...names: string[]) => names.find((name) => has(fields, name)) ?? ''
  const inName = first(`${prefix}input_tokens`, `${prefix}prompt_tokens`)
  const outName = first(`${prefix}output_tokens`, `${prefix}completion_tokens`)
  if (inName === '' && outName === '') refuse(attributes, 'readOpenTelemetry')
  const read = count(fields, `${prefix}cache_read.input_tokens`)
  const written = count(fields, `${prefix}cache_creation.input_tokens`)
  const reasoning = count(fields, `${prefix}reasoning.output_tokens`)
  const model = text(fields, 'gen_ai.response.model') ?? text(fields, 'gen_ai.request.model')
  return said({
    counts: countsOf({
      input_tokens: without(count(fields, inName), inName, read, written),
      cached_input_tokens: read,
      cache_write_tokens: cacheWrites(written, {}, options),
      output_tokens: without(count(fields, outName), outName, reasoning),
      reasoning_tokens: reasoning,
    }),
    model,
    platform: text(fields, 'gen_ai.provider.name') ?? text(fields, 'gen_ai.system'),
    tier: text(fields, 'openai.response.service_tier') ?? text(fields, 'gen_ai.openai.response.service_tier'),
  })
}

/** OTLP's JSON has `[{ key, value: { intValue: "5" } }]`. */
function attributesOf(given: unknown): Fields {
  const list = Array.isArray(given) ? given : isObject(given) ? given['attributes'] : undefined
  if (isObject(list) && !Array.isArray(list)) return list
  if (!Array.isArray(list)) return isObject(given) ? given : {}
  const entries = list.filter(isObject).map(({ key, value }) => {
    const { intValue, doubleValue, stringValue } = isObject(value) ? value : {}
    return [String(key), intValue === undefined ? (doubleValue ?? stringValue) : Number(intValue)] as const
  })
  return Object.fromEntries(entries)
}
