import type { Fields } from './shape.ts'
import { isObject } from './shape.ts'

// The numbers that each vendor's usage may have: those that its reader counts, and those that cost nothing of their own.
// A path that is named covers what is below it. Whatever else a vendor counts may be billed, so nobody is silent about it.

const paths = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Parts of the prompt and of the completion: OpenAI's API reference, and those who answer in its form. */
const chat = `
  created created_at prompt_tokens completion_tokens total_tokens
  prompt_tokens_details.cached_tokens prompt_tokens_details.cache_write_tokens prompt_tokens_details.text_tokens
  prompt_tokens_details.image_tokens prompt_tokens_details.audio_tokens prompt_tokens_details.video_tokens
  completion_tokens_details.reasoning_tokens completion_tokens_details.text_tokens
  completion_tokens_details.audio_tokens completion_tokens_details.image_tokens
  completion_tokens_details.accepted_prediction_tokens completion_tokens_details.rejected_prediction_tokens`

/** A text that was served from a cache elsewhere: Moonshot's and Together's references. */
const cachedApart = 'cached_tokens'

export const openAiFields = paths(`${chat} ${cachedApart}
  seconds input_tokens output_tokens
  input_tokens_details.cached_tokens input_tokens_details.cache_write_tokens
  input_tokens_details.cached_tokens_details.text_tokens input_tokens_details.cached_tokens_details.image_tokens
  input_tokens_details.text_tokens input_tokens_details.image_tokens
  output_tokens_details.reasoning_tokens output_tokens_details.text_tokens output_tokens_details.image_tokens
  input_token_details.text_tokens input_token_details.audio_tokens input_token_details.image_tokens
  input_token_details.cached_tokens input_token_details.cached_tokens_details.text_tokens
  input_token_details.cached_tokens_details.audio_tokens input_token_details.cached_tokens_details.image_tokens
  output_token_details.text_tokens output_token_details.audio_tokens
  queue_time prompt_time completion_time total_time estimated_cost cost
  citation_tokens num_search_queries reasoning_tokens`)
// Groq's times are in seconds (its API reference); `estimated_cost` is DeepInfra's own estimate; Perplexity's `cost` is an
// object, and is kept as what it reports.

/** Messages: thinking is part of the output, and fetching a page costs nothing but its tokens (Anthropic's web fetch tool). */
export const anthropicFields = paths(`
  created_at input_tokens output_tokens cache_read_input_tokens cache_creation_input_tokens
  cache_creation.ephemeral_5m_input_tokens cache_creation.ephemeral_1h_input_tokens
  output_tokens_details.thinking_tokens
  server_tool_use.web_search_requests server_tool_use.web_fetch_requests server_tool_use.code_execution_requests
  iterations.input_tokens iterations.output_tokens iterations.cache_read_input_tokens
  iterations.cache_creation_input_tokens iterations.cache_creation.ephemeral_5m_input_tokens
  iterations.cache_creation.ephemeral_1h_input_tokens iterations.output_tokens_details.thinking_tokens`)

/** `UsageMetadata` of the Gemini API and of Vertex AI. */
export const geminiFields = paths(`
  promptTokenCount cachedContentTokenCount candidatesTokenCount responseTokenCount toolUsePromptTokenCount
  thoughtsTokenCount totalTokenCount promptTokensDetails.tokenCount cacheTokensDetails.tokenCount
  candidatesTokensDetails.tokenCount responseTokensDetails.tokenCount toolUsePromptTokensDetails.tokenCount`)

/** `TokenUsage` of Converse. Older answers write the counts of the cache twice. */
export const bedrockFields = paths(`
  inputTokens outputTokens totalTokens cacheReadInputTokens cacheWriteInputTokens cacheDetails.inputTokens
  cacheReadInputTokenCount cacheWriteInputTokenCount`)

/** How many requests an answer is: Mistral's transcriptions say 1, and bill the seconds. */
export const mistralFields = paths(`${chat}
  num_cached_tokens prompt_audio_seconds request_count prompt_token_details.cached_tokens`)

export const deepSeekFields = paths(`${chat} prompt_cache_hit_tokens prompt_cache_miss_tokens`)

/** Tools of a server of one's own (MCP) cost nothing of their own, and their sum is that of the others: docs.x.ai, tools. */
export const xaiFields = paths(`
  created created_at cost_in_usd_ticks num_sources_used num_server_side_tools_used
  prompt_tokens completion_tokens input_tokens output_tokens total_tokens
  prompt_tokens_details.cached_tokens prompt_tokens_details.audio_tokens prompt_tokens_details.text_tokens
  prompt_tokens_details.image_tokens input_tokens_details.cached_tokens input_tokens_details.audio_tokens
  input_tokens_details.text_tokens input_tokens_details.image_tokens
  completion_tokens_details.reasoning_tokens completion_tokens_details.accepted_prediction_tokens
  completion_tokens_details.rejected_prediction_tokens output_tokens_details.reasoning_tokens
  server_side_tool_usage_details.web_search_calls server_side_tool_usage_details.x_search_calls
  server_side_tool_usage_details.code_interpreter_calls server_side_tool_usage_details.file_search_calls
  server_side_tool_usage_details.document_search_calls server_side_tool_usage_details.mcp_calls`)

/** OpenRouter's usage accounting: what it reports of the cost is kept, or is a part of it. */
export const openRouterFields = paths(`${chat} cost cost_details server_tool_use.web_search_requests`)

/** LiteLLM's `Usage`: vendors' fields beside OpenAI's, and its own estimate of the cost. */
export const liteLlmFields = paths(`${[...openAiFields].join(' ')}
  cache_read_input_tokens cache_creation_input_tokens server_tool_use.web_search_requests
  prompt_tokens_details.web_search_requests prompt_tokens_details.cache_creation_tokens
  prompt_tokens_details.cache_creation_token_details.ephemeral_5m_input_tokens
  prompt_tokens_details.cache_creation_token_details.ephemeral_1h_input_tokens`)

/** What a vendor bills and the reader of the AI SDK does not count. */
const isBilledBeside = (path: string) =>
  /(?:(?<!mcp)_calls|_queries|_used|seconds|citation_tokens|code_execution_requests|(?:completion|output)\w*\.image_tokens)$/.test(
    path,
  )

/** The AI SDK's own counts; `raw` is what the vendor sent, whichever it was. */
export const aiSdkFields = paths(`
  inputTokens outputTokens totalTokens reasoningTokens cachedInputTokens tokens promptTokens completionTokens
  inputTokenDetails.noCacheTokens inputTokenDetails.cacheReadTokens inputTokenDetails.cacheWriteTokens
  outputTokenDetails.textTokens outputTokenDetails.reasoningTokens
  ${[
    openAiFields,
    anthropicFields,
    geminiFields,
    bedrockFields,
    mistralFields,
    deepSeekFields,
    xaiFields,
    openRouterFields,
  ]
    .flatMap((known) => [...known])
    .filter((path) => !isBilledBeside(path))
    .map((path) => `raw.${path}`)
    .join(' ')}`)

/**
 * Numbers above zero that the reader of a usage does not know, by their path. No card has a rate for them, so they are
 * unpriced.
 */
export function unreadIn(usage: Fields, known: ReadonlySet<string>): Record<string, number> {
  const unread: Record<string, number> = {}
  const walk = (fields: Fields, within: string) => {
    for (const [name, value] of Object.entries(fields)) {
      // Places in a list are no names.
      const path = Array.isArray(fields) ? within : within === '' ? name : `${within}.${name}`
      if (known.has(path) && !Array.isArray(fields)) continue
      if (typeof value === 'number' && value > 0) {
        const meter = `usage.${path.slice(0, pathCharsMax)}`
        unread[meter] = (unread[meter] ?? 0) + value
      } else if (isObject(value) && path.split('.').length < depthMax) walk(value, path)
    }
  }
  walk(usage, '')
  return unread
}

const pathCharsMax = 100
const depthMax = 6
