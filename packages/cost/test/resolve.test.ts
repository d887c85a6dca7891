import { describe, expect, it, test } from 'vitest'
import { costOf, resolve, type Resolution } from '../src/index.ts'
import { alias, catalogOf, record } from './support.ts'

const gpt4o = { product_id: 'openai/gpt-4o', vendor: 'openai', input_per_mtok: '2.5', output_per_mtok: '10' }
const claude = {
  product_id: 'anthropic/claude-sonnet-4-5',
  vendor: 'anthropic',
  input_per_mtok: '3',
  output_per_mtok: '15',
}
const catalog = catalogOf(
  record({
    ...gpt4o,
    resource_id: 'openai:gpt-4o',
    aliases: [
      alias('gpt-4o', 'gpt-4o'),
      alias('openai/gpt-4o', 'gpt-4o'),
      { key: 'k', resource_id: 'openai:gpt-4o-2024-11-20', model_name: 'gpt-4o' },
    ],
  }),
  record({ ...gpt4o, resource_id: 'openai:gpt-4o-2024-05-13', input_per_mtok: '5', output_per_mtok: '15' }),
  record({ ...gpt4o, resource_id: 'azure:gpt-4o', platform: 'azure' }),
  record({
    ...gpt4o,
    resource_id: 'azure:eu:gpt-4o',
    platform: 'azure',
    region: 'eu',
    input_per_mtok: '2.75',
  }),
  record({
    ...gpt4o,
    resource_id: 'openrouter:openai/gpt-4o',
    platform: 'openrouter',
    aliases: [alias('x', 'gpt-4o')],
  }),
  record({
    ...claude,
    resource_id: 'anthropic:claude-sonnet-4-5',
    aliases: [alias('anthropic/claude-sonnet-4.5', 'claude-sonnet-4-5')],
  }),
  record({
    ...claude,
    resource_id: 'openrouter:anthropic/claude-sonnet-4.5',
    platform: 'openrouter',
    aliases: [alias('y', 'claude-sonnet-4.5')],
  }),
  record({
    ...claude,
    resource_id: 'bedrock:anthropic.claude-sonnet-4-5-20250929-v1:0',
    platform: 'bedrock',
  }),
  record({
    ...claude,
    resource_id: 'bedrock:us:us.anthropic.claude-sonnet-4-5-20250929-v1:0',
    platform: 'bedrock',
    region: 'us',
    input_per_mtok: '3.3',
  }),
  record({ ...claude, resource_id: 'vertex_ai:claude-sonnet-4-5@20250929', platform: 'vertex_ai' }),
  record({ resource_id: 'google:gemini-2.5-pro', vendor: 'google', product_id: 'google/gemini-2.5-pro' }),
  record({
    resource_id: 'vertex_ai:gemini-2.5-pro',
    platform: 'vertex_ai',
    vendor: 'google',
    product_id: 'google/gemini-2.5-pro',
  }),
  record({ resource_id: 'fireworks:accounts/fireworks/models/glm-5', platform: 'fireworks' }),
  record({ resource_id: 'fireworks:glm-4', platform: 'fireworks' }),
  record({ resource_id: 'together:BAAI/bge', platform: 'together', input_per_mtok: '1' }),
  record({ resource_id: 'together:baai/bge', platform: 'together', input_per_mtok: '2' }),
  record({ resource_id: 'mistral:one', input_per_mtok: '1' }),
)

function short(resolution: Resolution): string {
  return resolution.isResolved ? `${resolution.record.resource_id} by ${resolution.rule}` : resolution.reason
}

const bedrock = 'bedrock:us:us.anthropic.claude-sonnet-4-5-20250929-v1:0'
const vertex = 'vertex_ai:claude-sonnet-4-5@20250929'

describe('a name', () => {
  test.each<[string, string | undefined, string]>([
    ['openai:gpt-4o', undefined, 'openai:gpt-4o by resource_id'],
    ['gpt-4o', 'openai', 'openai:gpt-4o by platform_id'],
    ['gpt-4o-2024-05-13', 'openai', 'openai:gpt-4o-2024-05-13 by platform_id'],
    ['gpt-4o-2024-11-20', 'openai', 'openai:gpt-4o by alias'],
    ['openai/gpt-4o', 'openai', 'openai:gpt-4o by alias'],
    ['openai/gpt-4o', 'openrouter', 'openrouter:openai/gpt-4o by platform_id'],
    ['openai/openai/gpt-4o', 'openai', 'openai:gpt-4o by spelling'],
    ['azure/gpt-4o', undefined, 'azure:gpt-4o by spelling'],
    ['gpt-4o', 'az.ai.openai', 'azure:gpt-4o by platform_id'],
    ['claude-sonnet-4-5[1m]', 'anthropic', 'anthropic:claude-sonnet-4-5 by spelling'],
    ['claude-sonnet-4.5', 'anthropic', 'anthropic:claude-sonnet-4-5 by product'],
    ['anthropic/claude-sonnet-4-5', 'anthropic', 'anthropic:claude-sonnet-4-5 by spelling'],
    ['claude-sonnet-4-5-20250929', 'anthropic', 'anthropic:claude-sonnet-4-5 by date'],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', undefined, `${bedrock} by platform_id`],
    ['bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0', undefined, `${bedrock} by spelling`],
    ['bedrock/converse/us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'bedrock', `${bedrock} by spelling`],
    [
      'arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-sonnet-4-5-20250929-v1:0',
      undefined,
      `${bedrock} by spelling`,
    ],
    [
      'projects/p/locations/us-east5/publishers/anthropic/models/claude-sonnet-4-5@20250929',
      undefined,
      `${vertex} by spelling`,
    ],
    [
      'publishers/google/models/gemini-2.5-pro:generateContent',
      undefined,
      'vertex_ai:gemini-2.5-pro by spelling',
    ],
    ['models/gemini-2.5-pro', 'google', 'google:gemini-2.5-pro by spelling'],
    ['gemini/gemini-2.5-pro', undefined, 'google:gemini-2.5-pro by spelling'],
    ['accounts/fireworks/models/glm-4', undefined, 'fireworks:glm-4 by spelling'],
    [
      'accounts/fireworks/models/glm-5',
      undefined,
      'fireworks:accounts/fireworks/models/glm-5 by platform_id',
    ],
    ['GPT-4O', 'openai', 'openai:gpt-4o by spelling'],
    ['BAAI/bge', 'together', 'together:BAAI/bge by platform_id'],
    // Never near, never one of several.
    ['BaAi/bge', 'together', 'ambiguous'],
    ['gpt-4o', undefined, 'ambiguous'],
    ['openai/gpt-4o', undefined, 'ambiguous'],
    ['gemini-2.5-pro', undefined, 'ambiguous'],
    ['gpt-4', 'openai', 'unknown'],
    ['gpt4o', 'openai', 'unknown'],
    ['gpt-4o-mini', 'openai', 'unknown'],
    ['gpt-4o-2025-01-01', 'openai', 'unknown'],
    ['claude-sonnet-4-6', 'anthropic', 'unknown'],
    ['eu.anthropic.claude-sonnet-4-5-20250929-v1:0', 'bedrock', 'unknown'],
    ['arn:aws:bedrock:us-east-1:1:application-inference-profile/abc', undefined, 'unknown'],
    ['openai:gpt-4o', 'azure', 'unknown'],
    ['gpt-4o', 'nowhere', 'unknown'],
    ['', undefined, 'unknown'],
    ['x'.repeat(513), undefined, 'unknown'],
    ['__proto__', 'openai', 'unknown'],
    ['constructor', undefined, 'unknown'],
  ])('%s on %s: %s', (name, platform, expected) => {
    expect(short(resolve(name, { catalog, platform }))).toBe(expected)
    // And the same when it is asked again.
    expect(short(resolve(name, { catalog, platform }))).toBe(expected)
  })

  it('leads to the record of the region', () => {
    const inEu = resolve('gpt-4o', { catalog, platform: 'azure', region: 'EU' })
    expect(short(inEu)).toBe('azure:eu:gpt-4o by platform_id')
    // A region without a record of its own: what it costs there is left to the card.
    const inAsia = resolve('gpt-4o', { catalog, platform: 'azure', region: 'asia' })
    expect(short(inAsia)).toBe('azure:gpt-4o by platform_id')
    const counts = { input_tokens: 1 }
    expect(
      costOf({ counts }, { catalog, model: 'gpt-4o', platform: 'azure', region: 'asia' }).unpriced,
    ).toMatchObject([{ reason: 'no_rate_for_region' }])
  })

  it('of your own is looked up first, and its target as any other', () => {
    const deployments = { 'my-gpt': 'azure/gpt-4o', 'gpt-4o': 'mistral:one' }
    expect(short(resolve('my-gpt', { catalog, deployments }))).toBe('azure:gpt-4o by deployment')
    expect(short(resolve('gpt-4o', { catalog, deployments }))).toBe('mistral:one by deployment')
    expect(short(resolve('toString', { catalog, deployments }))).toBe('unknown')
  })

  it('that is missed comes back with what may be meant, and steps tell the way of a hit', () => {
    const missed = resolve('gpt-4o-2025-01-01', { catalog, platform: 'openai' })
    // Of the platform first.
    expect('candidates' in missed && missed.candidates.slice(0, 2)).toEqual([
      'openai:gpt-4o',
      'openai:gpt-4o-2024-05-13',
    ])
    expect(resolve('openai/gpt-4o', { catalog })).toMatchObject({
      candidates: ['openai:gpt-4o', 'openrouter:openai/gpt-4o'],
    })
    expect(resolve('openai/openai/gpt-4o', { catalog, platform: 'openai' })).toMatchObject({
      steps: ['openai/openai/gpt-4o', 'openai/gpt-4o', 'openai:gpt-4o'],
    })
  })

  it('is forgotten when the catalog moves', () => {
    const moving = catalogOf(record({ resource_id: 'a:x' }))
    expect(short(resolve('y', { catalog: moving }))).toBe('unknown')
    const { resources } = { resources: [record({ resource_id: 'a:y' })] }
    moving.replace({
      format: 'ratecard-snapshot',
      format_version: 1,
      generated_at: '2026-09-02T00:00:00Z',
      as_of: null,
      catalog_version: '43',
      resource_count: 1,
      resources,
    })
    expect(short(resolve('y', { catalog: moving }))).toBe('a:y by platform_id')
  })
})
