import { describe, expect, test } from 'vitest'
import { identify, linkProducts, sellerOf } from './linking.ts'

const identityOf = (seller: string, id: string) => identify(sellerOf(seller), id)

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
    ['openrouter', 'undi95/remm-slerp-l2-13b', 'openrouter:undi95/remm-slerp-l2-13b', null, 'unknown'],
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
    const named = identify(sellerOf('poe'), 'openai/nine', 'moonshotai/kimi-k9')
    expect(named).toMatchObject({ resource_id: 'poe:openai/nine', vendor: 'moonshot', name: 'kimi-k9' })
    expect(identify(sellerOf('poe'), 'openai/nine', 'nobody/knows')).toEqual(identityOf('poe', 'openai/nine'))
  })

  test.each([
    'gpt-j-6b',
    'deepseek-r1t-chimera',
    'llama-3.1-sonar-large-128k-online',
    'dolphin-mixtral-8x22b',
    'yi-34b',
  ])("another maker's model is not taken by its name: %s", (name) => {
    expect(identityOf('openrouter', name).vendor).toBe('unknown')
  })
})

describe('linking to products', () => {
  const link = (...rows: [seller: string, id: string][]) =>
    linkProducts(rows.map(([seller, id]) => identityOf(seller, id)))

  test("a maker's own rows are products, and its dated snapshots are those of their base model", () => {
    expect(
      link(
        ['openai', 'gpt-4o'],
        ['openai', 'gpt-4o-2024-08-06'],
        ['anthropic', 'claude-3-haiku-20240307'],
        ['zai', 'GLM-5.2'],
      ),
    ).toEqual(['openai/gpt-4o', 'openai/gpt-4o', 'anthropic/claude-3-haiku', 'zai/glm-5.2'])
  })

  test('a short ending is a snapshot only where the name without it is a product', () => {
    expect(link(['openai', 'gpt-4'], ['openai', 'gpt-4-0613'])).toEqual(['openai/gpt-4', 'openai/gpt-4'])
    expect(link(['openai', 'chatgpt-4o-latest'], ['mistral', 'mistral-large-2407'])).toEqual([
      'openai/chatgpt-4o-latest',
      'mistral/mistral-large-2407',
    ])
    expect(link(['anthropic', 'claude-opus-4'], ['anthropic', 'claude-opus-4-1'])).toEqual([
      'anthropic/claude-opus-4',
      'anthropic/claude-opus-4-1',
    ])
  })

  test("an image's sizes and qualities are one product", () => {
    expect(link(['openai', 'hd/1024-x-1024/dall-e-3'], ['openai', 'dall-e-3'])).toEqual([
      'openai/dall-e-3',
      'openai/dall-e-3',
    ])
  })

  test('resellers are linked through maker, snapshot, version and punctuation', () => {
    const [, ...resold] = link(
      ['anthropic', 'claude-3-5-sonnet-20241022'],
      ['bedrock', 'anthropic.claude-3-5-sonnet-20241022-v2:0'],
      ['vertex_ai-anthropic_models', 'claude-3-5-sonnet@20241022'],
      ['openrouter', 'anthropic/claude-3.5-sonnet'],
      ['openrouter', 'anthropic/claude-3.5-sonnet:beta'],
      ['snowflake', 'claude-3-5-sonnet'],
    )
    expect(new Set(resold)).toEqual(new Set(['anthropic/claude-3-5-sonnet']))
  })

  test('a link outlives its base model: products of earlier runs are known', () => {
    const later = [identityOf('azure', 'gpt-4o-2024-08-06'), identityOf('openai', 'gpt-4-0613')]
    expect(linkProducts(later, ['openai/gpt-4o', 'openai/gpt-4'])).toEqual(['openai/gpt-4o', 'openai/gpt-4'])
    expect(linkProducts(later)).toEqual([null, 'openai/gpt-4-0613'])
  })

  test('a named model is a product though its maker does not sell it here', () => {
    const named = identify(sellerOf('poe'), 'nine', 'nvidia/nemotron-9-20260801')
    expect(linkProducts([named, identityOf('deepinfra', 'nvidia/Nemotron-9-FP8')])).toEqual([
      'nvidia/nemotron-9',
      'nvidia/nemotron-9',
    ])
  })

  test('what is not surely a known product stays unlinked', () => {
    expect(
      link(
        ['openai', 'gpt-4o'],
        ['openrouter', 'openai/gpt-4o-preview'],
        ['openrouter', 'undi95/gpt-4o'],
        ['bedrock', 'anthropic.claude-v2:1'],
      ).slice(1),
    ).toEqual([null, null, null])
  })
})
