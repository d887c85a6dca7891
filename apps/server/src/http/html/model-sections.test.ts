import { expect, test } from 'vitest'
import { priceRecord } from '../../../test/support/actors.ts'
import { buildCatalogue, type CatalogueRow, type Model } from '../../catalog/catalogue.ts'
import type { PriceVersion } from '../../catalog/price-history.ts'
import type { JudgedRate, PriceStanding, ProductDetails } from '../../catalog/product-store.ts'
import type { StoredChange } from '../../features/changes/change-store.ts'
import { calculator, usualUse } from './calculator.ts'
import { historySection } from './history.ts'
import { html } from './html.ts'
import { platformSection } from './platform-prices.ts'
import { cardSection } from './rate-cards.ts'
import { sourcesSection } from './sources.ts'

// The sections of a model's page, of rows as the catalogue has them.

const row = (resource_id: string, values: Partial<CatalogueRow> = {}): CatalogueRow => ({
  ...priceRecord({ resource_id, platform: resource_id.split(':')[0]! }),
  ...{
    updated_at: '2026-01-01T00:00:00.000000Z',
    since: '2026-01-01T00:00:00.000000Z',
    since_by: 'first_seen',
  },
  ...{ is_confirmed: false, gone_since: null, retires_on: null, rates: 0, starts_on: null },
  ...values,
})

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
  expect(page.match(/<th scope="row">/g)).toHaveLength(1)
  expect(page).not.toMatch(/<th(?:(?!<\/th>)[^])*<details/)
  expect(words(page)).toMatch(
    /alpha-2025-01-02 \$0 \.20.*confirmed .* \+ 1 record at the same price .*Acme acme:alpha .*one source /,
  )
})

const state = (resource_id: string, day: string, input_per_mtok: string): PriceVersion => ({
  ...{
    ...priceRecord({ resource_id, platform: resource_id.split(':')[0]! }),
    input_per_mtok,
    output_per_mtok: null,
  },
  ...{ source: 'test', run_id: null, valid_from: `${day}T00:00:00Z`, known_from: `${day}T00:00:00Z` },
  ...{ valid_from_by: 'first_seen', valid_from_change: null },
})

const claim = (resource_id: string, source: string, read_at: string, gone_since: string | null = null) => ({
  ...{ resource_id, source, source_key: source, source_url: null, amounts: {}, currency: 'USD', since: {} },
  ...{
    first_seen: '2026-01-01T00:00:00Z',
    gone_since,
    document: null,
    version: null,
    data_at: null,
    read_at,
  },
})

test('a line of the chart ends where the last list that has its price was read', async () => {
  const model = await modelOf(row('acme:alpha'), row('stale:alpha'), row('gone:alpha'))
  const page = historySection(
    model.rows,
    detailsOf(model, {
      versions: ['acme', 'stale', 'gone'].flatMap((host, n) => [
        state(`${host}:alpha`, '2026-02-10', '2'),
        state(`${host}:alpha`, '2026-01-01', `${4 + n}`),
      ]),
      claims: [
        claim('acme:alpha', 'daily', '2026-04-11T00:00:00Z'),
        claim('acme:alpha', 'old-list', '2026-02-20T00:00:00Z'),
        claim('stale:alpha', 'old-list', '2026-02-20T00:00:00Z'),
        claim('gone:alpha', 'daily', '2026-04-11T00:00:00Z', '2026-03-02T00:00:00Z'),
      ],
    }),
    [],
  ).text
  // The chart has 388 units for the 100 days from 2026-01-01 to 2026-04-11, and begins at 44.
  const ends = [...page.matchAll(/<path [^>]*H([\d.]+)"/g)].map(([, x]) => Number(x))
  expect(ends).toEqual([44 + 388, 44 + 232.8, 44 + 194].map((x) => Number(x.toFixed(1))))
  expect(page).toContain('>2026-04-11</text>')
})

test('a price is dashed as a published change dates it, and solid since it was seen', async () => {
  const model = await modelOf(row('acme:alpha'))
  const seen = { ...state('acme:alpha', '2026-03-01', '2'), known_from: '2026-03-01T00:00:00Z' }
  const change = {
    ...{ product: 'acme/alpha', status: 'in_effect', category: 'price_cut' },
    ...{ effective_time: '2026-01-01T00:00:00Z' },
    diff_before: JSON.stringify({ 'acme:alpha': { input_per_mtok: '8' } }),
    diff_after: JSON.stringify({ 'acme:alpha': { input_per_mtok: '2' } }),
  } as unknown as StoredChange
  const claims = [claim('acme:alpha', 'daily', '2026-04-11T00:00:00Z')]
  const page = historySection(model.rows, detailsOf(model, { versions: [seen], claims }), [change]).text
  const paths = [...page.matchAll(/<path\s+class="(s0[^"]*)"\s+d="M([\d.]+) [^"]*H([\d.]+)"/g)]
  // The chart has 388 units for the 100 days from 2026-01-01 to 2026-04-11, and begins at 44.
  const seenAt = (44 + 388 * 0.59).toFixed(1)
  expect(paths.map((match) => match.slice(1))).toEqual([
    ['s0 told', '44.0', seenAt],
    ['s0', seenAt, '432.0'],
  ])
})

test('sources that state the same share a row, and prices that none denies a place', async () => {
  const hosts = ['acme:alpha', 'host:alpha', 'other:alpha', 'denied:alpha']
  const model = await modelOf(...hosts.map((id) => row(id)))
  const stated = { input_per_mtok: model.headline.input_per_mtok }
  const claims = hosts.flatMap((id) =>
    ['litellm', 'portkey'].map((source) => ({
      ...claim(id, source, '2026-04-11T00:00:00Z'),
      amounts: stated,
    })),
  )
  const other = {
    ...claim('denied:alpha', 'openai-page', '2026-04-11T00:00:00Z'),
    amounts: { input_per_mtok: '9' },
  }
  const page = sourcesSection(model.rows, detailsOf(model, { claims: [...claims, other] })).text
  const [together = '', alone = ''] = page.split('<details').slice(1)
  expect(words(together)).toContain('3 prices: One source alone states it.')
  expect(words(together)).toMatch(
    /Host: Input \$0\.20, Output \$1\.25 host:alpha LiteLLM since 2026-01-01, Portkey since 2026-01-01/,
  )
  expect(alone.match(/<th scope="row">/g)).toHaveLength(2)
  expect(words(alone)).toMatch(
    /LiteLLM since .* Portkey since .* \$0\.20 .*OpenAI pricing page since .* \$9\.00 not served/,
  )
})

test('equal cards are one, with a row for each condition and a column for each meter', () => {
  const rate = (values: Partial<JudgedRate>): JudgedRate => ({
    ...{ meter: 'input_tokens', unit: '1m_tokens', amount: '0.1', service_tier: null, variant: null },
    ...{ threshold: null, hours: null, said_by: ['litellm'], denied_by: null },
    ...values,
  })
  const batch = { service_tier: 'batch' }
  const card = [
    rate({ ...batch, meter: 'output_tokens', amount: '0.625' }),
    rate(batch),
    ...['eu', 'us'].map((variant) => rate({ variant, amount: '0.3', denied_by: { portkey: '0.4' } })),
  ]
  const cards = new Map([
    ['acme:alpha', card],
    ['host:alpha', card.map((each) => ({ ...each, said_by: ['models.dev'] }))],
  ])
  const page = words(cardSection([row('acme:alpha'), row('host:alpha')], cards).text)
  expect(page).toMatch(/Acme acme:alpha · 4 rates, the same on 1 more record Also Host host:alpha \./)
  expect(page).toContain('When Input Output Said by')
  expect(page).toMatch(/ batch × 0\.5 \$0\.10 × 0\.5 \$0\.625 LiteLLM, models\.dev /)
  expect(page).toMatch(/ eu, us × 1\.5 \$0\.30 LiteLLM, models\.dev Portkey states \$0\.40 for input /)
})

test('what costs the same whatever is typed shares a row', () => {
  const rows = [row('acme:alpha'), row('host:alpha'), row('dear:alpha', { input_per_mtok: '9' })]
  const page = words(calculator(rows, new Map(), usualUse, { path: '/' }).text)
  expect(page).toMatch(/Acme , Host one source 2 records .* Dear one source dear:alpha/)
})

test('a page is sent without the indentation of its lines, but for what is shown as it is written', () => {
  // prettier-ignore
  expect(html`<p>
      One
      <b>${'two\n  lines'}</b>
    </p>`.text).toBe('<p>\nOne\n<b>two\n  lines</b>\n</p>')
  // prettier-ignore
  expect(html`<pre>
  kept</pre>`.text).toBe('<pre>\n  kept</pre>')
})
