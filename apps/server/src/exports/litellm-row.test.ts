import { describe, expect, test } from 'vitest'
import { snapshotResource, type ResourceParts } from '../../test/support/snapshot-resource.ts'
import { toRate } from '../ingest/sources/reading/reading.ts'
import { litellmRow } from './litellm-row.ts'
import { Losses } from './report.ts'

function rowOf(of: ResourceParts, taken: readonly string[] = []) {
  const losses = new Losses()
  const entry = litellmRow(snapshotResource(of), (key) => taken.includes(key), losses)
  const parts = Object.entries(losses.toReport()).flatMap(([reason, { of: whats }]) =>
    Object.values(whats)
      .flatMap((named) => (named.length === 0 ? [null] : named))
      .map((what) => [reason, what] as const),
  )
  return { entry, losses: parts }
}

describe('a row is written', () => {
  test('with amounts that have no dust', () => {
    const { entry } = rowOf({
      input_per_mtok: '0.2',
      output_per_mtok: '1.1',
      cached_input_per_mtok: '0.003625',
    })
    expect(JSON.stringify(entry)).toBe(
      '{"key":"acme/m","row":{"litellm_provider":"acme","mode":"chat","input_cost_per_token":2e-7,"output_cost_per_token":0.0000011,"cache_read_input_token_cost":3.625e-9}}',
    )
  })

  test.each([
    ['google:gemini-9', null, 'gemini/gemini-9'],
    ['openrouter:openrouter/auto', null, 'openrouter/openrouter/auto'],
    ['bedrock:us:us.anthropic.claude-9', 'us', 'bedrock/us.anthropic.claude-9'],
    ['bedrock:us-east-1:anthropic.claude-9', 'us-east-1', 'bedrock/us-east-1/anthropic.claude-9'],
    ['azure:eu:gpt-9', 'eu', 'azure/eu/gpt-9'],
    ['moonshot:cn:kimi-9', 'cn', 'moonshotai-cn/kimi-9'],
    ['acme:__proto__', null, 'acme/__proto__'],
  ])('of %s', (resource_id, region, key) => {
    expect(rowOf({ resource_id, region }).entry?.key).toBe(key)
  })

  test('under a key of its own', () => {
    const aliases = [{ source: 'litellm', key: 'm', resource_id: 'acme:m', model_name: 'm' }]
    expect(rowOf({ aliases }).entry?.key).toBe('m')
    expect(rowOf({ aliases }, ['m']).entry?.key).toBe('acme/m')
    expect(rowOf({ aliases }, ['m', 'acme/m'])).toEqual({
      entry: null,
      losses: [['resources that its keys cannot name', null]],
    })
  })
})

test('a search without a size has the price of each', () => {
  const { entry, losses } = rowOf({ rates: [toRate('searches', 'query', '0.01')] })
  const sizes = {
    search_context_size_low: 0.01,
    search_context_size_medium: 0.01,
    search_context_size_high: 0.01,
  }
  expect(entry?.row).toMatchObject({ search_context_cost_per_query: sizes })
  expect(losses).toEqual([])
})

test.each<[string, ResourceParts, string]>([
  ['euros', { currency: 'EUR' }, 'resources in another currency than USD'],
  ['no known currency', { currency: null }, 'resources in another currency than USD'],
  [
    'no price, which would be free',
    { input_per_mtok: null, output_per_mtok: null },
    'resources without a price',
  ],
  [
    'half a price',
    { output_per_mtok: null },
    'unknown prices of tokens beside a known one, which it takes for 0',
  ],
  ['a pattern', { resource_id: 'acme:*' }, 'resources that its keys cannot name'],
  [
    'hours',
    { rates: [toRate('input_tokens', '1m_tokens', '1', { hours: '00:00-08:00' })] },
    'rates by the hour of the day',
  ],
  [
    'a region',
    { rates: [toRate('input_tokens', '1m_tokens', '3', { variant: 'eu-west-1' })] },
    'rates of a region',
  ],
  ['a free rate', { rates: [toRate('searches', 'query', '0', { variant: 'low' })] }, 'rates of 0'],
  [
    'an odd threshold',
    { rates: [toRate('input_tokens', '1m_tokens', '3', { threshold: 131_072 })] },
    'rates that it has no field for',
  ],
  ['an image beside tokens', { image_per_unit: '0.1' }, 'amounts of another unit than the kind of model has'],
])('%s: what the format cannot hold is told', (_, of, loss) => {
  expect(rowOf(of).losses.map(([lost]) => lost)).toEqual([loss])
})
