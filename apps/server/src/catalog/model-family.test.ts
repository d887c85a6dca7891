import { describe, expect, test } from 'vitest'
import { groupFamilies, variantText } from './model-family.ts'

/** Products by their ids; what has a colon is a record without one. */
async function fold(...named: readonly (string | [id: string, records: number])[]): Promise<string[]> {
  const models = named.map((each) => {
    const [id, records] = typeof each === 'string' ? [each, 1] : each
    const isProduct = !id.includes(':')
    const vendor = isProduct ? id.split('/')[0]! : id.includes('nobody') ? 'unknown' : 'meta'
    return { id, isProduct, vendor, rows: Array.from({ length: records }) }
  })
  const families = await groupFamilies(models)
  return families.map((family) => family.map(({ id }) => id).join(' < '))
}

describe('one model is', () => {
  test.each([
    // Precisions, speeds and tiers that hosts sell.
    ['meta/llama-3.1-8b-instruct', 'meta/llama-3.1-8b-instruct-turbo'],
    ['meta/llama-3.3-70b-instruct', 'meta/llama-3.3-70b-instruct-fp8-fast'],
    ['meta/llama-3.1-70b-instruct', 'cloudflare:@cf/meta/llama-3.1-70b-instruct-fp8-fast'],
    ['meta/llama-3.3-70b-instruct', 'oci:meta.llama-3.3-70b-instruct-fp8-dynamic'],
    ['meta/llama-3.3-70b-instruct', 'together:meta-llama/Llama-3.3-70B-Instruct-Turbo-Free'],
    ['minimax/minimax-m2.5', 'minimax/minimax-m2.5-highspeed'],
    ['anthropic/claude-opus-4-6', 'anthropic/claude-opus-4.6-fast'],
    ['xai/grok-3', 'xai/grok-3-fast'],
    ['zai/glm-5', 'zai/glm-5-original'],
    // Hosts' names.
    ['meta/llama-3.3-70b-instruct', 'meta/llama-3.3-70b'],
    ['meta/llama-3.3-70b-instruct', 'groq:llama-3.3-70b-specdec'],
    ['meta/llama-3.3-70b-instruct', 'meta/llama-3.3-70b-versatile'],
    ['meta/llama-3.1-8b-instruct', 'meta/llama-3.1-8b-instant'],
    ['meta/llama-3-70b-instruct', 'meta/llama3-70b-8192'],
    ['meta/llama-4-scout', 'meta/llama-4-scout-17b-16e-instruct'],
    ['meta/llama-3.2-11b-vision-instruct', 'meta/llama3-2-11b-instruct'],
    ['google/gemma-3-27b', 'google/gemma-3-27b-it'],
    ['deepseek/deepseek-v3.1', 'deepseek/deepseek-chat-v3.1'],
    // A snapshot's speed.
    ['alibaba/qwen3-235b-a22b-thinking', 'alibaba/qwen3-235b-a22b-thinking-2507-tee'],
  ])('%s and %s', async (base, variant) => {
    expect(await fold([base, 2], variant)).toEqual([`${base} < ${variant}`])
    expect(await fold(variant, [base, 2])).toEqual([`${base} < ${variant}`])
  })
})

describe('two models are', () => {
  test.each([
    // Sizes, versions, distilled and tuned models.
    ['meta/llama-3.1-8b-instruct', 'meta/llama-3.1-70b-instruct'],
    ['openai/gpt-5', 'openai/gpt-5.1'],
    ['deepseek/deepseek-r1', 'deepseek/deepseek-r1-distill-llama-70b'],
    ['openai/gpt-4.1', 'openai/gpt-4.1.ft'],
    ['meta/llama-2-7b-chat', 'meta/llama-2-7b-chat-hf-lora'],
    ['google/gemma-4-31b-it', 'google/gemma-4-31b-it-uncensored'],
    // What their makers name so.
    ['openai/gpt-4o', 'openai/gpt-4o-mini'],
    ['openai/gpt-4', 'openai/gpt-4-turbo'],
    ['alibaba/qwen', 'alibaba/qwen-turbo'],
    ['openai/whisper-large-v3', 'openai/whisper-large-v3-turbo'],
    ['xai/grok-4', 'xai/grok-4-fast'],
    ['google/veo-3', 'google/veo-3-fast'],
    ['openai/gpt-5.1', 'openai/gpt-5.1-instant'],
    ['google/gemini-2.5-flash', 'google/gemini-2.5-flash-lite'],
    ['moonshot/kimi-k2', 'moonshot/kimi-k2-thinking'],
    ['alibaba/qwen3-235b-a22b', 'alibaba/qwen3-235b-a22b-instruct-2507'],
    ['openai/gpt-5', 'openai/gpt-5-codex'],
    ['xai/grok-2', 'xai/grok-2-vision'],
    ['alibaba/qwen3-30b-a3b', 'alibaba/qwen3-coder-30b-a3b'],
    ['deepseek/deepseek-v3', 'deepseek/deepseek-v3-base'],
    // Of these the base model is there as well, and some hosts sell it.
    ['meta/llama-3.1-8b-instruct', 'meta/llama-3.1-8b'],
    ['google/gemma-2-9b-it', 'google/gemma-2-9b'],
    ['mistral/mixtral-8x7b-instruct', 'mistral/mixtral-8x7b'],
    // In doubt: a preview, an effort of thinking, a model that nobody has.
    ['google/gemini-2.5-pro', 'google/gemini-2.5-pro-preview'],
    ['openai/o3-mini', 'openai/o3-mini-high'],
    ['meta/llama-4-scout', 'vertex_ai:meta/llama-4-scout-17b-128e-instruct-maas'],
    ['moonshot/kimi-k2', 'moonshot/kimi-k2-turbo-preview'],
    // Whose it is, nobody says.
    ['meta/llama-3.3-70b-instruct', 'nobody:cortecs/Llama-3.3-70B-Instruct-FP8-Dynamic'],
    ['acme/llama-3.3-70b-instruct', 'meta/llama-3.3-70b-instruct-turbo'],
  ])('%s and %s', async (one, other) => {
    expect(await fold(one, other)).toHaveLength(2)
  })
})

test('a variant whose base nobody sells is a model of its own', async () => {
  expect(await fold('meta/llama-3.1-8b-instruct-turbo', 'meta/llama-3.1-8b-instruct-lite')).toHaveLength(2)
})

test('the base gives the name, though a variant has more records; without a base the most common name does', async () => {
  expect(await fold(['zai/glm-5-fast', 9], 'zai/glm-5')).toEqual(['zai/glm-5 < zai/glm-5-fast'])
  expect((await fold('meta/llama-3.3-70b', ['meta/llama-3.3-70b-instruct', 9]))[0]).toMatch(
    /^meta\/llama-3.3-70b-instruct/,
  )
})

test.each([
  ['azure:gpt-4o-2024-08-06', 'openai/gpt-4o', '2024-08-06'],
  ['openai:gpt-4-0613', 'openai/gpt-4', '0613'],
  ['bedrock:us:us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'anthropic/claude-sonnet-4-5', '2025-09-29'],
  ['vertex_ai:claude-sonnet-4-5@20250929', 'anthropic/claude-sonnet-4-5', '2025-09-29'],
  ['together:meta-llama/Llama-3.3-70B-Instruct-Turbo-Free', 'meta/llama-3.3-70b-instruct', 'turbo free'],
  ['groq:llama-3.3-70b-versatile', 'meta/llama-3.3-70b-instruct', 'versatile'],
  ['deepinfra:meta-llama/Llama-3.3-70B-Instruct', 'meta/llama-3.3-70b-instruct', ''],
  ['openai:gpt-4.1', 'openai/gpt-4.1', ''],
])('%s says of %s: "%s"', (record, model, said) => {
  expect(variantText(record, model, ['anthropic', 'bedrock'])).toBe(said)
})
