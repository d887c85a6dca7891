import { expect, test } from 'vitest'
import { readUsage, type ReaderName } from '../src/readers.ts'
import { fixtures } from './fixtures/answers.ts'
import { rows } from './table/rows.ts'

const unknown = (answer: unknown, reader: ReaderName) =>
  Object.keys(readUsage(answer, reader).counts).filter((meter) => meter.startsWith('usage.'))

test('each number of each recorded answer is known to its reader', () => {
  const answers = [
    ...fixtures.map(({ name, reader, answer }) => ({ name, reader, answer })),
    ...rows.flatMap(({ id, reader, answer, unpriced }) =>
      reader === null || unpriced?.some(([meter]) => meter.startsWith('usage.'))
        ? []
        : [{ name: id, reader, answer }],
    ),
  ]
  expect(answers.length).toBeGreaterThan(250)
  expect(
    answers.flatMap(({ name, reader, answer }) => unknown(answer, reader).map((one) => `${name}: ${one}`)),
  ).toEqual([])
})

const chat = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
const message = { input_tokens: 10, output_tokens: 5 }
test.each<[ReaderName, object, string]>([
  ['openai', { usage: { ...chat, web_search_calls: 2 } }, 'usage.web_search_calls'],
  [
    'openai',
    { usage: { ...chat, prompt_tokens_details: { smell_tokens: 3 } } },
    'usage.prompt_tokens_details.smell_tokens',
  ],
  ['openai', { usage: { ...chat, reasoning_tokens: 4 } }, 'usage.reasoning_tokens'],
  [
    'anthropic',
    { usage: { ...message, server_tool_use: { image_generation_requests: 1 } } },
    'usage.server_tool_use.image_generation_requests',
  ],
  [
    'anthropic',
    { usage: { ...message, iterations: [{ type: 'message', ...message, tool_minutes: 2 }] } },
    'usage.iterations.tool_minutes',
  ],
  [
    'gemini',
    { usageMetadata: { promptTokenCount: 10, totalTokenCount: 10, groundingTokenCount: 7 } },
    'usage.groundingTokenCount',
  ],
  [
    'bedrock',
    { usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15, serverToolUsage: { searches: 1 } } },
    'usage.serverToolUsage.searches',
  ],
  ['mistral', { usage: { ...chat, connectors: { web_search: 1 } } }, 'usage.connectors.web_search'],
  [
    'deepseek',
    { usage: { ...chat, prompt_cache_hit_tokens: 0, prompt_cache_miss_tokens: 10, searches: 1 } },
    'usage.searches',
  ],
  [
    'xai',
    { usage: { ...chat, server_side_tool_usage_details: { view_image_calls: 1 } } },
    'usage.server_side_tool_usage_details.view_image_calls',
  ],
  [
    'openrouter',
    { usage: { ...chat, server_tool_use: { image_generation_requests: 1 } } },
    'usage.server_tool_use.image_generation_requests',
  ],
  ['litellm', { usage: { ...chat, audio_seconds: 12 } }, 'usage.audio_seconds'],
  [
    'ai-sdk',
    { usage: { inputTokens: 10, outputTokens: 5, raw: { num_sources_used: 3 } } },
    'usage.raw.num_sources_used',
  ],
  ['opentelemetry', { 'gen_ai.usage.input_tokens': 10, 'gen_ai.usage.tool.calls': 2 }, 'usage.tool.calls'],
])('a number that %s does not know is counted, and has no price', (reader, answer, meter) => {
  expect(unknown(answer, reader)).toEqual([meter])
})
