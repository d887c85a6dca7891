import { describe, expect, it, test } from 'vitest'
import type { Schemas } from '../contract/index.ts'
import { findLowest, blended } from '../src/pages/compare/lowest.ts'
import { amountAt, historyLines, spread } from '../src/pages/prices/history-lines.ts'
import {
  shownName,
  noFilter,
  PriceIndex,
  type PriceFilter,
  type PriceRecord,
  type Sort,
} from '../src/pages/prices/price-index.ts'
import { curlCommand, sdkCode } from '../src/pages/prices/snippets.ts'
import { fieldNameWithUnit } from '../src/pages/prices/words.ts'

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
  rates: 1,
  input_mark: null,
  output_mark: null,
  starts_on: null,
  standing: null,
}

function tableOf(rows: readonly Partial<PriceRecord>[]): Schemas['PriceTable'] {
  const whole = rows.map((row) => ({ ...usual, ...row }))
  const columns = Object.fromEntries(
    (Object.keys(usual) as (keyof PriceRecord)[]).map((field) => [field, whole.map((row) => row[field])]),
  )
  return { version: '1', count: rows.length, columns: columns as Columns }
}

const any = noFilter
const newest: Sort = { column: 'updated', isDescending: true }

describe('the index of prices', () => {
  const index = new PriceIndex(
    tableOf([
      {
        resource_id: 'acme:Alpha',
        input_per_mtok: 2,
        versions: 3,
        updated_at: '2026-03-01T00:00:00.000000Z',
      },
      { resource_id: 'bolt:alpha', platform: 'bolt', versions: 2, updated_at: '2026-02-01T00:00:00.000000Z' },
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
    [{ isOwn: true }, ['acme:Alpha', 'bolt:beta-mini']],
    [{ isSure: true }, ['acme:Alpha', 'bolt:beta-mini']],
  ])('finds %o', (filter, expected) => {
    expect(found(filter)).toEqual(expected)
  })

  it.each<[Sort, string[]]>([
    [{ column: 'input', isDescending: false }, ['bolt:beta-mini', 'acme:Alpha', 'bolt:alpha']],
    [{ column: 'input', isDescending: true }, ['acme:Alpha', 'bolt:beta-mini', 'bolt:alpha']],
    [{ column: 'modality', isDescending: true }, ['acme:Alpha', 'bolt:alpha', 'bolt:beta-mini']],
    [{ column: 'name', isDescending: true }, ['bolt:beta-mini', 'acme:Alpha', 'bolt:alpha']],
    // The third has not moved since it was first served.
    [{ column: 'updated', isDescending: false }, ['bolt:alpha', 'acme:Alpha', 'bolt:beta-mini']],
  ])('orders by %o, what is unknown last', (sort, expected) => {
    expect(found({}, sort)).toEqual(expected)
  })

  it('orders amounts by currency: dollars, others, unknown ones', () => {
    const ids = ['acme:a', 'bolt:b', 'cell:c', 'dash:d', 'edge:e']
    const inputs = [3, 1, 2, 5, null]
    const currencies = ['USD', 'EUR', null, 'USD', 'USD']
    const mixed = new PriceIndex(
      tableOf(
        ids.map((resource_id, row) => ({
          ...{ resource_id, input_per_mtok: inputs[row]!, currency: currencies[row]! },
        })),
      ),
    )
    const order = (isDescending: boolean) =>
      [...mixed.find(any, { column: 'input', isDescending })].map((row) => ids[row]!.slice(5)).join('')
    expect([order(false), order(true)]).toEqual(['adbce', 'dabce'])
  })

  // As the maker writes it: a product's name.
  const others = new PriceIndex(
    tableOf([
      { resource_id: 'azure:gpt-4o', vendor: 'openai', product_id: 'openai/gpt-4o', platform: 'azure' },
      {
        resource_id: 'openai:gpt-4o-mini',
        vendor: 'openai',
        product_id: 'openai/gpt-4o-mini',
        platform: 'openai',
      },
      {
        resource_id: 'bedrock:anthropic.claude-sonnet-4-5-v1:0',
        ...{ vendor: 'anthropic', platform: 'bedrock', product_id: 'anthropic/claude-sonnet-4-5' },
      },
      { resource_id: 'openai:gpt-4o', vendor: 'openai', product_id: 'openai/gpt-4o', platform: 'openai' },
      {
        resource_id: 'anthropic:claude-sonnet-4-5',
        vendor: 'anthropic',
        product_id: 'anthropic/claude-sonnet-4-5',
        platform: 'anthropic',
      },
    ]),
  )

  it.each([
    ['gpt4o', ['openai:gpt-4o', 'azure:gpt-4o', 'openai:gpt-4o-mini']],
    ['openai gpt-4o', ['openai:gpt-4o', 'openai:gpt-4o-mini', 'azure:gpt-4o']],
    ['azure GPT-4o', ['azure:gpt-4o']],
    ['claude sonnet 4.5', ['anthropic:claude-sonnet-4-5', 'bedrock:anthropic.claude-sonnet-4-5-v1:0']],
    ['gpt-4o-mini', ['openai:gpt-4o-mini']],
    ['gemni', []],
  ])('answers a search for %s, the maker first', (search, expected) => {
    const rows = [...others.find({ ...any, search }, null)]
    expect(rows.map((row) => others.columns.resource_id[row])).toEqual(expected)
  })

  it('offers each value once', () => {
    expect(index.vendors).toEqual(['acme', 'bolt'])
    expect(index.modalities).toEqual(['llm'])
  })

  it('offers models, each once, and what is near to what nobody is called', () => {
    expect(others.findModels('gpt4o', { limit: 8 })).toEqual([
      { id: 'openai/gpt-4o', name: 'GPT-4o', vendor: 'openai' },
      { id: 'openai/gpt-4o-mini', name: 'GPT-4o Mini', vendor: 'openai' },
    ])
    expect(others.findModels('gpt', { limit: 1 })).toHaveLength(1)
    expect(index.findModels('beta', { limit: 8, isProduct: true })).toEqual([])
    expect(others.nearSearch('claud sonet')).toBe('claude sonnet')
    expect(others.rowsOfModel('openai/gpt-4o').map((row) => others.columns.resource_id[row])).toEqual([
      'openai:gpt-4o',
      'azure:gpt-4o',
    ])
    expect(others.platformCount('openai/gpt-4o')).toBe(2)
    expect(others.rowsOfModel('openai/none')).toEqual([])
  })

  it('leaves out what has no price until somebody asks for anything', () => {
    const rows = [
      { resource_id: 'acme:priced', input_per_mtok: 1, rates: 0 },
      { resource_id: 'acme:by-rates', rates: 2 },
      { resource_id: 'acme:unknown', vendor: 'bolt', rates: 0 },
    ]
    const some = new PriceIndex(tableOf(rows))
    const idsOf = (filter: Partial<PriceFilter>, sort: Sort | null = null) =>
      [...some.find({ ...any, ...filter }, sort)].map((row) => some.columns.resource_id[row]).sort()
    expect(idsOf({})).toEqual(['acme:by-rates', 'acme:priced'])
    expect(idsOf({ search: 'unknown' })).toEqual(['acme:unknown'])
    expect(idsOf({ vendor: 'bolt' })).toEqual(['acme:unknown'])
    expect(idsOf({}, { column: 'name', isDescending: false })).toHaveLength(3)
  })

  it('begins with what makers sell themselves, on the most platforms, and what has a price', () => {
    const ids = [...others.find(any, null)].map((row) => others.columns.resource_id[row])
    expect(ids.at(0)).toBe('anthropic:claude-sonnet-4-5')
    expect(ids.slice(0, 3)).toEqual(['anthropic:claude-sonnet-4-5', 'openai:gpt-4o', 'openai:gpt-4o-mini'])
    expect(ids.slice(3)).toEqual(['azure:gpt-4o', 'bedrock:anthropic.claude-sonnet-4-5-v1:0'])
  })

  it.each([
    [{ resource_id: 'x:y', product_id: 'openai/gpt-4o' }, 'GPT-4o'],
    [{ resource_id: 'bedrock:us:acme.big-model-v1:0', product_id: null }, 'Big Model V1'],
    [{ resource_id: 'odd', product_id: null }, 'Odd'],
  ])('names %o', (record, name) => {
    expect(shownName(record)).toBe(name)
  })
})

test('a field that is an amount has its unit', () => {
  expect(fieldNameWithUnit('cached_input_per_mtok')).toBe('Cached input per 1M tokens')
  expect(fieldNameWithUnit('retires_on')).toBe('Retires on')
})

describe('the lowest of a row', () => {
  const usd = (...amounts: (string | null)[]) => amounts.map((amount) => ({ amount, currency: 'USD' }))
  test.each([
    [usd('2', '10', null), [0]],
    [usd('0.30', '0.3', '1'), [0, 1]],
    [usd('1', '1'), []],
    [usd('1', null), []],
    [[...usd('1'), { amount: '2', currency: 'CNY' }], []],
    [['1', '2'].map((amount) => ({ amount, currency: null })), []],
  ])('of %o is at %o', (row, places) => {
    expect([...findLowest(row)]).toEqual(places)
  })

  test('of a mix is exact, and unknown where a part is', () => {
    expect(blended('0.1', '0.4')).toBe('0.175')
    expect(blended(null, '1')).toBeNull()
  })
})

test('a history is drawn where something moved: the state that was learned last counts', () => {
  const state = (valid_from: string, input: number | null, image: number | null = null) => ({
    ...{ since: valid_from, valid_from, valid_from_by: 'source' as const, source: 'x', moved: [] },
    ...{ input_per_mtok: input, output_per_mtok: null, cached_input_per_mtok: null },
    ...{ image_per_unit: image, audio_per_min: null, video_per_sec: null, currency: 'USD' },
  })
  const [one, two] = ['2026-01-01T00:00:00.000000Z', '2026-02-01T00:00:00.000000Z']
  expect(historyLines([state(two, 3), state(one, 2), state(one, 1)])).toEqual([
    {
      field: 'input_per_mtok',
      points: [
        { atMs: Date.parse(one), amount: 2 },
        { atMs: Date.parse(two), amount: 3 },
      ],
    },
  ])
  // One that is known later to have been so earlier stands for the one between.
  expect(historyLines([state(one, 3), state(two, 2), state('2025-12-01T00:00:00.000000Z', 1)])).toMatchObject(
    [{ points: [{ amount: 1 }, { atMs: Date.parse(one), amount: 3 }] }],
  )
  expect(historyLines([state(two, 1), state(one, 1)])).toEqual([])
  expect(historyLines([state(two, 1, 5), state(one, 1, 4)]).map(({ field }) => field)).toEqual([
    'image_per_unit',
  ])
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

test('a chart tells what held at a moment, and keeps its labels apart', () => {
  const line = {
    field: 'input_per_mtok' as const,
    points: [
      { atMs: 10, amount: 2 },
      { atMs: 20, amount: 1 },
    ],
  }
  expect([5, 10, 19, 20, 99].map((atMs) => amountAt(line, atMs))).toEqual([null, 2, 2, 1, 1])
  expect(spread([100, 10, 12, 50], 13)).toEqual([100, 10, 23, 50])
  expect(spread([30, 30, 30], 13)).toEqual([30, 43, 56])
})
