/** Which fields show which reader reads an object, the surest first. */
const signs: readonly [reader: string, ...fields: string[]][] = [
  ['opentelemetry', 'gen_ai.usage.input_tokens'],
  ['gemini', 'usageMetadata', 'promptTokenCount'],
  ['deepseek', 'prompt_cache_hit_tokens'],
  ['xai', 'cost_in_usd_ticks'],
  ['openrouter', 'cost_details'],
  ['litellm', '_hidden_params'],
  ['cohere', 'billed_units'],
  ['ai-sdk', 'inputTokenDetails', 'totalUsage', 'cachedInputTokens'],
  ['bedrock', 'cacheReadInputTokens'],
  ['anthropic', 'cache_read_input_tokens', 'cache_creation'],
  ['openai', 'prompt_tokens', 'input_tokens_details'],
  ['bedrock or ai-sdk', 'inputTokens'],
  ['anthropic or openai', 'input_tokens'],
]

/** The reader that the fields show; undefined: none. */
export function findSign(given: unknown): string | undefined {
  const outer = Object(given) as { usage?: unknown }
  const all = { ...Object(outer.usage), ...outer } as object
  return signs.find(([, ...fields]) => fields.some((field) => Object.hasOwn(all, field)))?.[0]
}

/** Parts of streams that do not say what was used, and how to get what does. */
const parts: readonly [part: RegExp, advice: string][] = [
  [
    /^chat\.completion\.chunk$/,
    'ask for it with stream_options: { include_usage: true }, and take the last chunk',
  ],
  [/^response\./, 'take the last event, "response.completed"'],
  [
    /^(?:message|content_block)_|^ping$/,
    'take the final message, or the usage of "message_start" with that of the last "message_delta" put over it',
  ],
]

/** What is said of an object that has no usage to read; undefined: nothing is known of it. */
export function unreadMessage(given: unknown): string | undefined {
  if (typeof given === 'string') return 'This is text: give the answer as an object.'
  const { object, type } = Object(given) as Record<string, unknown>
  const advice = parts.find(([part]) => part.test(`${String(object ?? type)}`))?.[1]
  return advice && `A part of a stream, without the whole usage: ${advice}.`
}
