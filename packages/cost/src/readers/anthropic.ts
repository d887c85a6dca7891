import { UsageError } from '../errors.ts'
import type { Usage } from '../types.ts'
import { anthropicFields, unreadIn } from './known-fields.ts'
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
  type CacheOptions,
  type Fields,
} from './shape.ts'
import { unreadMessage } from './signs.ts'

/**
 * What Anthropic answers: a message, or its usage alone. Input is what was neither read from a cache nor written to one.
 * Of a stream take the final message, or put the usage of `message_start` and the last `message_delta` together. The platform is yours to name: Bedrock and Vertex AI answer the same.
 */
export function readAnthropic(answer: unknown, options: CacheOptions = {}): Usage {
  const { outer, usage } = usageIn(answer)
  const isOther = has(usage, 'prompt_tokens', 'total_tokens', 'input_tokens_details', 'input_token_details')
  if (isOther || !has(usage, 'input_tokens') || !has(usage, 'output_tokens')) refuse(answer, 'anthropic')
  // Only the beginning of a stream has no reason to have stopped.
  if (outer['stop_reason'] === null) throw new UsageError(unreadMessage({ type: 'message_start' }))
  const rounds = roundsIn(usage)
  const sum = (name: string) => rounds.reduce((all, round) => all + count(round, name), 0)
  const ttl = (name: string) =>
    rounds.reduce((all, round) => all + count(inside(round, 'cache_creation'), name), 0)
  const tools = inside(usage, 'server_tool_use')
  const geo = text(usage, 'inference_geo')
  return said({
    counts: keepUsed({
      input_tokens: sum('input_tokens'),
      cached_input_tokens: sum('cache_read_input_tokens'),
      cache_write_tokens: cacheWrites(
        sum('cache_creation_input_tokens'),
        { '5m': ttl('ephemeral_5m_input_tokens'), '1h': ttl('ephemeral_1h_input_tokens') },
        options,
      ),
      output_tokens: sum('output_tokens'),
      searches: count(tools, 'web_search_requests'),
      code_executions: count(tools, 'code_execution_requests'),
      ...unreadIn(usage, anthropicFields),
    }),
    model: text(outer, 'model'),
    tier: text(usage, 'speed') === 'fast' ? 'fast' : text(usage, 'service_tier'),
    region: geo === 'global' || geo === 'not_available' ? undefined : geo,
    at: time(outer, 'created_at'),
    requests: rounds.length > 1 ? rounds.length : undefined,
  })
}

/** With compaction the sums of the answer leave out its own rounds, so the rounds are what is billed. */
function roundsIn(usage: Fields): readonly Fields[] {
  const { iterations } = usage
  const rounds = Array.isArray(iterations) ? iterations.filter(isObject) : []
  if (rounds.some((round) => round['type'] !== 'message' && round['type'] !== 'compaction'))
    throw new UsageError(
      'The answer has rounds of another model: price each of "usage.iterations" by itself.',
    )
  return rounds.length === 0 ? [usage] : rounds
}
