import { expect, test } from 'vitest'
import { priceRecord } from '../../test/support/actors.ts'
import { buildCatalogue, type CatalogueRow } from './catalogue.ts'
import { searchModels } from './model-search.ts'

const row = (name: string, values: Partial<CatalogueRow> = {}): CatalogueRow => ({
  ...priceRecord({ resource_id: `google:${name}`, product_id: `google/${name}`, vendor: 'google' }),
  ...{ platform: 'google', updated_at: '', is_confirmed: null, gone_since: null, retires_on: null, rates: 0 },
  ...{ starts_on: null, since: '', since_by: 'first_seen' as const },
  ...values,
})
const released = (name: string, day: string) => ({
  ...{ source: 'test', resource_id: `google:${name}`, facts: { released_on: day } },
})

test('of models that answer a search alike, the newest stands first, and the last what has retired', async () => {
  const catalogue = await buildCatalogue(
    '1',
    [
      row('gemini-2.5-flash'),
      row('gemini-2.5-flash', { resource_id: 'host:gemini-2.5-flash', platform: 'host' }),
      row('gemini-flash-unknown'),
      row('gemini-flash-1.5'),
      row('gemini-3-flash'),
      row('gemini-4-flash', { retires_on: '2026-01-01' }),
      row('flash-gemini'),
    ],
    {
      facts: [
        released('gemini-2.5-flash', '2025-06-17'),
        released('gemini-flash-1.5', '2024-05'),
        released('gemini-3-flash', '2025-12-17'),
        released('gemini-4-flash', '2025-12-31'),
        released('flash-gemini', '2026-10-01'),
      ],
    },
  )
  const everything = { vendor: null, platform: null, modality: null }
  const found = searchModels(catalogue, { search: 'gemini flash', ...everything })
  expect(found.map(({ id }) => id.slice('google/'.length))).toEqual([
    ...['gemini-3-flash', 'gemini-2.5-flash', 'gemini-flash-1.5', 'gemini-flash-unknown', 'gemini-4-flash'],
    'flash-gemini',
  ])
})
