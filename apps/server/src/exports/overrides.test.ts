import { expect, test } from 'vitest'
import { Catalog } from '../../../../packages/cost/src/book.ts'
import { costOf, type Counts } from '../../../../packages/cost/src/index.ts'
import { snapshotResource } from '../../test/support/snapshot-resource.ts'
import { toRate } from '../ingest/sources/reading/reading.ts'
import { layOver, parseOverrides } from './overrides.ts'

const resources = [
  snapshotResource({
    resource_id: 'acme:m',
    product_id: 'acme/m',
    cached_input_per_mtok: '0.2',
    rates: [
      toRate('cache_write_tokens', '1m_tokens', '2.5'),
      toRate('input_tokens', '1m_tokens', '1', { service_tier: 'batch' }),
      toRate('output_tokens', '1m_tokens', '4', { service_tier: 'batch' }),
    ],
  }),
  snapshotResource({ resource_id: 'azure:m', product_id: 'acme/m', platform: 'azure' }),
]
const usages: { counts: Counts; tier?: string }[] = [
  { counts: { input_tokens: 1_000, output_tokens: 10 } },
  { counts: { input_tokens: 1_000, cached_input_tokens: 5_000, cache_write_tokens: 70 } },
  { counts: { input_tokens: 1_000, output_tokens: 10 }, tier: 'batch' },
]

test.each([
  [{ multiplier: 0.9 }],
  [{ multiplier: '0.95', platforms: { azure: { multiplier: 0.85 } } }],
  [{ multiplier: 0.5, models: { 'acme/m': { multiplier: 0.8 }, 'azure:m': { multiplier: 1 } } }],
  [{ multiplier: 0.5, models: { 'acme:m': { rates: { input_tokens: 1.5, cache_write_tokens: 3 } } } }],
])('%j: the prices are those that @ratecard/cost computes with', (overrides) => {
  const snapshotOf = (of: readonly object[]) =>
    ({
      ...{
        format: 'ratecard-snapshot',
        format_version: 1,
        generated_at: '2026-09-01T00:00:00Z',
        as_of: null,
      },
      ...{ catalog_version: '1', resource_count: of.length, resources: of },
    }) as never
  const listed = new Catalog(snapshotOf(resources))
  const laid = new Catalog(snapshotOf(layOver(resources, parseOverrides(overrides))))
  for (const { resource_id: model } of resources)
    for (const usage of usages) {
      const mine = costOf(usage, { catalog: laid, model })
      const theirs = costOf(usage, { catalog: listed, model, overrides })
      if (theirs.total !== null) expect([model, mine.total]).toEqual([model, theirs.total])
    }
})

test.each([
  [{ multiplier: -1 }, /multiplier/],
  [{ discount: 0.9 }, /discount/],
  // A platform is no model.
  [{ models: { azure: { multiplier: 0.9 } } }, /name what is not served: azure/],
  [{ models: { 'acme/typo': { multiplier: 0.9 } } }, /name what is not served: acme\/typo/],
])('%j is refused', (overrides, message) => {
  expect(() => layOver(resources, parseOverrides(overrides))).toThrow(message)
})
