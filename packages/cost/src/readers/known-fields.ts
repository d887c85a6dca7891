import { isObject, type Fields } from './shape.ts'

// The numbers that each vendor's usage may have: those that its reader counts, and those that cost nothing of their own.
// A path that is named covers what is below it. Whatever else a vendor counts may be billed, so nobody is silent about it.

/** Paths, as `a.(b c)_tokens d`. Called purely, so that a program has the lists of the readers alone that it uses. */
function paths(...texts: string[]): ReadonlySet<string> {
  const all = texts.join(' ').matchAll(/([\w.]*)(?:\(([^)]*)\)(\w*))?/g)
  return new Set(
    [...all].flatMap(([, head = '', kinds, tail = '']) =>
      kinds === undefined ? [head] : kinds.split(/\s+/).map((kind) => head + kind + tail),
    ),
  )
}

/** Parts of the prompt and of the completion: OpenAI's API reference, and those who answer in its form. */
const chat = `(created created_at) (prompt completion total)_tokens
  prompt_tokens_details.(cached cache_write text image audio video)_tokens
  completion_tokens_details.(reasoning text audio image accepted_prediction rejected_prediction)_tokens`

/**
 * `cached_tokens` beside the details is Moonshot's and Together's; the times are Groq's, in seconds; `estimated_cost` is
 * DeepInfra's own estimate; the rest of the last two lines is Perplexity's: each by its API reference.
 */
const openAi = `${chat} seconds (input output)_tokens
  input_tokens_details.(cached cache_write text image)_tokens input_tokens_details.cached_tokens_details.(text image)_tokens
  output_tokens_details.(reasoning text image)_tokens input_token_details.(text audio image cached)_tokens
  input_token_details.cached_tokens_details.(text audio image)_tokens output_token_details.(text audio)_tokens
  (queue prompt completion total)_time estimated_cost cost
  (cached citation reasoning)_tokens num_search_queries`

const life = 'cache_creation.ephemeral_(5m 1h)_input_tokens'
/** Messages: thinking is part of the output, and fetching a page costs nothing but its tokens (Anthropic's web fetch tool). */
const anthropic = `created_at (input output cache_read_input cache_creation_input)_tokens ${life}
  output_tokens_details.thinking_tokens server_tool_use.(web_search web_fetch code_execution)_requests
  iterations.(input output cache_read_input cache_creation_input)_tokens iterations.${life}
  iterations.output_tokens_details.thinking_tokens`

/** `UsageMetadata` of the Gemini API and of Vertex AI. */
const gemini = `(prompt cachedContent candidates response toolUsePrompt thoughts total)TokenCount
  promptTokensDetails.tokenCount cacheTokensDetails.tokenCount candidatesTokensDetails.tokenCount
  responseTokensDetails.tokenCount toolUsePromptTokensDetails.tokenCount`

/** `TokenUsage` of Converse. Older answers write the counts of the cache twice. */
const bedrock = `(input output total cacheReadInput cacheWriteInput)Tokens cacheDetails.inputTokens
  (cacheReadInput cacheWriteInput)TokenCount`

/** How many requests an answer is: Mistral's transcriptions say 1, and bill the seconds. */
const mistral = `${chat} num_cached_tokens prompt_audio_seconds request_count prompt_token_details.cached_tokens`

const deepSeek = `${chat} prompt_cache_(hit miss)_tokens`

/** Tools of a server of one's own (MCP) cost nothing of their own, and their sum is that of the others: docs.x.ai, tools. */
const xai = `(created created_at) cost_in_usd_ticks num_sources_used num_server_side_tools_used
  (prompt completion input output total)_tokens prompt_tokens_details.(cached audio text image)_tokens
  input_tokens_details.(cached audio text image)_tokens output_tokens_details.reasoning_tokens
  completion_tokens_details.(reasoning accepted_prediction rejected_prediction)_tokens
  server_side_tool_usage_details.(web_search x_search code_interpreter file_search document_search mcp)_calls`

/** OpenRouter's usage accounting: what it reports of the cost is kept, or is a part of it. */
const openRouter = `${chat} cost cost_details server_tool_use.web_search_requests`

/** LiteLLM's `Usage`: vendors' fields beside OpenAI's, and its own estimate of the cost. */
const liteLlm = `${openAi} (cache_read cache_creation)_input_tokens server_tool_use.web_search_requests
  prompt_tokens_details.(web_search_requests cache_creation_tokens)
  prompt_tokens_details.cache_creation_token_details.ephemeral_(5m 1h)_input_tokens`

/** The AI SDK's own counts. */
const aiSdk = `(input output total reasoning cachedInput prompt completion)Tokens tokens
  inputTokenDetails.(noCache cacheRead cacheWrite)Tokens outputTokenDetails.(text reasoning)Tokens`

/** `billed_units`; what else it counts there has no price. */
const cohere = `(input output)_tokens search_units images`

export const cohereFields = /* @__PURE__ */ paths(cohere)
export const openAiFields = /* @__PURE__ */ paths(openAi)
export const anthropicFields = /* @__PURE__ */ paths(anthropic)
export const geminiFields = /* @__PURE__ */ paths(gemini)
export const bedrockFields = /* @__PURE__ */ paths(bedrock)
export const mistralFields = /* @__PURE__ */ paths(mistral)
export const deepSeekFields = /* @__PURE__ */ paths(deepSeek)
export const xaiFields = /* @__PURE__ */ paths(xai)
export const openRouterFields = /* @__PURE__ */ paths(openRouter)
export const liteLlmFields = /* @__PURE__ */ paths(liteLlm)
export const aiSdkFields = /* @__PURE__ */ withRaw()

/** `raw` is what the vendor sent, whichever it was; what it bills and the reader of the AI SDK does not count is unknown. */
function withRaw(): ReadonlySet<string> {
  const isBilledBeside =
    /(?:(?<!mcp)_calls|_queries|_used|seconds|citation_tokens|code_execution_requests|(?:completion|output)\w*\.image_tokens)$/
  const raw = [...paths(openAi, anthropic, gemini, bedrock, mistral, deepSeek, xai, openRouter)]
  return new Set([
    ...paths(aiSdk),
    ...raw.filter((path) => !isBilledBeside.test(path)).map((path) => `raw.${path}`),
  ])
}

/**
 * Numbers above zero that the reader of a usage does not know, by their path. No card has a rate for them, so they are
 * unpriced.
 */
export function unreadIn(usage: Fields, known: ReadonlySet<string>): Record<string, number> {
  const unread: Record<string, number> = {}
  const walk = (fields: Fields, within: string, depth: number) => {
    for (const [name, value] of Object.entries(fields)) {
      // Places in a list are no names.
      const path = Array.isArray(fields) ? within : within === '' ? name : `${within}.${name}`
      if (known.has(path)) continue
      if (isObject(value) && depth < depthMax) walk(value, path, depth + 1)
      else if (typeof value === 'number' && value > 0) {
        const meter = `usage.${path.slice(0, pathCharsMax)}`
        unread[meter] = (unread[meter] ?? 0) + value
      }
    }
  }
  walk(usage, '', 0)
  return unread
}

const pathCharsMax = 100
const depthMax = 6
