import { describe, expect, test } from 'vitest'
import { amountsOf, checkQuotes, findWrongAmounts } from '../../../../test/support/cloud-lists.ts'
import { priceDataDir, priceFile, skipTitle } from '../../../../test/support/price-files.ts'
import { asStated, perThousandToPerMillion } from '../../../catalog/decimal.ts'
import type { SourceReading } from '../../source-record.ts'
import { readAwsPriceList, type OfferCode } from './aws.ts'
import { startCpuClock } from '../../../../test/support/cpu.ts'

const now = new Date('2026-08-01T12:00:00Z')

interface Row {
  attributes: Record<string, string>
  unit: string
  usd: string
  description: string
  starts: string
}

/** A line of `AmazonBedrock`. */
const token = (usagetype: string, usd: string, model: string, more: Record<string, string> = {}): Row => ({
  attributes: { usagetype, model, regionCode: 'us-east-1', servicename: 'Amazon Bedrock', ...more },
  ...{ unit: '1K tokens', usd: `${usd}0000`, starts: '2026-07-01T00:00:00Z' },
  description: `$${usd} per 1K token for ${usagetype.replace(/^\w+-/, '')} in US East (N. Virginia)`,
})

/** A line of `AmazonBedrockFoundationModels`. */
const edition = (name: string, words: string, usd: string, described: string): Row => ({
  attributes: {
    ...{ usagetype: `USE1-MP:USE1_${words}-Units`, regionCode: 'us-east-1' },
    servicename: `${name} (Amazon Bedrock Edition)`,
  },
  ...{ unit: '1M tokens', usd, starts: '2026-07-01T00:00:00Z' },
  description: `AWS Marketplace software usage|us-east-1|${described}`,
})

function write(rows: readonly Row[], offerCode: OfferCode = 'AmazonBedrock'): string {
  const skus = rows.map((row, index) => [`SKU${index}`, row] as const)
  return JSON.stringify({
    ...{ offerCode, version: '20260723', publicationDate: '2026-07-23T10:00:00Z' },
    products: Object.fromEntries(skus.map(([sku, { attributes }]) => [sku, { sku, attributes }])),
    terms: {
      OnDemand: Object.fromEntries(
        skus.map(([sku, { unit, usd, description, starts }]) => {
          const rate = { rateCode: `${sku}.T.D`, description, beginRange: '0', endRange: 'Inf', unit }
          const dimension = { ...rate, pricePerUnit: { USD: usd }, appliesTo: [] }
          return [
            sku,
            { [`${sku}.T`]: { effectiveDate: starts, priceDimensions: { [rate.rateCode]: dimension } } },
          ]
        }),
      ),
    },
  })
}

const read = (rows: readonly Row[], code?: OfferCode) =>
  readAwsPriceList(write(rows, code), code ?? 'AmazonBedrock', now)
const reasons = ({ rejected }: SourceReading) => rejected.map(({ id, reason }) => `${id} ${reason}`)

const oss = (words: string, usd: string) => token(`USE1-gpt-oss-120b-${words}`, usd, 'gpt-oss-120b')

describe('an offer of Bedrock', () => {
  test('names models by words, and holds ids where its usage types do', () => {
    const { records, version, data_at } = read([
      oss('input-tokens', '0.00015'),
      oss('output-tokens', '0.0006'),
      oss('output-tokens-batch', '0.0003'),
      token('USE1-acme.alpha-9b-mantle-input-tokens-standard', '0.00025', 'Alpha', {
        service_tier: 'standard',
      }),
    ])
    expect(records).toMatchObject([
      {
        ...{ resource_id: 'bedrock:openai.gpt-oss-120b-1:0', is_witness: true, currency: 'USD' },
        ...{ input_per_mtok: '0.15', output_per_mtok: '0.6', effective_at: '2026-07-01' },
        rates: [{ meter: 'output_tokens', service_tier: 'batch', amount: '0.3' }],
      },
      { resource_id: 'bedrock:acme.alpha-9b', input_per_mtok: '0.25', output_per_mtok: null },
    ])
    expect(records[1]).not.toHaveProperty('is_witness')
    expect([version, data_at]).toEqual(['20260723', '2026-07-23'])
  })

  test('has a plain price and a global one', () => {
    const { records } = read(
      [
        edition('Claude Opus 5', 'input_tokens_standard', '5.5', 'Million Input Tokens Standard'),
        edition('Claude Opus 5', 'input_tokens_global_standard', '5', 'Input Tokens - Standard, Global'),
        edition(
          'Claude Opus 5',
          'cache_write_tokens_1h_standard',
          '11',
          'Cache Write Tokens (1h TTL) - Standard',
        ),
        edition(
          'Claude Haiku 4.5',
          'CacheReadInputTokenCount_Global',
          '0.1',
          'Million Cache Read Input Tokens Global',
        ),
      ],
      'AmazonBedrockFoundationModels',
    )
    expect(records).toMatchObject([
      {
        resource_id: 'bedrock:us:us.anthropic.claude-opus-5',
        input_per_mtok: '5.5',
        rates: [{ meter: 'cache_write_tokens', variant: '1h', amount: '11' }],
      },
      { resource_id: 'bedrock:global:global.anthropic.claude-opus-5', input_per_mtok: '5' },
      {
        resource_id: 'bedrock:global:global.anthropic.claude-haiku-4-5-20251001-v1:0',
        cached_input_per_mtok: '0.1',
      },
    ])
  })

  const good = oss('input-tokens', '0.00015')
  const model = edition('Claude Opus 5', 'input_tokens_standard', '5.5', 'Million Input Tokens Standard')
  const with_ = (row: Row, more: Record<string, string>): Row => ({
    ...row,
    attributes: { ...row.attributes, ...more },
  })
  test.each<[string, Row, OfferCode?]>([
    ['names a model that is not in the table', token('USE1-Alpha-input-tokens', '0.1', 'Alpha')],
    ['names a model that is not in the table', with_(good, { model: 'Claude 3 Haiku' })],
    [
      'names a model that is not in the table',
      {
        ...model,
        attributes: { ...model.attributes, servicename: 'Claude Opus 5.5 (Amazon Bedrock Edition)' },
      },
      'AmazonBedrockFoundationModels',
    ],
    ['has a usagetype that is not read', oss('input-tokens-turbo', '0.1')],
    ['has a usagetype that is not read', oss('input-image-tokens', '0.1')],
    ['has a usagetype of another region than us-west-2', with_(good, { regionCode: 'us-west-2' })],
    ['is of a region that is not in the table', with_(good, { regionCode: 'us-gov-west-1' })],
    ['is per 1M tokens, and not per 1K tokens', { ...good, unit: '1M tokens' }],
    [
      'is per 1M TPM Hour, and not per 1M tokens',
      { ...model, unit: '1M TPM Hour' },
      'AmazonBedrockFoundationModels',
    ],
    [
      'is reserved capacity',
      edition('Claude Opus 5', 'Reserved_1Month_InputTPM_Geo', '0.1', 'Per Hour per 1K Input TPM'),
      'AmazonBedrockFoundationModels',
    ],
    ['is of long context', oss('input-tokens-long-context', '0.1')],
    ['is optimised for latency', oss('input-tokens-latency-optimized', '0.1')],
    ['is described with another amount', { ...good, usd: '0.0002' }],
    [
      'is described otherwise than its usagetype says',
      { ...model, description: 'x|us-east-1|Million Response Tokens' },
      'AmazonBedrockFoundationModels',
    ],
    ['has attributes that contradict its usagetype', with_(good, { feature: 'Batch Inference' })],
    ['has attributes that contradict its usagetype', with_(good, { inferenceType: 'Output tokens' })],
    ['has attributes that contradict its usagetype', with_(good, { feature: 'Provisioned Throughput' })],
    ['has attributes that contradict its usagetype', with_(good, { service_tier: 'flex' })],
    [
      'has attributes that contradict its usagetype',
      with_(good, { inferenceType: 'Prompt cache read input tokens' }),
    ],
    ['begins on 2026-09-01', { ...good, starts: '2026-09-01T00:00:00Z' }],
    ['states no price', { ...good, usd: '0.0000000000', description: '$0.0 per 1K input tokens' }],
    [
      'is of an id that is sold by scope',
      token('USE1-acme.alpha-mantle-output-tokens-standard', '0.1', 'Alpha'),
    ],
  ])('refuses a line that %s', (reason, row, code) => {
    const others =
      code === undefined
        ? [good, token('USE1-acme.alpha-mantle-input-tokens-global-standard', '0.1', 'Alpha')]
        : [model]
    expect(reasons(read([row, ...others], code))[0]).toMatch(new RegExp(`^SKU0 ${reason}`))
  })

  test('refuses what it states in two ways, and the price of a profile where regions differ', () => {
    const { records, rejected } = read([
      good,
      oss('output-tokens', '0.0006'),
      { ...oss('input-tokens', '0.0002') },
    ])
    expect(records).toMatchObject([{ input_per_mtok: null, output_per_mtok: '0.6' }])
    expect(rejected.map(({ id, reason }) => [id, reason])).toEqual([
      ['SKU0', 'is one of several amounts of bedrock:openai.gpt-oss-120b-1:0, input_tokens: 0.15 and 0.2'],
      ['SKU2', 'is one of several amounts of bedrock:openai.gpt-oss-120b-1:0, input_tokens: 0.15 and 0.2'],
    ])
  })

  test('of another region states another resource', () => {
    const row = token('EUC1-gpt-oss-120b-input-tokens', '0.00018', 'gpt-oss-120b', {
      regionCode: 'eu-central-1',
    })
    expect(read([row]).records).toMatchObject([
      { resource_id: 'bedrock:eu-central-1:openai.gpt-oss-120b-1:0', region: 'eu-central-1' },
    ])
  })

  test('is refused as a whole where it is another one, or has nothing to read', () => {
    expect(() => read([model], 'AmazonBedrockService')).toThrow(/is not named|another offer|not per 1K/)
    expect(() => readAwsPriceList(write([good]), 'AmazonBedrockService', now)).toThrow(
      /offer AmazonBedrock of/,
    )
    expect(() => readAwsPriceList(write([good]).slice(0, -9), 'AmazonBedrock', now)).toThrow(
      'The file is not JSON',
    )
    expect(() => readAwsPriceList('{"offers":{}}', 'AmazonBedrock', now)).toThrow(
      /not an offer of the AWS Price List/,
    )
  })

  test('of 20 MB is read within seconds', () => {
    const others = Array.from({ length: 23_000 }, (_, index) =>
      token(`USE1-Model${index}-input-tokens`, '0.001', `Model ${index}`, { padding: 'x'.repeat(400) }),
    )
    const text = write([...others, good])
    expect(text.length).toBeGreaterThan(20_000_000)
    const cpuMs = startCpuClock()
    const { records, rejected } = readAwsPriceList(text, 'AmazonBedrock', now)
    expect(cpuMs()).toBeLessThan(10_000)
    expect([records.length, rejected.length]).toEqual([1, 23_000])
  })
})

const states: { code: OfferCode; path: string; lines: number; records: number; refused: object }[] = [
  { code: 'AmazonBedrock', path: '2026-07-23-AmazonBedrock', lines: 25, records: 4, refused: {} },
  {
    ...{ code: 'AmazonBedrockFoundationModels', path: '2026-07-28-AmazonBedrockFoundationModels' },
    ...{ lines: 40, records: 6, refused: { 'is reserved capacity, not a price of use': 8 } },
  },
  {
    ...{ code: 'AmazonBedrockService', path: '2026-07-29-AmazonBedrockService', lines: 6, records: 1 },
    refused: { 'is of long context, and the offer does not say from how many tokens': 4 },
  },
]

interface Document {
  products: Record<string, { attributes: Record<string, string> }>
  terms: {
    OnDemand: Record<string, Record<string, { priceDimensions: Record<string, Record<string, unknown>> }>>
  }
}

describe.skipIf(priceDataDir === undefined)(skipTitle('offers as published'), () => {
  const textOf = (path: string) => priceFile(`official/aws/${path}.us-east-1.json`)

  test.each(states)(
    '$path: every line is read or refused by rule',
    ({ code, path, lines, records, refused }) => {
      const text = textOf(path)
      const reading = readAwsPriceList(text, code, now)
      const counts = Map.groupBy(reading.rejected, ({ reason }) => reason)
      expect(Object.fromEntries([...counts].map(([reason, rows]) => [reason, rows.length]))).toEqual(refused)
      expect(reading.records).toHaveLength(records)
      // Each line that is read has its words in the document, which state its amount: `"USD": "0.0000750000"`.
      const scale = code === 'AmazonBedrockFoundationModels' ? asStated : perThousandToPerMillion
      const stated = (quote: string) => ({ stated: /"USD": "([\d.]+)"/.exec(quote)![1]!, scale })
      expect(checkQuotes(text, reading, stated)).toEqual({ quotes: lines, wrong: [] })
      expect(amountsOf(reading).size).toBe(lines)
    },
  )

  test('known prices come out as they stand there', () => {
    const amounts = new Map(
      states.flatMap(({ code, path }) => [...amountsOf(readAwsPriceList(textOf(path), code, now))]),
    )
    const opus = 'bedrock:us:us.anthropic.claude-opus-5'
    const global = 'bedrock:global:global.anthropic'
    expect(
      Object.fromEntries(
        [
          `${opus} input_per_mtok`,
          `${opus} output_per_mtok`,
          `${opus} cached_input_per_mtok`,
          `${opus} ["cache_write_tokens","1m_tokens",null,"1h",null,null]`,
          `${opus} ["output_tokens","1m_tokens","batch",null,null,null]`,
          `${global}.claude-opus-5 output_per_mtok`,
          `${global}.claude-haiku-4-5-20251001-v1:0 cached_input_per_mtok`,
          `${global}.claude-sonnet-4-20250514-v1:0 output_per_mtok`,
          'bedrock:anthropic.claude-3-haiku-20240307-v1:0 input_per_mtok',
          'bedrock:openai.gpt-oss-120b output_per_mtok',
          'bedrock:qwen.qwen3-32b ["input_tokens","1m_tokens","priority",null,null,null]',
        ].map((key) => [key, amounts.get(key)]),
      ),
    ).toEqual({
      [`${opus} input_per_mtok`]: '5.5',
      [`${opus} output_per_mtok`]: '27.5',
      [`${opus} cached_input_per_mtok`]: '0.55',
      [`${opus} ["cache_write_tokens","1m_tokens",null,"1h",null,null]`]: '11',
      [`${opus} ["output_tokens","1m_tokens","batch",null,null,null]`]: '13.75',
      [`${global}.claude-opus-5 output_per_mtok`]: '25',
      [`${global}.claude-haiku-4-5-20251001-v1:0 cached_input_per_mtok`]: '0.1',
      [`${global}.claude-sonnet-4-20250514-v1:0 output_per_mtok`]: '15',
      'bedrock:anthropic.claude-3-haiku-20240307-v1:0 input_per_mtok': '0.25',
      'bedrock:openai.gpt-oss-120b output_per_mtok': '0.6',
      'bedrock:qwen.qwen3-32b ["input_tokens","1m_tokens","priority",null,null,null]': '0.2625',
    })
  })

  // Each on every line by itself, and on all at once. Two lines are taken for each other's in one attribute.
  const dimensionOf = ({ terms }: Document, sku: string) =>
    Object.values(Object.values(terms.OnDemand[sku]!)[0]!.priceDimensions)[0]!
  const breaks: Record<string, (document: Document, sku: string, other: string) => void> = {
    ...Object.fromEntries(
      ['1K tokens', '1M tokens', '1M TPM Hour', 'Units'].map((unit) => [
        `the unit is ${unit}`,
        (document: Document, sku: string) => void (dimensionOf(document, sku).unit = unit),
      ]),
    ),
    'the currency is EUR': (document, sku) => {
      const dimension = dimensionOf(document, sku)
      dimension.pricePerUnit = { EUR: Object.values(dimension.pricePerUnit as object)[0] as string }
    },
    ...Object.fromEntries(
      ['usagetype', 'model', 'inferenceType', 'feature', 'service_tier', 'regionCode'].map((name) => [
        `${name} is another line's`,
        ({ products }: Document, sku: string, other: string) => {
          const [a, b] = [products[sku]!.attributes, products[other]!.attributes]
          ;[a[name], b[name]] = [b[name]!, a[name]!]
        },
      ]),
    ),
    "the description is another line's": (document, sku, other) => {
      const [a, b] = [dimensionOf(document, sku), dimensionOf(document, other)]
      ;[a.description, b.description] = [b.description, a.description]
    },
    'the region is another': ({ products }, sku) => void (products[sku]!.attributes.regionCode = 'eu-west-1'),
    'the usage is a step of several': (document, sku) => void (dimensionOf(document, sku).endRange = '1000'),
    'a second price stands beside it': ({ terms }, sku) => {
      const [term] = Object.values(terms.OnDemand[sku]!)
      term!.priceDimensions.more = structuredClone(Object.values(term!.priceDimensions)[0]!)
    },
  }
  test.each(states)('$path: no broken line gives a wrong amount', ({ code, path }) => {
    const text = textOf(path)
    const right = amountsOf(readAwsPriceList(text, code, now))
    const skus = Object.keys((JSON.parse(text) as Document).products)
    const readBroken = (change: (document: Document) => void) => {
      const document = JSON.parse(text) as Document
      change(document)
      return findWrongAmounts(right, () => readAwsPriceList(JSON.stringify(document), code, now))
    }
    for (const [name, change] of Object.entries(breaks)) {
      for (const [index, sku] of skus.entries())
        for (const step of [1, 7])
          expect(
            readBroken((document) => change(document, sku, skus[(index + step) % skus.length]!)),
            `${name}: ${sku}`,
          ).toEqual([])
    }
    for (let share = 0.01; share < 1; share += 0.01)
      expect(
        findWrongAmounts(right, () => readAwsPriceList(text.slice(0, text.length * share), code, now)),
      ).toEqual([])
  })
})
