import { UsageError } from '../errors.ts'
import type { Usage } from '../types.ts'
import { readAnthropic } from './anthropic.ts'
import { readAiSdk } from './ai-sdk.ts'
import { readGemini } from './gemini.ts'
import { readCohere, readDeepgram } from './media.ts'
import { readOpenAi } from './openai.ts'
import { readOpenTelemetry } from './opentelemetry.ts'
import { has, inside, isObject, text, usageIn } from './shape.ts'
import { unreadMessage } from './signs.ts'
import { readBedrock, readDeepSeek, readLiteLlm, readMistral, readOpenRouter, readXai } from './vendors.ts'

const readers = {
  'ai-sdk': readAiSdk,
  anthropic: readAnthropic,
  bedrock: readBedrock,
  cohere: readCohere,
  deepgram: readDeepgram,
  deepseek: readDeepSeek,
  gemini: readGemini,
  litellm: readLiteLlm,
  mistral: readMistral,
  openai: readOpenAi,
  openrouter: readOpenRouter,
  opentelemetry: readOpenTelemetry,
  xai: readXai,
}

/** A reader, by the name of who answers. */
export type ReaderName = keyof typeof readers

/**
 * Reads a usage by what its fields prove, for tools that are given anything. Programs know who answers, and use that
 * reader. An object that several vendors could have written is refused.
 * @throws UsageError that names the readers that may fit
 */
export function readUsage(answer: unknown, reader: ReaderName | undefined = findReader(answer)): Usage {
  if (isObject(answer) && isObject(answer['counts'])) return answer as unknown as Usage
  if (reader === undefined || !Object.hasOwn(readers, reader))
    throw new UsageError(
      `Nobody can tell who answered this. ${unreadMessage(answer)} Name the reader: ${Object.keys(readers).join(', ')}.`,
    )
  return readers[reader](answer)
}

function findReader(answer: unknown): ReaderName | undefined {
  const { outer, usage } = usageIn(answer)
  const gemini = inside(outer, 'usageMetadata')
  if (has(gemini, 'promptTokenCount', 'totalTokenCount') || has(outer, 'promptTokenCount')) return 'gemini'
  if (JSON.stringify(answer)?.includes('"gen_ai.usage.')) return 'opentelemetry'
  if (has(outer, '_hidden_params')) return 'litellm'
  if (has(usage, 'prompt_cache_hit_tokens')) return 'deepseek'
  if (has(usage, 'cost_in_usd_ticks')) return 'xai'
  if (has(usage, 'prompt_tokens')) {
    if (has(usage, 'cache_read_input_tokens', 'cache_creation_input_tokens')) return 'litellm'
    if (has(usage, 'cost', 'cost_details')) return 'openrouter'
    // OpenAI's own answers say what they are and by whom they are billed; others copy the form.
    return has(outer, 'service_tier') || has(usage, 'completion_tokens_details') ? 'openai' : undefined
  }
  if (has(outer, 'usage_info')) return 'mistral'
  if (has(usage, 'billed_units') || has(inside(outer, 'meta'), 'billed_units')) return 'cohere'
  if (has(inside(outer, 'metadata'), 'duration', 'model_info')) return 'deepgram'
  if (outer['object'] === 'video') return 'openai'
  if (has(usage, 'cache_read_input_tokens', 'cache_creation') || text(outer, 'type') === 'message')
    return 'anthropic'
  if (has(usage, 'input_tokens_details', 'input_token_details') || usage['type'] === 'duration')
    return 'openai'
  if (has(usage, 'inputTokenDetails', 'cachedInputTokens', 'promptTokens')) return 'ai-sdk'
  if (has(usage, 'cacheReadInputTokens', 'cacheDetails') || has(inside(outer, 'metrics'), 'latencyMs'))
    return 'bedrock'
  return undefined
}
