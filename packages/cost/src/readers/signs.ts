/** Fields by which an object shows who wrote it, the surest first. */
const signs: readonly [field: string, reader: string][] = [
  ['gen_ai.usage.input_tokens', 'readOpenTelemetry'],
  ['usageMetadata', 'readGemini'],
  ['promptTokenCount', 'readGemini'],
  ['billed_units', 'readCohere'],
  ['prompt_cache_hit_tokens', 'readDeepSeek'],
  ['cost_in_usd_ticks', 'readXai'],
  ['cost_details', 'readOpenRouter'],
  ['_hidden_params', 'readLiteLlm'],
  ['inputTokenDetails', 'readAiSdk'],
  ['totalUsage', 'readAiSdk'],
  ['cacheReadInputTokens', 'readBedrock'],
  ['cachedInputTokens', 'readAiSdk'],
  ['cache_read_input_tokens', 'readAnthropic'],
  ['cache_creation', 'readAnthropic'],
  ['prompt_tokens', 'readOpenAi'],
  ['input_tokens_details', 'readOpenAi'],
  ['inputTokens', 'readBedrock or readAiSdk'],
  ['input_tokens', 'readAnthropic or readOpenAi'],
]

/** What is said of an object that is no usage of ours: which reader to use. */
export function unreadMessage(given: unknown): string {
  const outer = Object(given) as Record<string, unknown>
  const objects = [outer, Object(outer['usage']) as object]
  const sign = signs.find(([field]) => objects.some((one) => Object.hasOwn(one, field)))
  const which =
    sign === undefined ? 'the reader of who answered, or write { counts: { input_tokens: 1200 } }' : sign[1]
  return `This is no usage that can be priced. Read it with ${which}.`
}
