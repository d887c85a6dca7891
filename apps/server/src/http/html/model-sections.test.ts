import { expect, test } from 'vitest'
import { priceRecord } from '../../../test/support/actors.ts'
import { buildCatalogue, type CatalogueRow, type Model } from '../../catalog/catalogue.ts'
import type { PriceStanding, ProductDetails } from '../../catalog/product-store.ts'
import { platformSection } from './platform-prices.ts'

// The sections of a model's page, of rows as the catalogue has them.

const row = (resource_id: string, values: Partial<CatalogueRow> = {}): CatalogueRow => ({
  ...priceRecord({ resource_id, platform: resource_id.split(':')[0]! }),
  ...{ updated_at: '2026-01-01T00:00:00.000000Z', since: '2026-01-01T00:00:00.000000Z', since_by: 'first_seen' },
  ...{ is_confirmed: false, gone_since: null, retires_on: null, rates: 0, starts_on: null },
  ...values,
}) // prettier-ignore

const modelOf = async (...rows: CatalogueRow[]): Promise<Model> =>
  (await buildCatalogue('1', rows, { today: '2026-06-01' })).models[0]!

const standing = ({ resource_id, is_confirmed }: CatalogueRow): PriceStanding => ({
  ...{ resource_id, is_confirmed, source: 'test', rule: 'alone', evidence: {} },
  ...{ gone_since: null, retires_on: null },
})

const detailsOf = ({ rows }: Model, values: Partial<ProductDetails> = {}): ProductDetails => ({
  standings: new Map(rows.map((each) => [each.resource_id, standing(each)])),
  ...{ cards: new Map(), announced: [], claims: [], versions: [] },
  ...values,
})

const words = (html: string) => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')

test('one platform stands once at one price, by the record that a second source confirms', async () => {
  const model = await modelOf(row('acme:alpha'), row('acme:alpha-2025-01-02', { is_confirmed: true }))
  const page = platformSection(model, model.rows, detailsOf(model)).text
  expect(page.match(/<tr>/g)).toHaveLength(2)
  expect(words(page)).toMatch(/alpha-2025-01-02 \+ 1 record at the same price .*Acme acme:alpha .*one source .*\$0 \.20.*confirmed/)
}) // prettier-ignore
