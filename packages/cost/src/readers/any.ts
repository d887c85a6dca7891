import { UsageError } from '../errors.ts'
import type { Usage } from '../types.ts'
import { readAnthropic } from './anthropic.ts'
import { readAISDK, type AiSdkOptions } from './ai-sdk.ts'
import { readGemini } from './gemini.ts'
import { mediaCounts, readCohere, readDeepgram } from './media.ts'
import { readAzure, readGroq, readOpenAI, readPerplexity, readTogether } from './openai.ts'
import { isSpan, readOpenTelemetry } from './opentelemetry.ts'
import { has, inside, isObject, text, usageIn, type Fields } from './shape.ts'
import { unreadMessage } from './signs.ts'
import { readBedrock, readDeepSeek, readLiteLLM, readMistral, readOpenRouter, readXAI } from './vendors.ts'

const readers = {
  'ai-sdk': readAISDK,
  anthropic: readAnthropic,
  azure: readAzure,
  bedrock: readBedrock,
  cohere: readCohere,
  deepgram: readDeepgram,
  deepseek: readDeepSeek,
  gemini: readGemini,
  groq: readGroq,
  litellm: readLiteLLM,
  mistral: readMistral,
  openai: readOpenAI,
  openrouter: readOpenRouter,
  opentelemetry: readOpenTelemetry,
  perplexity: readPerplexity,
  together: readTogether,
  xai: readXAI,
}

/** A reader, by the name of who answers. */
export type ReaderName = keyof typeof readers

/** Names of all readers. */
export const readerNames = /* @__PURE__ */ Object.keys(readers) as readonly ReaderName[]

/** How an answer is read. */
export interface ReadOptions extends AiSdkOptions {
  /** Who wrote it, where its fields do not tell. */
  readonly reader?: ReaderName | undefined
  /** Where it is paid: of those who answer in one form it tells who it is. */
  readonly platform?: string | undefined
}

/**
 * Reads any answer by what its fields prove. A form that several vendors share is read where all mean the same by it; what it
 * has besides is unpriced, and a sum that is not that of its parts is refused.
 * @throws UsageError that says what to do
 */
export function readUsage(answer: unknown, told: ReaderName | ReadOptions = {}): Usage {
  if (isObject(answer) && isObject(answer['counts'])) return answer as unknown as Usage
  const options = typeof told === 'string' ? { reader: told } : told
  const whole = isObject(answer) ? unwrapped(answer) : answer
  const { reader = findReader(whole, options.platform) } = options
  if (reader !== undefined && Object.hasOwn(readers, reader)) {
    const read: (answer: unknown, options: AiSdkOptions) => Usage = readers[reader]
    return read(whole, options)
  }
  const names = readerNames.join(', ')
  if (reader !== undefined) throw new UsageError(`There is no such "reader". Name one of these: ${names}.`)
  throw new UsageError(
    unreadMessage(whole) ?? `Nothing in it tells who answered. Name the "reader": ${names}.`,
  )
}

/** The answer in the result of Google's older SDK, and in events of OpenAI's streams. */
function unwrapped(answer: Fields): Fields {
  const own = inside(answer, 'response')
  return has(own, 'usage', 'usageMetadata') && !has(answer, 'usage', 'totalUsage') ? own : answer
}

function findReader(answer: unknown, platform = ''): ReaderName | undefined {
  const { outer, usage } = usageIn(answer)
  const gemini = inside(outer, 'usageMetadata')
  if (has(gemini, 'promptTokenCount', 'totalTokenCount') || has(outer, 'promptTokenCount')) return 'gemini'
  if (has(outer, '_hidden_params')) return 'litellm'
  if (has(usage, 'prompt_cache_hit_tokens')) return 'deepseek'
  if (has(usage, 'cost_in_usd_ticks', 'num_sources_used')) return 'xai'
  if (has(usage, 'prompt_tokens')) {
    if (has(usage, 'cache_read_input_tokens', 'cache_creation_input_tokens')) return 'litellm'
    if (has(usage, 'cost_details') || typeof usage['cost'] === 'number') return 'openrouter'
    if (has(usage, 'num_cached_tokens', 'prompt_audio_seconds')) return 'mistral'
    return platform === 'mistral' || platform === 'openrouter' || platform === 'xai' ? platform : 'openai'
  }
  if (has(outer, 'usage_info')) return 'mistral'
  if (has(usage, 'billed_units') || has(inside(outer, 'meta'), 'billed_units')) return 'cohere'
  if (has(inside(outer, 'metadata'), 'duration', 'model_info')) return 'deepgram'
  if (has(usage, 'cache_read_input_tokens', 'cache_creation') || text(outer, 'type') === 'message')
    return 'anthropic'
  if (platform === 'xai' && has(usage, 'input_tokens')) return 'xai'
  if (has(usage, 'input_tokens_details', 'input_token_details') || usage['type'] === 'duration')
    return 'openai'
  // Of input and output alone all mean the same.
  if (has(usage, 'input_tokens')) return has(usage, 'total_tokens') ? 'openai' : 'anthropic'
  if (has(usage, 'inputTokenDetails', 'cachedInputTokens', 'promptTokens')) return 'ai-sdk'
  if (has(usage, 'cacheReadInputTokens', 'cacheDetails') || has(inside(outer, 'metrics'), 'latencyMs'))
    return 'bedrock'
  if (has(usage, 'inputTokens')) return platform === 'bedrock' ? 'bedrock' : 'ai-sdk'
  if (outer['object'] === 'video' || mediaCounts(outer) !== null) return 'openai'
  return isSpan(answer) ? 'opentelemetry' : undefined
}
