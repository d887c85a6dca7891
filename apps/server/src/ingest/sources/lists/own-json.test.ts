import { describe, expect, test } from 'vitest'
import { readOwnJson } from './own-json.ts'

const now = new Date('2026-08-21T12:00:00Z')

function read(file: unknown) {
  return readOwnJson(JSON.stringify(file), now)
}

const price = { resource_id: 'acme:m', input_per_mtok: 2e-1, output_per_mtok: '0.80' }

test('a price has the fields of the contract, and rates beside them', () => {
  const rates = [
    { meter: 'input_tokens', unit: '1m_tokens', amount: 0.1, service_tier: 'batch' },
    { meter: 'searches', unit: 'query', amount: '0.010', variant: 'high' },
    { meter: 'input_tokens', unit: '1m_tokens', amount: 0.4, threshold: 200_000, hours: '16:30-00:30' },
  ]
  const { records, rejected, version } = read({
    version: '7',
    prices: [{ ...price, product_id: null, rates }],
  })
  expect([rejected, version]).toEqual([[], '7'])
  expect(records).toMatchObject([{ resource_id: 'acme:m', input_per_mtok: '0.2', output_per_mtok: '0.8' }])
  const all = { service_tier: null, variant: null, threshold: null, hours: null }
  expect(records[0]?.rates).toEqual([
    { ...all, meter: 'input_tokens', unit: '1m_tokens', amount: '0.1', service_tier: 'batch' },
    {
      ...all,
      meter: 'input_tokens',
      unit: '1m_tokens',
      amount: '0.4',
      threshold: 200_000,
      hours: '16:30-00:30',
    },
    { ...all, meter: 'searches', unit: 'query', amount: '0.01', variant: 'high' },
  ])
})

test('the list alone will do, and a byte order mark', () => {
  expect(read([price]).records).toHaveLength(1)
  expect(readOwnJson(`\uFEFF${JSON.stringify([price])}`, now)).toMatchObject({ version: null })
})

test('a product that is named is the link; others are found from all sources', () => {
  const own = { resource_id: 'openai:gpt-9', input_per_mtok: 1 }
  const { records } = read([
    own,
    { ...price, product_id: 'acme/big' },
    { resource_id: 'azure:gpt-9-2026-01-01' },
  ])
  expect(records.map(({ product_id }) => product_id)).toEqual([null, 'acme/big', null])
})

test('prices that begin later are scheduled', () => {
  const { records, rejected } = read([price, { ...price, input_per_mtok: 3, effective_at: '2026-09-01' }])
  expect(rejected).toEqual([])
  expect(records[0]?.scheduled).toMatchObject([{ starts_on: '2026-09-01', amounts: { input_per_mtok: '3' } }])
})

describe('a price that cannot be served is named by its place and its fields', () => {
  const rate = { meter: 'searches', unit: 'query', amount: 1 }
  test.each<[unknown, RegExp]>([
    ['acme:n', /^price 2: Invalid input/],
    [{ ...price, input: 3 }, /^price 2: .*"input"/],
    [{ ...price, input_per_mtok: [3] }, /^price 2: input_per_mtok/],
    [{ ...price, input_per_mtok: -1 }, /^price 2: input_per_mtok is negative: -1/],
    [{ ...price, resource_id: 'a'.repeat(600) }, /^price 2: resource_id/],
    [{ ...price, vendor: 'a\u0000' }, /^price 2: vendor has control characters$/],
    [{ ...price, rates: [{ ...rate, amount: -2 }] }, /^price 2: rates\.0\.amount is negative/],
    [{ ...price, rates: [{ ...rate, amount: 'free' }] }, /^price 2: rates\.0\.amount is not a number: free$/],
    [{ ...price, rates: [{ ...rate, tier: 'batch' }] }, /^price 2: rates\.0 .*"tier"/],
    [
      { ...price, rates: [{ ...rate, meter: 'Web Searches' }] },
      /^price 2: rates\.0\.meter is not in snake case$/,
    ],
    [{ ...price, rates: [{ ...rate, hours: '9-17' }] }, /^price 2: rates\.0\.hours is not HH:MM-HH:MM$/],
    [{ ...price, rates: [{ ...rate, threshold: 0.5 }] }, /^price 2: rates\.0\.threshold/],
    [{ ...price, rates: [rate, { ...rate, amount: 2 }] }, /^price 2: rates has two amounts for the same$/],
  ])('%j', (row, reason) => {
    const { records, rejected } = read([{ resource_id: 'acme:good' }, row])
    expect(records.map(({ resource_id }) => resource_id)).toEqual(['acme:good'])
    expect(rejected.map((row) => row.reason)).toEqual([expect.stringMatching(reason)])
  })
})

describe('a file that is no such JSON is refused whole', () => {
  test.each<[string, RegExp]>([
    ['[{"resource_id": "acme:m",\n}]', /not JSON: .*line 2 column 1/],
    ['resource_id,unit', /not JSON/],
    ['{}', /neither a list of prices nor/],
    ['"prices"', /neither a list of prices nor/],
    ['{"prices": [], "note": 1}', /neither a list of prices nor/],
    ['[]', /lists no price/],
    ['[{"resource_id": "acme"}]', /No row of the file can be read\. The first: price 1: resource_id is not/],
  ])('%s', (text, message) => {
    expect(() => readOwnJson(text, now)).toThrow(message)
  })
})
