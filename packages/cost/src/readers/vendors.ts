import { formatDecimal, exactCount, plus, times } from '../exact.ts'
import type { Count, Counts, Money, Usage } from '../types.ts'
import {
  bedrockFields,
  deepSeekFields,
  liteLlmFields,
  mistralFields,
  openRouterFields,
  unreadIn,
  xaiFields,
} from './known-fields.ts'
import { chatCounts } from './openai.ts'
import { isPerplexity } from './perplexity.ts'
import {
  cacheWrites,
  checkTotal,
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

// Vendors who answer in a form of their own, or nearly in OpenAI's.

/** What Bedrock's `Converse` answers: the whole answer or its usage. It does not name the model. */
export function readBedrock(answer: unknown, options: CacheOptions = {}): Usage {
  const { outer, usage } = usageIn(answer)
  const isAiSdk = has(usage, 'inputTokenDetails', 'cachedInputTokens') || has(outer, 'totalUsage', 'steps')
  if (!has(usage, 'inputTokens') || isAiSdk) refuse(answer, 'bedrock')
  const [input, output] = [count(usage, 'inputTokens'), count(usage, 'outputTokens')]
  const [read, written] = [count(usage, 'cacheReadInputTokens'), count(usage, 'cacheWriteInputTokens')]
  // Input is without the cache, and the total is with it; older models leave it out of both.
  checkTotal(usage, 'totalTokens', input + output + read + written, input + output)
  const byTtl: Record<string, number> = {}
  const { cacheDetails } = usage
  for (const detail of Array.isArray(cacheDetails) ? cacheDetails.filter(isObject) : []) {
    const ttl = text(detail, 'ttl') ?? 'unknown'
    byTtl[ttl] = (byTtl[ttl] ?? 0) + count(detail, 'inputTokens')
  }
  const latency = text(inside(outer, 'performanceConfig'), 'latency')
  return said({
    counts: keepUsed({
      input_tokens: input,
      cached_input_tokens: read,
      cache_write_tokens: cacheWrites(written, byTtl, options),
      output_tokens: output,
      ...unreadIn(usage, bedrockFields),
    }),
    platform: 'bedrock',
    tier: latency === 'optimized' ? 'optimized' : text(inside(outer, 'serviceTier'), 'type'),
  })
}

/** What Mistral answers: chat, embeddings, transcriptions and OCR. */
export function readMistral(answer: unknown): Usage {
  const { outer, usage } = usageIn(answer)
  const about = { model: text(outer, 'model'), at: time(outer, 'created'), platform: undefined }
  const pages = inside(outer, 'usage_info')
  if (has(pages, 'pages_processed')) {
    const isAnnotated = has(outer, 'document_annotation')
    const read = count(pages, 'pages_processed')
    return said({ ...about, counts: keepUsed({ [isAnnotated ? 'annotated_pages' : 'pages']: read }) })
  }
  if (!has(usage, 'prompt_tokens')) refuse(answer, 'mistral')
  const cached = count(usage, 'num_cached_tokens')
  const details = inside(usage, 'prompt_tokens_details')
  const seconds = typeof usage['prompt_audio_seconds'] === 'number' ? count(usage, 'prompt_audio_seconds') : 0
  // The total of a transcription has tokens of the audio in it, which are nowhere else.
  const stated = seconds > 0 ? { ...usage, total_tokens: undefined } : usage
  const merged = has(details, 'cached_tokens')
    ? stated
    : { ...stated, prompt_tokens_details: { ...details, cached_tokens: cached } }
  const unread = unreadIn(usage, mistralFields)
  return said({
    ...about,
    counts: { ...chatCounts(merged), ...keepUsed({ input_audio_seconds: seconds, ...unread }) },
  })
}

/** What DeepSeek answers: hits and misses of the cache are the prompt, and reasoning is part of the completion. */
export function readDeepSeek(answer: unknown): Usage {
  const { outer, usage } = usageIn(answer)
  if (!has(usage, 'prompt_cache_hit_tokens')) refuse(answer, 'deepseek')
  const [hit, missed] = [count(usage, 'prompt_cache_hit_tokens'), count(usage, 'prompt_cache_miss_tokens')]
  checkTotal(usage, 'prompt_tokens', hit + missed)
  const details = { cached_tokens: hit }
  return said({
    counts: {
      ...chatCounts({ ...usage, prompt_tokens: hit + missed, prompt_tokens_details: details }),
      ...unreadIn(usage, deepSeekFields),
    },
    model: text(outer, 'model'),
    platform: 'deepseek',
    at: time(outer, 'created'),
  })
}

/**
 * What xAI answers, chat and responses. Its reasoning is no part of the completion, unlike OpenAI's; the total tells. The
 * cost that it reports is kept.
 */
export function readXAI(answer: unknown): Usage {
  const { outer, usage } = usageIn(answer)
  const isChat = has(usage, 'prompt_tokens')
  const [inName, outName] = isChat
    ? ['prompt_tokens', 'completion_tokens']
    : ['input_tokens', 'output_tokens']
  if (!has(usage, inName)) refuse(answer, 'xai')
  const [input, output] = [count(usage, inName), count(usage, outName)]
  const details = inside(usage, `${inName}_details`)
  const reasoning = count(inside(usage, `${outName}_details`), 'reasoning_tokens')
  checkTotal(usage, 'total_tokens', input + output, input + output + reasoning)
  const isApart = count(usage, 'total_tokens') === input + output + reasoning
  const [cached, heard] = [count(details, 'cached_tokens'), count(details, 'audio_tokens')]
  const tools = inside(usage, 'server_side_tool_usage_details')
  return said({
    counts: {
      ...keepUsed({
        input_tokens: without(input, inName, cached, heard),
        cached_input_tokens: cached,
        input_audio_tokens: heard,
        output_tokens: isApart ? output : without(output, outName, reasoning),
        reasoning_tokens: reasoning,
        search_sources: count(usage, 'num_sources_used'),
        code_executions: count(tools, 'code_interpreter_calls'),
        ...unreadIn(usage, xaiFields),
      }),
      ...searches({
        '': count(tools, 'web_search_calls'),
        x: count(tools, 'x_search_calls'),
        file: count(tools, 'file_search_calls'),
        document: count(tools, 'document_search_calls'),
      }),
    },
    model: text(outer, 'model'),
    platform: 'xai',
    tier: text(outer, 'service_tier'),
    at: time(outer, 'created', 'created_at'),
    // A tick is a ten thousand millionth of a dollar.
    reported: has(usage, 'cost_in_usd_ticks')
      ? dollars(`${count(usage, 'cost_in_usd_ticks')}e-10`)
      : undefined,
  })
}

function searches(byKind: Record<string, number>): Counts {
  return Object.values(byKind).some((one) => one > 0) ? { searches: byKind } : {}
}

/** What OpenRouter answers, with the cost that it reports: of a key of your own, with what its platform charges. */
export function readOpenRouter(answer: unknown): Usage {
  const { outer, usage } = usageIn(answer)
  if (!has(usage, 'prompt_tokens')) refuse(answer, 'openrouter')
  const upstream =
    usage['is_byok'] === true ? count(inside(usage, 'cost_details'), 'upstream_inference_cost') : 0
  const searched = count(inside(usage, 'server_tool_use'), 'web_search_requests')
  return said({
    counts: {
      ...chatCounts(usage),
      ...keepUsed({ searches: searched, ...unreadIn(usage, openRouterFields) }),
    },
    model: text(outer, 'model'),
    platform: 'openrouter',
    at: time(outer, 'created'),
    reported: has(usage, 'cost') ? dollars(count(usage, 'cost'), upstream) : undefined,
  })
}

/**
 * What LiteLLM answers. It puts everything in OpenAI's form, the prompt with what was read from a cache and written to
 * one, and keeps its own estimate of the cost, which is not the provider's.
 */
export function readLiteLLM(answer: unknown, options: CacheOptions = {}): Usage {
  const { outer, usage } = usageIn(answer)
  if (!has(usage, 'prompt_tokens')) refuse(answer, 'litellm')
  const details = inside(usage, 'prompt_tokens_details')
  const same = (...stated: [Fields, string][]) =>
    Math.max(...stated.map(([fields, name]) => count(fields, name)))
  const cached = same([details, 'cached_tokens'], [usage, 'cache_read_input_tokens'])
  const written = same([details, 'cache_creation_tokens'], [usage, 'cache_creation_input_tokens'])
  const ttl = inside(details, 'cache_creation_token_details')
  const byTtl = {
    '5m': count(ttl, 'ephemeral_5m_input_tokens'),
    '1h': count(ttl, 'ephemeral_1h_input_tokens'),
  }
  const merged = { ...details, cached_tokens: cached, cache_write_tokens: written }
  const counts = chatCounts({ ...usage, prompt_tokens_details: merged })
  const searched = Math.max(
    same([inside(usage, 'server_tool_use'), 'web_search_requests'], [details, 'web_search_requests']),
    isPerplexity(usage) ? count(usage, 'num_search_queries') : 0,
  )
  return said({
    counts: {
      ...counts,
      ...keepUsed({
        cache_write_tokens: cacheWrites(written, byTtl, options),
        searches: searched,
        ...unreadIn(usage, liteLlmFields),
      }),
    },
    model: text(outer, 'model'),
    platform: text(inside(outer, '_hidden_params'), 'custom_llm_provider'),
    tier: text(outer, 'service_tier'),
    at: time(outer, 'created'),
  })
}

function dollars(...amounts: Count[]): Money {
  const parts = amounts.map((amount) => times(exactCount(amount), exactCount(1)))
  return { amount: formatDecimal(parts.reduce(plus)), currency: 'USD' }
}
