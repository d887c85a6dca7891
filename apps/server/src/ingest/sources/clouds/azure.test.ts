import { describe, expect, test } from 'vitest'
import { amountsOf, checkQuotes, findWrongAmounts } from '../../../../test/support/cloud-lists.ts'
import { priceDataDir, priceFile, skipTitle } from '../../../../test/support/price-files.ts'
import { asStated, perThousandToPerMillion, readDecimal } from '../../../catalog/decimal.ts'
import { readAzureRetailPrices } from './azure.ts'

const now = new Date('2026-10-02T12:00:00Z')

/** An item of the answer. */
function item(meterName: string, price: number, more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    ...{ currencyCode: 'USD', tierMinimumUnits: 0, retailPrice: price, unitPrice: price },
    ...{ armRegionName: 'westus', location: 'US West', effectiveStartDate: '2026-09-01T00:00:00Z' },
    ...{ meterId: meterName, meterName, productName: 'Azure OpenAI GPT5' },
    ...{ skuName: meterName.replace(/ (?:1M )?Tokens$/, ''), serviceName: 'Foundry Models' },
    ...{ unitOfMeasure: meterName.includes('1M') ? '1M' : '1K', type: 'Consumption', ...more },
  }
}
const write = (items: readonly unknown[]) =>
  JSON.stringify({ Items: items, NextPageLink: null, Count: items.length })
const read = (...items: unknown[]) => readAzureRetailPrices(write(items), now)
const north = { armRegionName: 'northeurope', location: 'EU North' }

describe('the meters of Azure', () => {
  test.each<[string, string, string, string | null, string]>([
    ['GPT 5 Rsng outpt Glbl 1M Tokens', 'azure:gpt-5', 'output_tokens', null, '7'],
    [
      'GPT 5 Mini Batch Inpt cchd Dzone 1M Tokens',
      'azure:us:gpt-5-mini',
      'cached_input_tokens',
      'batch',
      '7',
    ],
    ['5.4 mini pp Inp Gl 1M Tokens', 'azure:gpt-5.4-mini', 'input_tokens', 'priority', '7'],
    ['5.5 ShortCo cd inp Gl 1M Tokens', 'azure:gpt-5.5', 'cached_input_tokens', null, '7'],
    ['5.6 luna ShortCo Inp Std DZ 1M Tokens', 'azure:us:gpt-5.6-luna', 'input_tokens', null, '7'],
    ['5.6 sol ShortCo Cd Wr PP Gl 1M Tokens', 'azure:gpt-5.6-sol', 'cache_write_tokens', 'priority', '7'],
    [
      '5.6 terra ShortCo Opt Flex regnl 1M Tokens',
      'azure:westus:gpt-5.6-terra',
      'output_tokens',
      'flex',
      '7',
    ],
    ['gpt-5-codex-inp-glbl Tokens', 'azure:gpt-5-codex', 'input_tokens', null, '7000'],
  ])('%s', (meterName, resource_id, meter, service_tier, amount) => {
    const { records } = read(item(meterName, 7))
    const record = records.find((one) => one.resource_id === resource_id)!
    const columns = {
      input_tokens: record.input_per_mtok,
      output_tokens: record.output_per_mtok,
      cached_input_tokens: record.cached_input_per_mtok,
    }
    const column = service_tier === null ? columns[meter as keyof typeof columns] : undefined
    const rates = record.rates.map((rate) => [rate.meter, rate.service_tier, rate.amount])
    expect([column, rates]).toEqual(column == null ? [column, [[meter, service_tier, amount]]] : [amount, []])
    expect(record).toMatchObject({ is_witness: true, currency: 'USD', effective_at: '2026-09-01' })
  })

  test('are of one price where all regions of a scope state it', () => {
    const meter = '5.6 luna ShortCo Inp Std DZ 1M Tokens'
    const west = { armRegionName: 'westeurope', location: 'EU West' }
    const same = read(item(meter, 0.33, north), item(meter, 0.33, west), item(meter, 0.3))
    expect(same.records.map((one) => [one.resource_id, one.input_per_mtok])).toEqual([
      ['azure:eu:gpt-5.6-luna', '0.33'],
      ['azure:us:gpt-5.6-luna', '0.3'],
    ])
    const other = read(item(meter, 0.33, north), item(meter, 0.36, west), item(meter, 0.3))
    expect(other.records.map((one) => one.resource_id)).toEqual(['azure:us:gpt-5.6-luna'])
    expect(other.rejected[0]!.reason).toBe(
      'is one of several amounts of azure:eu:gpt-5.6-luna, input_tokens: 0.33 and 0.36',
    )
  })

  test('are replaced by later prices of theirs, and not by other meters', () => {
    const meter = '5.4 inp Gl 1M Tokens'
    const later = { effectiveStartDate: '2026-10-01T00:00:00Z' }
    const { records, rejected } = read(
      item(meter, 2),
      item(meter, 3, later),
      item(meter, 4, { effectiveStartDate: '2026-11-01T00:00:00Z' }),
    )
    expect(records[0]).toMatchObject({ input_per_mtok: '3', effective_at: '2026-10-01' })
    expect(rejected.map(({ reason }) => reason)).toContain('was replaced on 2026-10-01')
    expect(rejected.map(({ reason }) => reason)).toContain('begins on 2026-11-01')
    const two = [
      item(meter, 2),
      item(meter, 3, { ...later, meterId: 'another' }),
      item('5.5 inp Gl 1M Tokens', 9),
    ]
    expect(read(...two).records.map(({ resource_id }) => resource_id)).toEqual(['azure:gpt-5.5'])
  })

  const meter = '5.4 inp Gl 1M Tokens'
  test.each<[string, Record<string, unknown>]>([
    [
      'names a model that is not in the table: Azure OpenAI GPT5, 5.4 turbo',
      item('5.4 turbo inp Gl 1M Tokens', 1),
    ],
    ['names a model that is not in the table: Azure OpenAI GPT5, 5.4 ft', item('5.4 ft inp Gl 1M Tokens', 1)],
    [
      'names a model that is not in the table: Azure Grok Models, 4.7',
      item('4.7 Inp DZ Tokens', 1, { productName: 'Azure Grok Models' }),
    ],
    ['names a model that is not in the table', item('56sol ShCo Cd Wr Fl Gl 1M Tokens', 1)],
    ['names two tiers', item('5.4 batch inp flex Gl 1M Tokens', 1)],
    ['names no deployment', item('5.4 inp 1M Tokens', 1)],
    ['is of long context', item('5.6 sol LongCo Cd Wr Flex Gl 1M Tokens', 1)],
    [
      'is of a data zone that is not in the table: japaneast',
      item('5.4 inp DZ 1M Tokens', 1, { armRegionName: 'japaneast' }),
    ],
    ['counts no tokens', item('file-search-tool-calls-glbl Calls', 1)],
    ['is per 1/Hour', item('Provisioned Managed Global Unit', 1, { unitOfMeasure: '1/Hour' })],
    ['is per 1K, and its name says otherwise', item(meter, 1, { unitOfMeasure: '1K' })],
    ['is per 1M, and its name says otherwise', item('5.4 inp Gl Tokens', 1, { unitOfMeasure: '1M' })],
    ['has a meter of another SKU', item(meter, 1, { skuName: '5.5 inp Gl' })],
    ['is in EUR', item(meter, 1, { currencyCode: 'EUR' })],
    ['is no price of use: Reservation', item(meter, 1, { type: 'Reservation' })],
    ['has a price for a part of the use', item(meter, 1, { tierMinimumUnits: 100 })],
    ['has a price for a part of the use', item(meter, 1, { unitPrice: 0.5 })],
    ['is of another cloud', item(meter, 1, { armRegionName: 'usgovvirginia' })],
    ['ended on 2026-09-30', item(meter, 1, { effectiveEndDate: '2026-09-30T23:59:00Z' })],
    ['states no price', item(meter, 0)],
    ['cannot be read', { ...item(meter, 1), meterName: 7 }],
  ])('%s: not read', (reason, odd) => {
    const { rejected } = read(odd, item('5.5 inp Gl 1M Tokens', 2))
    expect(rejected.map((row) => row.reason.slice(0, reason.length))).toEqual([reason])
  })
})

describe('an answer', () => {
  const items = [item('5.4 inp Gl 1M Tokens', 2), item('5.4 opt Gl 1M Tokens', 8)]
  const lines = items.map((one) => JSON.stringify(one)).join('\n')
  test('is read whole, by its items and page by page', () => {
    const right = amountsOf(readAzureRetailPrices(lines, now))
    expect(right.size).toBe(4)
    expect(amountsOf(readAzureRetailPrices(`${lines}\n`, now))).toEqual(right)
    expect(amountsOf(read(...items))).toEqual(right)
    const pages = items.map((one, index) => ({
      Items: [one],
      NextPageLink: index === 0 ? 'https://next' : null,
    }))
    expect(
      amountsOf(readAzureRetailPrices(pages.map((page) => JSON.stringify(page)).join('\n'), now)),
    ).toEqual(right)
    expect(() => readAzureRetailPrices(JSON.stringify(pages[0]), now)).toThrow(
      /one page of Azure’s retail prices/,
    )
  })

  test('that is cut off, or something else, is refused', () => {
    expect(() => readAzureRetailPrices(lines.slice(0, -20), now)).toThrow('Line 2 of the file is not JSON')
    expect(() => readAzureRetailPrices('<!doctype html>', now)).toThrow('Line 1 of the file is not JSON')
    expect(() => readAzureRetailPrices('{"Items":[]}', now)).toThrow(/it lists nothing/)
  })
})

describe.skipIf(priceDataDir === undefined)(skipTitle('the state of 2025-08-25'), () => {
  const at = new Date('2025-08-25T01:00:00Z')
  const load = () => priceFile('official/azure/2025-08-25-retail-prices.ai-models.ndjson.gz')
  type Row = Record<string, unknown> & { meterName: string; retailPrice: number; armRegionName: string }
  const rowsOf = (text: string) =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Row)

  test('every item is read or refused by rule', () => {
    const text = load()
    const reading = readAzureRetailPrices(text, at)
    const kinds = Map.groupBy(reading.rejected, ({ reason }) => reason.split(/[:,]| 1/)[0]!)
    expect(Object.fromEntries([...kinds].map(([kind, rows]) => [kind, rows.length]))).toEqual({
      'counts no tokens': 30,
      'is no price of use': 18,
      'is of another cloud': 33,
      'is per': 157,
      'names a model that is not in the table': 782,
    })
    expect([reading.records.length, rowsOf(text).length, reading.data_at]).toEqual([238, 1889, '2025-08-01'])
    const stated = (quote: string) => ({
      stated: /"unitPrice": ([\d.e-]+)/.exec(quote)![1]!,
      scale: quote.endsWith('1M Tokens"') ? asStated : perThousandToPerMillion,
    })
    expect(checkQuotes(text, reading, stated).wrong).toEqual([])
  })

  /** Looks up what a meter costs in the document by its whole name. */
  test.each([
    ['azure:gpt-4.1', 'input_per_mtok', 'gpt 4.1 Inp glbl Tokens', '2'],
    ['azure:eu:gpt-4.1', 'cached_input_per_mtok', 'gpt 4.1 cached Inp Data Zone Tokens', '0.55'],
    ['azure:gpt-5', 'output_per_mtok', 'GPT 5 Rsng outpt Glbl 1M Tokens', '10'],
    ['azure:us:gpt-5-nano', 'cached_input_per_mtok', 'GPT 5 Nano cchd Inpt DZone 1M Tokens', '0.0055'],
    ['azure:o3', 'output_per_mtok', 'o3 0416 Outp glbl Tokens', '8'],
    ['azure:gpt-4o-mini-2024-07-18', 'input_per_mtok', 'gpt-4o-mini-0718-Inp-glbl Tokens', '0.15'],
    ['azure:Phi-4', 'output_per_mtok', 'Phi-4-Output Tokens', '0.5'],
    ['azure:grok-4', 'output_per_mtok', 'Grok-4 Outp glbl Tokens', '27.5'],
  ] as const)('%s: %s is that of %s', (id, column, meterName, amount) => {
    const text = load()
    const record = readAzureRetailPrices(text, at).records.find((one) => one.resource_id === id)
    const rows = rowsOf(text).filter((row) => row.meterName === meterName && row.armRegionName === 'eastus2')
    const scale = meterName.includes('1M') ? asStated : perThousandToPerMillion
    expect(record?.[column]).toBe(amount)
    expect(rows.map((row) => readDecimal(row.retailPrice, scale))).toEqual([{ amount }])
  })

  const swap = (name: string) => (row: Row, other: Row) => {
    ;[row[name], other[name]] = [other[name], row[name]]
  }
  const breaks: Record<string, (row: Row, other: Row) => void> = {
    'thousands for millions': (row) => {
      row.unitOfMeasure = { '1K': '1M', '1M': '1K' }[row.unitOfMeasure as string] ?? '1M'
    },
    'thousands for everything': (row) => void (row.unitOfMeasure = '1K'),
    euros: (row) => void (row.currencyCode = 'EUR'),
    'a discount': (row) => void (row.retailPrice = row.retailPrice / 2),
    ...Object.fromEntries(
      [
        'meterName',
        'skuName',
        'productName',
        'unitOfMeasure',
        'armRegionName',
        'location',
        'retailPrice',
      ].map((name) => [`${name} of another item`, swap(name)]),
    ),
  }
  test.each(Object.keys(breaks))('%s: no wrong amount', (name) => {
    const text = load()
    const right = amountsOf(readAzureRetailPrices(text, at))
    for (const offset of [0, 2, 4]) {
      const rows = rowsOf(text)
      for (let index = offset; index + 3 < rows.length; index += 5)
        breaks[name]!(rows[index]!, rows[index + 2]!)
      const broken = rows.map((row) => JSON.stringify(row)).join('\n')
      expect(findWrongAmounts(right, () => readAzureRetailPrices(broken, at))).toEqual([])
    }
  })

  test('cut anywhere: no wrong amount', () => {
    const text = load()
    const right = amountsOf(readAzureRetailPrices(text, at))
    for (const share of [0.1, 0.35, 0.6, 0.85, 0.999])
      expect(
        findWrongAmounts(right, () => readAzureRetailPrices(text.slice(0, text.length * share), at)),
      ).toEqual([])
  })
})
