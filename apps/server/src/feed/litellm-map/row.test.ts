import { describe, expect, test } from 'vitest'
import { priceFile, priceDataDir, skipTitle } from '../../../test/support/price-files.ts'
import { noAmounts } from '../source-record.ts'
import type { SnapshotResource } from '../snapshot/record.ts'
import type { SourceRecord } from '../source-record.ts'
import { readLitellm } from '../sources/litellm.ts'
import { rateOf } from '../sources/reading.ts'
import { litellmRow } from './row.ts'

const resource: SnapshotResource = {
  ...{ resource_id: 'acme:m', product_id: null, vendor: 'acme', platform: 'acme', modality: 'llm' },
  ...{ region: null, unit: '1m_tokens', ...noAmounts, input_per_mtok: '2', currency: 'USD' },
  ...{ source_url: null, effective_at: null, updated_at: '2026-01-01T00:00:00.000000Z', source: 'litellm' },
  ...{ is_confirmed: null, gone_since: null, retires_on: null, rates: [], announced: [], aliases: [] },
  ...{ claims: [], evidence: {} },
}
const rowOf = (of: Partial<SnapshotResource>, taken: readonly string[] = []) =>
  litellmRow({ ...resource, ...of }, (key) => taken.includes(key))

describe('a row is written', () => {
  test('with amounts that have no dust', () => {
    const { entry } = rowOf({ input_per_mtok: '0.2', output_per_mtok: '1.1', cached_input_per_mtok: '0.003625' })
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
      losses: ['resources that its keys cannot name'],
    })
  })
})

test.each<[string, Partial<SnapshotResource>, string]>([
  ['euros', { currency: 'EUR' }, 'resources in another currency than USD'],
  ['no price, which would be free', { input_per_mtok: null }, 'resources without a price'],
  ['a pattern', { resource_id: 'acme:*' }, 'resources that its keys cannot name'],
  ['hours', { rates: [rateOf('input_tokens', '1m_tokens', '1', { hours: '00:00-08:00' })] }, 'rates by the hour of the day'],
  ['a free rate', { rates: [rateOf('searches', 'query', '0', { variant: 'low' })] }, 'rates of 0'],
  ['an odd threshold', { rates: [rateOf('input_tokens', '1m_tokens', '3', { threshold: 131_072 })] }, 'rates that it has no field for'],
  ['an image beside tokens', { image_per_unit: '0.1' }, 'amounts of another unit than the kind of model has'],
])('%s: what the format cannot hold is told', (_, of, loss) => {
  expect(rowOf(of).losses).toEqual([loss])
})

/** A record as it would be served. */
function served({ source_key, model_name, is_named: _, scheduled: _scheduled, ...record }: SourceRecord) {
  const { resource_id } = record
  return { ...resource, ...record, aliases: [{ source: 'litellm', key: source_key, resource_id, model_name }] }
}

describe.skipIf(priceDataDir === undefined)(skipTitle("LiteLLM's file as published"), () => {
  test('is written again: of each price nothing is lost that the format can hold', () => {
    const file = JSON.parse(priceFile('litellm/model_prices_2026-08-01.json')) as Record<string, unknown>
    const { records } = readLitellm(file)
    const losses = new Map<string, number>()
    const lost: string[] = []
    const map: Record<string, unknown> = {}
    for (const record of records) {
      const { entry, losses: of } = litellmRow(served(record), (key) => key in map)
      for (const loss of of) losses.set(loss, (losses.get(loss) ?? 0) + 1)
      if (of.length > 0 && of[0] !== 'resources without a price') lost.push(`${record.source_key}: ${of.join(', ')}`)
      if (entry) map[entry.key] = entry.row
    }
    console.log(records.length, Object.keys(map).length, losses, lost.slice(0, 60))
    const again = new Map(readLitellm(map).records.map((record) => [record.resource_id, record]))
    const other = records.filter(({ resource_id, rates, input_per_mtok, output_per_mtok }) => {
      const back = again.get(resource_id)
      return back && (back.input_per_mtok !== input_per_mtok || back.output_per_mtok !== output_per_mtok || back.rates.length > rates.length)
    })
    expect(other).toEqual([])
  })
})
