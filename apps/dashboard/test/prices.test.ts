import { describe, expect, it, test } from 'vitest'
import type { Schemas } from '../contract/index.ts'
import { PriceIndex, type PriceFilter, type PriceRecord, type Sort } from '../src/pages/prices/price-index.ts'
import { curlCommand, sdkCode } from '../src/pages/prices/snippets.ts'
import { amountText, fieldName, fieldNameWithUnit, otherPrices, unitName } from '../src/pages/prices/words.ts'

type Columns = Schemas['PriceColumns']

const usual: PriceRecord = {
  resource_id: 'acme:alpha',
  product_id: 'acme/alpha',
  vendor: 'acme',
  platform: 'acme',
  modality: 'llm',
  region: null,
  unit: '1m_tokens',
  input_per_mtok: null,
  output_per_mtok: null,
  cached_input_per_mtok: null,
  image_per_unit: null,
  audio_per_min: null,
  video_per_sec: null,
  currency: 'USD',
  source_url: null,
  effective_at: '2026-01-31',
  updated_at: '2026-11-21T09:30:00.000000Z',
  versions: 1,
}

function tableOf(rows: readonly Partial<PriceRecord>[]): Schemas['PriceTable'] {
  const whole = rows.map((row) => ({ ...usual, ...row }))
  const columns = Object.fromEntries(
    (Object.keys(usual) as (keyof PriceRecord)[]).map((field) => [field, whole.map((row) => row[field])]),
  )
  return { version: '1', count: rows.length, columns: columns as Columns }
}

const any: PriceFilter = { vendor: null, product: null, platform: null, modality: null, search: '' }
const newest: Sort = { column: 'updated', isDescending: true }

describe('the index of prices', () => {
  const index = new PriceIndex(
    tableOf([
      { resource_id: 'acme:Alpha', input_per_mtok: 2, updated_at: '2026-03-01T00:00:00.000000Z' },
      { resource_id: 'bolt:alpha', platform: 'bolt', updated_at: '2026-02-01T00:00:00.000000Z' },
      {
        resource_id: 'bolt:beta-mini',
        ...{ platform: 'bolt', vendor: 'bolt', product_id: null, modality: null, input_per_mtok: 0.5 },
        updated_at: '2026-01-01T00:00:00.000000Z',
      },
    ]),
  )
  const found = (filter: Partial<PriceFilter>, sort = newest) =>
    [...index.find({ ...any, ...filter }, sort)].map((rowIndex) => index.columns.resource_id[rowIndex])

  it.each<[Partial<PriceFilter>, string[]]>([
    [{}, ['acme:Alpha', 'bolt:alpha', 'bolt:beta-mini']],
    [{ vendor: 'acme' }, ['acme:Alpha', 'bolt:alpha']],
    [{ vendor: 'Acme' }, []],
    [{ vendor: 'acme', platform: 'bolt' }, ['bolt:alpha']],
    [{ product: 'acme/alpha', modality: 'llm' }, ['acme:Alpha', 'bolt:alpha']],
    [{ search: 'ALPHA' }, ['acme:Alpha', 'bolt:alpha']],
    [{ search: ' mini  beta ' }, ['bolt:beta-mini']],
    [{ search: 'alpha', platform: 'bolt' }, ['bolt:alpha']],
  ])('finds %o', (filter, expected) => {
    expect(found(filter)).toEqual(expected)
  })

  it.each<[Sort, string[]]>([
    [{ column: 'input', isDescending: false }, ['bolt:beta-mini', 'acme:Alpha', 'bolt:alpha']],
    [{ column: 'input', isDescending: true }, ['acme:Alpha', 'bolt:beta-mini', 'bolt:alpha']],
    [{ column: 'modality', isDescending: true }, ['acme:Alpha', 'bolt:alpha', 'bolt:beta-mini']],
    [{ column: 'record', isDescending: true }, ['bolt:beta-mini', 'bolt:alpha', 'acme:Alpha']],
    [{ column: 'updated', isDescending: false }, ['bolt:beta-mini', 'bolt:alpha', 'acme:Alpha']],
  ])('orders by %o, what is unknown last', (sort, expected) => {
    expect(found({}, sort)).toEqual(expected)
  })

  it.each([
    ['gpt4o', ['openai:gpt-4o', 'openai:gpt-4o-mini', 'azure:gpt-4o']],
    ['azure GPT-4o', ['azure:gpt-4o']],
    ['claude sonnet 4.5', ['anthropic:claude-sonnet-4-5', 'bedrock:anthropic.claude-sonnet-4-5-v1:0']],
    ['gpt-4o-mini', ['openai:gpt-4o-mini']],
    ['gemni', []],
  ])('answers a search for %s, the maker first', (search, expected) => {
    const others = new PriceIndex(
      tableOf([
        { resource_id: 'azure:gpt-4o', vendor: 'openai', platform: 'azure' },
        { resource_id: 'openai:gpt-4o-mini', vendor: 'openai', platform: 'openai' },
        {
          resource_id: 'bedrock:anthropic.claude-sonnet-4-5-v1:0',
          ...{ vendor: 'anthropic', platform: 'bedrock' },
        },
        { resource_id: 'openai:gpt-4o', vendor: 'openai', platform: 'openai' },
        { resource_id: 'anthropic:claude-sonnet-4-5', vendor: 'anthropic', platform: 'anthropic' },
      ]),
    )
    const rows = [...others.find({ ...any, search }, null)]
    expect(rows.map((row) => others.columns.resource_id[row])).toEqual(expected)
  })

  it('offers each value once', () => {
    expect(index.vendors).toEqual(['acme', 'bolt'])
    expect(index.modalities).toEqual(['llm'])
    expect(index.products).toEqual(['acme/alpha'])
  })
})

describe('a price in words', () => {
  test.each([
    [null, 'USD', '–'],
    [0, 'USD', 'free'],
    [1.5, null, '1.50'],
    [1.5, 'credits', '1.50 credits'],
  ])('%s %s is %s', (amount, currency, text) => {
    expect(amountText(amount, currency)).toBe(text)
  })

  test('no digit of the smallest amount is lost', () => {
    expect(amountText(0.000000001, 'USD')).toContain('0.000000001')
  })

  test('what is not per token says what it is per', () => {
    const wordsOf = (row: Partial<PriceRecord>) => otherPrices({ ...usual, ...row })
    expect(wordsOf({ image_per_unit: 2 })).toMatch(/2\.00 per image$/)
    expect(wordsOf({ unit: '1m_characters' })).toBe('per 1M characters')
    expect(wordsOf({ input_per_mtok: 1 })).toBe('')
    expect(unitName('1m_tokens')).toBe('1M tokens')
    expect(fieldName('cached_input_per_mtok')).toBe('Cached input')
    expect(fieldNameWithUnit('cached_input_per_mtok')).toBe('Cached input per 1M tokens')
    expect(fieldName('retires_on')).toBe('Retires on')
  })
})

describe('the present filter as a request', () => {
  const filter = { ...any, vendor: "o'neill & co", product: 'a/b', search: 'not told' }

  test('with curl', () => {
    expect(curlCommand('https://api.example', filter)).toBe(
      `curl 'https://api.example/v1/prices?vendor=o%27neill+%26+co&product=a%2Fb&limit=500' \\
  --header "Authorization: Bearer $RATECARD_API_KEY"
`,
    )
  })

  test('with the SDK', () => {
    const code = sdkCode('https://api.example', filter)
    expect(code).toContain("new Ratecard({ baseUrl: 'https://api.example' })")
    expect(code).toContain("client.prices.list({ vendor: 'o\\'neill & co', product: 'a/b', limit: 500 })")
  })
})
