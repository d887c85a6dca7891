import { expect, test } from 'vitest'
import type { CatalogueRow } from '../../catalog/catalogue.ts'
import type { Rate } from '../../catalog/rate-card.ts'
import { calculator, usualUse, type Use } from './calculator.ts'
import { costOf } from '../../../../../packages/cost/src/index.ts'
import { Catalog } from '../../../../../packages/cost/src/book.ts'

const row: CatalogueRow = {
  resource_id: 'acme:alpha',
  product_id: 'acme/alpha',
  vendor: 'acme',
  platform: 'acme',
  modality: 'llm',
  region: null,
  unit: '1m_tokens',
  input_per_mtok: '1.5',
  output_per_mtok: '6',
  cached_input_per_mtok: '0.15',
  image_per_unit: null,
  audio_per_min: null,
  video_per_sec: null,
  currency: 'USD',
  source_url: null,
  effective_at: null,
  updated_at: '2026-01-01T00:00:00.000000Z',
  is_confirmed: true,
  gone_since: null,
  retires_on: null,
  rates: 0,
  starts_on: null,
  since: '2026-01-01T00:00:00.000000Z',
  since_by: 'first_seen',
}
const rate = (values: Partial<Rate>): Rate => ({
  ...{ meter: 'input_tokens', unit: '1m_tokens', amount: '3' },
  ...{ service_tier: null, variant: null, threshold: null, hours: null },
  ...values,
})
const page = (card: Rate[], use: Partial<Use> = {}) =>
  calculator([row], new Map([[row.resource_id, card]]), { ...usualUse, ...use }, { path: '/' }).text
const cell = (html: string) =>
  /<td class="num" data-cost>(.*?)<\/td>/s.exec(html)![1]!.replaceAll(/<[^>]*>|\s/g, '')

test('a month costs what the library says of as many tokens, and the script gets the rates', () => {
  const card = [rate({ threshold: 271_999 }), rate({ service_tier: 'batch', amount: '0.7' })]
  const html = page(card, { cached: 25 })
  const { total } = costOf(
    { counts: { input_tokens: 75e6, cached_input_tokens: 25e6, output_tokens: 20e6 }, requests: 2 },
    { catalog: catalogOf(card), model: row.resource_id },
  )
  expect(cell(html)).toBe(`$${Number(total).toFixed(2)}`)
  expect(html).toMatch(/data-input="1.5"\s+data-output="6"\s+data-cached="0.15"/)
  expect(html).toMatch(/data-batch-input="0.7"\s+data-batch-output=""\s+data-batch-cached=""/)
})

test('what the hour decides has no figure, and a fee of requests that nobody counts stands beside it', () => {
  const byHour = page([rate({ hours: '16:30-00:30' })])
  expect(cell(byHour)).toBe('bythehour')
  expect(byHour).toMatch(/data-input="by the hour"\s+data-output="6"/)
  const withFee = page([rate({ meter: 'requests', unit: 'request', amount: '0.012' })])
  expect(cell(withFee)).toBe('$270.00')
  expect(withFee).toContain('acme:alpha + $0.012 a request')
  expect(cell(page([], { batch: true }))).toMatch(/^–/)
})

test('with the number of requests, long ones pay their rates and each pays its fee', () => {
  const card = [rate({ threshold: 200_000 }), rate({ meter: 'requests', unit: 'request', amount: '0.01' })]
  // 100 million tokens in 1,000 requests of 100,000: 150 and 120 dollars, and 10 of fees.
  const short = page(card, { requests: 1_000 })
  expect(cell(short)).toBe('$280.00')
  expect(short).not.toContain('a request</span>')
  // In 400 requests of 250,000: twice the input.
  const long = page(card, { requests: 400 })
  expect(cell(long)).toBe('longprompts–unknown')
  const whole = page([...card, rate({ meter: 'output_tokens', amount: '9', threshold: 200_000 })], {
    requests: 400,
  })
  expect(cell(whole)).toBe('longprompts$484.00')
  // The script multiplies by rates that hold for short ones.
  expect(whole).toContain('data-input="1.5"')
})

test('a price that one source alone states says so', () => {
  const costs = (rows: CatalogueRow[]) => calculator(rows, new Map(), usualUse, { path: '/' }).text
  expect(costs([row])).not.toContain('one source')
  const cheap = {
    ...row,
    resource_id: 'cheap:alpha',
    platform: 'cheap',
    input_per_mtok: '0.1',
    is_confirmed: false,
  }
  expect(
    costs([row, cheap])
      .replaceAll(/<[^>]*>|\s+/g, ' ')
      .replaceAll(/ +/g, ' '),
  ).toMatch(/Cheap one source cheap:alpha[^]*Acme acme:alpha/)
})

function catalogOf(rates: Rate[]): Catalog {
  const snapshot = { format: 'ratecard-snapshot', format_version: 1, catalog_version: '1', as_of: null }
  const generated_at = '2026-02-01T00:00:00Z'
  return new Catalog({ ...snapshot, generated_at, resource_count: 1, resources: [{ ...row, rates }] })
}
