import { describe, expect, test } from 'vitest'
import { identify, findSeller } from './identify.ts'

const identityOf = (seller: string, id: string) => identify(findSeller(seller), id)

describe('the spelling of an id says where and whose', () => {
  test.each([
    ['openai', 'gpt-4o', 'openai:gpt-4o', null, 'openai'],
    [
      'bedrock_converse',
      'us.anthropic.claude-3-haiku-20240307-v1:0',
      'bedrock:us:us.anthropic.claude-3-haiku-20240307-v1:0',
      'us',
      'anthropic',
    ],
    [
      'bedrock',
      'eu-west-1/meta.llama3-8b-instruct-v1:0',
      'bedrock:eu-west-1:meta.llama3-8b-instruct-v1:0',
      'eu-west-1',
      'meta',
    ],
    [
      'bedrock',
      'us-gov-east-1/amazon.titan-text-lite-v1',
      'bedrock:us-gov-east-1:amazon.titan-text-lite-v1',
      'us-gov-east-1',
      'amazon',
    ],
    ['aws', 'global.openai.gpt-5.6-sol', 'bedrock:global:global.openai.gpt-5.6-sol', 'global', 'openai'],
    ['azure_ai', 'Phi-4', 'azure:Phi-4', null, 'microsoft'],
    ['azure', 'eu/gpt-4o-2024-08-06', 'azure:eu:gpt-4o-2024-08-06', 'eu', 'openai'],
    [
      'vertex_ai-anthropic_models',
      'claude-3-opus@20240229',
      'vertex_ai:claude-3-opus@20240229',
      null,
      'anthropic',
    ],
    [
      'vertex_ai-openai_models',
      'google/gemma-4-26b-a4b-it-maas',
      'vertex_ai:google/gemma-4-26b-a4b-it-maas',
      null,
      'google',
    ],
    ['vertex_ai-models_of_tomorrow', 'x', 'vertex_ai:x', null, 'unknown'],
    ['google', 'claude-opus-5', 'google:claude-opus-5', null, 'anthropic'],
    [
      'fireworks_ai',
      'accounts/fireworks/models/deepseek-v3',
      'fireworks:accounts/fireworks/models/deepseek-v3',
      null,
      'deepseek',
    ],
    ['cloudflare', '@cf/zai-org/glm-4.7-flash', 'cloudflare:@cf/zai-org/glm-4.7-flash', null, 'zai'],
    ['deepgram', 'nova-2', 'deepgram:nova-2', null, 'deepgram'],
    ['together_ai', 'BAAI/bge-base-en-v1.5', 'together:BAAI/bge-base-en-v1.5', null, 'baai'],
    ['openrouter', 'nobody95/remm-slerp-l2-13b', 'openrouter:nobody95/remm-slerp-l2-13b', null, 'unknown'],
    [
      'openrouter',
      'llama-3.1-sonar-large-128k-online',
      'openrouter:llama-3.1-sonar-large-128k-online',
      null,
      'perplexity',
    ],
    [
      'fireworks',
      'accounts/fireworks/models/yi-34b',
      'fireworks:accounts/fireworks/models/yi-34b',
      null,
      '01_ai',
    ],
    ['groq', 'constructor/model', 'groq:constructor/model', null, 'unknown'],
  ])('%s %s', (seller, id, resource_id, region, vendor) => {
    expect(identityOf(seller, id)).toMatchObject({ resource_id, region, vendor })
  })

  test.each([
    ['amazon-bedrock', 'in.openai.gpt-9', 'bedrock:in:in.openai.gpt-9', 'in', 'openai'],
    ['moonshotai-cn', 'kimi-k9', 'moonshot:cn:kimi-k9', 'cn', 'moonshot'],
    ['sap-ai-core', 'anthropic--claude-9', 'sap-ai-core:anthropic--claude-9', null, 'anthropic'],
    ['synthetic', 'hf:zai-org/GLM-9', 'synthetic:hf:zai-org/GLM-9', null, 'zai'],
    ['nano-gpt', 'TEE/qwen3.9-27b', 'nano-gpt:TEE/qwen3.9-27b', null, 'alibaba'],
  ])(
    'a house in one country, and what resellers write before a name: %s %s',
    (seller, id, resource_id, region, vendor) => {
      expect(identityOf(seller, id)).toMatchObject({ resource_id, region, vendor })
    },
  )

  test("what a source says that a model is counts before the id's spelling", () => {
    const named = identify(findSeller('poe'), 'openai/nine', 'moonshotai/kimi-k9')
    expect(named).toMatchObject({ resource_id: 'poe:openai/nine', vendor: 'moonshot', name: 'kimi-k9' })
    expect(identify(findSeller('poe'), 'openai/nine', 'nobody/knows')).toEqual(
      identityOf('poe', 'openai/nine'),
    )
  })

  test.each(['gpt-j-6b', 'deepseek-r1t-chimera', 'dolphin-mixtral-8x22b'])(
    "another maker's model is not taken by its name: %s",
    (name) => {
      expect(identityOf('openrouter', name).vendor).toBe('unknown')
    },
  )
})
