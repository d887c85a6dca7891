import { describe, expect, it, test } from 'vitest'
import { shippedCatalog } from '../src/catalog.ts'
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
    // The maker's own, where no platform is named.
    ['gpt-4o', undefined, 'openai:gpt-4o by platform_id'],
    ['openai/gpt-4o', undefined, 'openai:gpt-4o by alias'],
    ['gemini-2.5-pro', undefined, 'google:gemini-2.5-pro by platform_id'],
    ['gpt-4', 'openai', 'unknown'],
    ['gpt4o', 'openai', 'unknown'],
    ['gpt-4o-mini', 'openai', 'unknown'],
    ['gpt-4o-2025-01-01', 'openai', 'unknown'],
    ['claude-sonnet-4-6', 'anthropic', 'unknown'],
    [
      'eu.anthropic.claude-sonnet-4-5-20250929-v1:0',
      'bedrock',
      'bedrock:anthropic.claude-sonnet-4-5-20250929-v1:0 by spelling',
    ],
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
    expect(resolve('BaAi/bge', { catalog, platform: 'together' })).toMatchObject({
      candidates: ['together:BAAI/bge', 'together:baai/bge'],
    })
    expect(resolve('openai/gpt-4o', { catalog })).toMatchObject({ isPlatformAssumed: true })
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

describe('a name that lists write in a way that cannot be right', () => {
  const mistral = { product_id: 'mistral/mistral-large', vendor: 'mistral', platform: 'mistral' }
  const listed = (key: string, resource_id: string) => ({ key, resource_id, model_name: key })
  const lists = catalogOf(
    record({
      resource_id: 'azure:mistral-large-latest',
      input_per_mtok: '8',
      aliases: [alias('azure/mistral-large-latest')],
    }),
    record({
      resource_id: 'azure:phi-4',
      aliases: [alias('azure_ai/Phi-4'), alias('azure/phi-4')],
    }),
    record({
      resource_id: 'groq:openai/gpt-oss-120b',
      aliases: [listed('groq:openai/gpt-oss-20b', 'groq:openai/gpt-oss-20b'), alias('groq:other-name')],
    }),
    record({
      ...mistral,
      resource_id: 'mistral:mistral-large',
      input_per_mtok: '2',
      aliases: ['mistral-large-latest', 'mistral-large-2411'].map((id) => listed(id, `mistral:${id}`)),
    }),
    record({ ...mistral, resource_id: 'mistral:mistral-large-2512', input_per_mtok: '0.5' }),
    record({
      resource_id: 'bedrock:regional:regional.anthropic.claude-x-v1:0',
      platform: 'bedrock',
      region: 'regional',
      input_per_mtok: '3.3',
      aliases: [
        'us.anthropic.claude-x-v1:0',
        'us-gov.anthropic.claude-x-v1:0',
        'anthropic.claude-x-v1:0',
      ].map((id) => listed(id, `bedrock:regional:${id}`)),
    }),
    record({ resource_id: 'bedrock:mistral.large-v1:0', platform: 'bedrock', input_per_mtok: '4' }),
  )
  test.each<[string, string | undefined, string]>([
    // Azure sells by two services, and a list that names one of them does not name the other.
    ['azure/mistral-large-latest', undefined, 'azure:mistral-large-latest by alias'],
    ['azure_ai/mistral-large-latest', undefined, 'unknown'],
    ['azure_ai/mistral-large-latest', 'azure', 'unknown'],
    ['mistral-large-latest', 'azure_ai', 'unknown'],
    ['Mistral-Large-Latest', 'azure_ai', 'unknown'],
    ['mistral-large-latest', 'azure', 'azure:mistral-large-latest by platform_id'],
    ['azure_ai/phi-4', undefined, 'azure:phi-4 by spelling'],
    ['bedrock_mantle/mistral.large-v1:0', undefined, 'unknown'],
    ['bedrock_converse/mistral.large-v1:0', undefined, 'bedrock:mistral.large-v1:0 by spelling'],
    // Twenty thousand million parameters are not 120.
    ['openai/gpt-oss-20b', 'groq', 'unknown'],
    ['openai/gpt-oss-120b', 'groq', 'groq:openai/gpt-oss-120b by platform_id'],
    // The maker has moved the name on to a newer state, or not: the list does not tell.
    ['mistral-large-latest', 'mistral', 'ambiguous'],
    ['mistral-large-2411', 'mistral', 'mistral:mistral-large by alias'],
    // The cloud of the government has prices of its own.
    ['us-gov.anthropic.claude-x-v1:0', 'bedrock', 'unknown'],
    ['us.anthropic.claude-x-v1:0', 'bedrock', 'bedrock:regional:regional.anthropic.claude-x-v1:0 by alias'],
  ])('%s on %s: %s', (name, platform, expected) => {
    expect(short(resolve(name, { catalog: lists, platform }))).toBe(expected)
  })

  it.each([
    ['bedrock/us-east-1/anthropic.claude-x-v1:0', '3.3'],
    ['bedrock/us-gov-west-1/anthropic.claude-x-v1:0', 'no_rate_for_region'],
    ['bedrock/eu-west-3/mistral.large-v1:0', 'no_rate_for_region'],
    ['bedrock/mistral.large-v1:0', '4'],
  ])('the region in %s is what is priced: %s', (model, expected) => {
    const cost = costOf({ counts: { input_tokens: 1_000_000 } }, { catalog: lists, model })
    expect(cost.isWhole ? cost.total : cost.unpriced[0]?.reason).toBe(expected)
  })
})

describe('a region that a name states is the one that is priced', () => {
  const shipped = shippedCatalog()
  const counts = { input_tokens: 100_000 }
  test.each([
    ['arn:aws-us-gov:bedrock:us-gov-west-1::foundation-model/amazon.nova-pro-v1:0', 'no_rate_for_region'],
    ['arn:aws-cn:bedrock:cn-north-1::foundation-model/amazon.nova-pro-v1:0', 'no_rate_for_region'],
    ['arn:aws-cn:bedrock:::foundation-model/amazon.nova-pro-v1:0', 'no_rate_for_region'],
    ['arn:aws:bedrock:eu-west-3::foundation-model/mistral.mistral-large-2402-v1:0', 'no_rate_for_region'],
    ['arn:aws:bedrock:us-west-2::foundation-model/amazon.nova-pro-v1:0', '0.08'],
    ['arn:aws:bedrock:us-west-2:123456789012:inference-profile/us.amazon.nova-pro-v1:0', '0.08'],
    [
      'arn:aws:bedrock:eu-west-1:123456789012:inference-profile/eu.amazon.nova-pro-v1:0',
      'no_rate_for_region',
    ],
    [
      'arn:aws-us-gov:bedrock:us-gov-west-1:123456789012:inference-profile/us-gov.amazon.nova-pro-v1:0',
      'model_unknown',
    ],
    [
      'arn:aws:bedrock:eu-west-1:123456789012:inference-profile/global.anthropic.claude-sonnet-4-5-20250929-v1:0',
      '0.3',
    ],
    [
      'arn:aws:bedrock:eu-west-1:123456789012:inference-profile/eu.anthropic.claude-sonnet-4-5-20250929-v1:0',
      '0.33',
    ],
    ['bedrock/us-gov-west-1/amazon.nova-pro-v1:0', 'no_rate_for_region'],
    ['bedrock/us-east-1/amazon.nova-pro-v1:0', '0.08'],
    ['projects/p/locations/us-east5/publishers/anthropic/models/claude-sonnet-4-5@20250929', '0.33'],
    ['projects/p/locations/global/publishers/anthropic/models/claude-sonnet-4-5@20250929', '0.3'],
    ['projects/p/locations/europe-west1/publishers/anthropic/models/claude-3-opus@20240229', '1.5'],
  ])('%s', (model, expected) => {
    const cost = costOf({ counts }, { catalog: shipped, model })
    expect(cost.isWhole ? cost.total : cost.unpriced[0]?.reason).toBe(expected)
  })
})

describe('a name by which vendors sell and answer', () => {
  const shipped = shippedCatalog()
  test.each([
    ['claude-sonnet-4-20250514', 'anthropic', 'anthropic:claude-sonnet-4-0 by alias'],
    ['claude-opus-4-20250514', 'anthropic', 'anthropic:claude-opus-4-0 by alias'],
    ['claude-3-7-sonnet-20250219', 'anthropic', 'anthropic:claude-3-7-sonnet-latest by alias'],
    ['claude-2.1', 'anthropic', 'anthropic:claude-2 by alias'],
    ['claude-opus-4-1@20250805', 'vertex_ai', 'vertex_ai:claude-opus-4-1 by alias'],
    ['gemini-2.5-flash', 'vertex_ai', 'vertex_ai:gemini-2.5-flash by platform_id'],
    ['gpt-4o-2024-08-06', 'azure', 'azure:gpt-4o by alias'],
    ['azure/gpt-5-2025-08-07', undefined, 'azure:gpt-5 by spelling'],
    [
      'us.anthropic.claude-3-7-sonnet-20250219-v1:0',
      'bedrock',
      'bedrock:regional:regional.anthropic.claude-3-7-sonnet-20250219-v1:0 by spelling',
    ],
    // What InvokeModel answers.
    [
      'claude-sonnet-4-5-20250929',
      'bedrock',
      'bedrock:regional:regional.anthropic.claude-sonnet-4-5-20250929-v1:0 by alias',
    ],
    ['ft:gpt-4o-mini-2024-07-18:acme::BsX2', 'openai', 'openai:ft:gpt-4o-mini by spelling'],
    ['ft:gpt-4.1-2025-04-14:acme::BsX2', 'openai', 'openai:ft:gpt-4.1-2025-04-14 by spelling'],
    ['ft:gpt-5-2025-08-07:acme::BsX2', 'openai', 'unknown'],
    ['gpt-4o', undefined, 'openai:gpt-4o by platform_id'],
    ['mistral-small-latest', 'mistral', 'mistral:mistral-small-latest by platform_id'],
    ['mistral-large-latest', 'mistral', 'mistral:mistral-large-2512 by alias'],
    ['mistral-medium-latest', 'mistral', 'mistral:mistral-medium-latest by platform_id'],
  ])('%s on %s: %s', (name, platform, expected) => {
    expect(short(resolve(name, { catalog: shipped, platform }))).toBe(expected)
  })

  test('of a deployment in a data zone costs what the zone costs', () => {
    const cost = costOf(
      { counts: { input_tokens: 100_000 } },
      { catalog: shipped, model: 'azure/eu/gpt-4.1-2025-04-14' },
    )
    expect(cost.total).toBe('0.22')
  })
})
