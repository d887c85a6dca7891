import { describe, expect, test } from 'vitest'
import { nameKey, withoutEndings } from '../../catalog/model-key.ts'
import { resourceKey } from './names.ts'

describe('the key of a resource', () => {
  test.each([
    ['azure:Llama-3.3-70B-Instruct', 'azure:llama-3.3-70b-instruct'],
    ['azure:DeepSeek-V3.1', 'azure:deepseek-v3-1'],
    ['anthropic:claude-sonnet-4.5', 'anthropic:claude-sonnet-4-5'],
    ['vertex_ai:claude-opus-4@20250514', 'vertex_ai:claude-opus-4-20250514'],
    ['together:BAAI/bge-base-en-v1.5', 'together:baai/bge-base-en-v1.5'],
    ['openrouter:grok-3-mini', 'openrouter:x-ai/grok-3-mini'],
    ['openrouter:deepseek-r1:free', 'openrouter:deepseek/deepseek-r1:free'],
    ['fireworks:deepseek-v3', 'fireworks:accounts/fireworks/models/deepseek-v3'],
    ['scaleway:gpt-oss-120b', 'scaleway:openai/gpt-oss-120b'],
    ['vertex_ai:glm-5-maas', 'vertex_ai:zai-org/glm-5-maas'],
  ])('%s is %s', (one, other) => {
    expect(resourceKey(one)).toBe(resourceKey(other))
  })

  test.each([
    ['azure:gpt-4o', 'azure:eu:gpt-4o'],
    ['azure:gpt-4o', 'openai:gpt-4o'],
    ['openrouter:deepseek/deepseek-r1', 'openrouter:deepseek/deepseek-r1:free'],
    ['openrouter:undi95/mini', 'openrouter:openai/mini2'],
    ['openrouter:nobody/model', 'openrouter:model'],
    ['together:meta-llama/llama-3', 'together:llama-3'],
    ['azure:gpt-oss-120b', 'azure:accounts/fireworks/models/gpt-oss-120b'],
    ['groq:llama-3.1-8b', 'groq:llama-3.1-80b'],
    ['acme:模型', 'acme:另一个'],
  ])('%s is not %s', (one, other) => {
    expect(resourceKey(one)).not.toBe(resourceKey(other))
  })

  test('a key is its own key, and odd ids have one', () => {
    for (const id of ['openrouter:x-ai/grok-3', 'azure:eu:gpt-4o', 'plain', ':', 'a:', 'openrouter:x-ai/'])
      expect(resourceKey(resourceKey(id))).toBe(resourceKey(id))
  })
})

describe("the key of a model's name", () => {
  test.each([
    ['meta-llama-3.1-8b-instruct', 'llama-v3p1-8b-instruct'],
    ['llama3-1-8b-instruct', 'llama-3.1-8b-instruct'],
    ['llama2:70b', 'llama-2-70b'],
    ['groq-llama-4-maverick-17b-128e-instruct', 'llama-4-maverick-17b-128e-instruct'],
    ['gemma2-9b-it', 'gemma-2-9b-it'],
    ['qwen-v2p5-14b-instruct', 'qwen2.5-14b-instruct'],
    ['qwen3-235b-a22b-2507', 'qwen3-235b-a22b-instruct-2507'],
    ['kimi-k2p6', 'kimi-k2.6'],
    ['claude-4.5-haiku', 'claude-haiku-4-5'],
    ['claude-opus-4-0', 'claude-opus-4'],
    ['claude-v2:1', 'claude-2.1'],
    ['gpt-35-turbo', 'gpt-3.5-turbo'],
    ['cohere-embed-v3-english', 'embed-english-v3.0'],
    ['mistral-7b-instruct-v0:2', 'mistral-7b-instruct-v0.2'],
  ])('%s is %s', (one, other) => {
    expect(nameKey(one)).toBe(nameKey(other))
  })

  test.each([
    ['llama-3.1-8b-instruct', 'llama-3.1-70b-instruct'],
    ['llama-3.1-8b-instruct', 'llama-3.1-8b'],
    ['llama-3.2-11b-instruct', 'llama-3.2-11b-vision-instruct'],
    ['gpt-4o', 'gpt-4o-mini'],
    ['gpt-5-nano', 'gpt-5-mini'],
    ['qwen2.5-coder-32b-instruct', 'qwen2.5-32b-instruct'],
    ['deepseek-r1', 'deepseek-r1-distill-llama-70b'],
    ['claude-3-opus', 'claude-opus-4'],
    ['claude-3-5-sonnet', 'claude-3-sonnet'],
  ])('%s is not %s', (one, other) => {
    expect(nameKey(one)).not.toBe(nameKey(other))
  })

  test('a name that is whole only with its maker', () => {
    expect(nameKey('v3.2', 'deepseek')).toBe(nameKey('deepseek-v3.2'))
    expect(nameKey('v3.2', 'stability')).not.toBe(nameKey('deepseek-v3.2'))
  })
})

describe('snapshot endings', () => {
  test.each([
    ['gpt-4o-2024-08-06', 'gpt-4o'],
    ['claude-3-opus@20240229', 'claude-3-opus'],
    ['claude-3-5-sonnet-20241022-v2:0', 'claude-3-5-sonnet'],
    ['claude-3-5-sonnet-v2@20241022', 'claude-3-5-sonnet'],
    ['nova-pro-v1:0', 'nova-pro'],
  ])('%s is surely a state of %s', (name, base) => {
    expect(withoutEndings(name, () => false)).toBe(base)
  })

  test.each([
    ['gpt-4-0613', 'gpt-4'],
    ['mistral-large@2411', 'mistral-large'],
    ['codestral@latest', 'codestral'],
    ['gpt-oss-120b-1:0', 'gpt-oss-120b'],
    ['llama-3.1-8b-instruct-fp8', 'llama-3.1-8b-instruct'],
    ['gemini-2.5-flash-preview-09-2025', 'gemini-2.5-flash-preview'],
  ])('%s is a state of %s, where that is a product', (name, base) => {
    expect(withoutEndings(name, (shorter) => shorter === base)).toBe(base)
  })

  test.each([
    'llama3-70b-8192',
    'titan-embed-text-v2',
    'davinci-002',
    'nomic-embed-text-v1',
    'gemini-pro-latest',
    'qwen3-235b-a22b-2507',
    'kat-coder-pro-v2',
  ])('%s has no ending', (name) => {
    expect(withoutEndings(name, () => true)).toBe(name)
  })
})
