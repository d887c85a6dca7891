import { describe, expect, test } from 'vitest'
import { priceDataDir, priceFile, priceInput, skipTitle } from '../../../../test/support/price-files.ts'
import { amountColumns } from '../../../catalog/price-record.ts'
import type { SourceRecord } from '../../source-record.ts'
import { sources, type Source } from '../index.ts'
import { readTar } from '../reading/tar.ts'

// Every state of the lists as published, which we may not distribute. What each row must come to is worked out here a
// second time, from the file alone and by other arithmetic.

const now = new Date('2026-11-26T12:00:00Z')

const readList = async (source: Source, path: string) =>
  source.read({ ...priceInput(`official/${path}`), now })

/** `0.11500000000000002` times 1,000 is 115: doubles hold 15 digits, prices 12. */
const scaled = (value: unknown, factor: number) =>
  (Number(value) * factor)
    .toPrecision(12)
    .replace(/^(.*)$/, (text) => Number(text).toFixed(9))
    .replace(/\.?0+$/, '')

const amountsOf = (records: readonly SourceRecord[]) =>
  new Set(
    records.flatMap((record) => [
      ...amountColumns.flatMap((column) => record[column] ?? []),
      ...record.rates.map(({ amount }) => amount),
    ]),
  )

type Leaf = readonly [path: string, value: unknown]

function leavesOf(value: unknown, path = ''): Leaf[] {
  if (typeof value !== 'object' || value === null) return [[path, value]]
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, `${path}.${key}`))
}

/** What the amounts of a row must come to, and none of them is 0. */
const expected = (leaves: readonly Leaf[], factorOf: (path: string) => number | null) =>
  new Set(
    leaves.flatMap(([path, value]) => {
      const factor = factorOf(path)
      return factor === null || Number(value) === 0 ? [] : [scaled(value, factor)]
    }),
  )

interface Row {
  id?: string
  model: string
  model_spec: { pricing?: unknown }
  pricing: unknown
  price: { actual: Record<string, unknown> }
  providers: { provider: string; pricing?: unknown }[]
  endpoints: { tag?: string; pricing: unknown }[]
}

const lists: {
  source: Source
  path: string
  rows: (file: never) => Row[]
  read: number
  rejected: number
  priced: number
  day: string | null
  amounts: (row: Row) => Set<string>
}[] = [
  ...(['2026-08-03', '2026-08-12'] as const).map((day) => ({
    source: sources.venice,
    path: `venice/${day}-models.json`,
    rows: (file: Row[]) => file,
    ...{ rejected: 0, day },
    ...(day === '2026-08-03' ? { read: 294, priced: 201 } : { read: 322, priced: 207 }),
    amounts: ({ model_spec }: Row) =>
      expected(leavesOf(model_spec.pricing), (path) => {
        if (!path.endsWith('.usd')) return null
        if (path.includes('second')) return 60
        return path.includes('per_thousand') ? 1_000 : 1
      }),
  })),
  {
    source: sources.ovhcloud,
    path: 'ovhcloud/2026-08-openrouter-form.json',
    rows: ({ data }: { data: Row[] }) => data,
    ...{ read: 5, rejected: 0, priced: 3, day: '2026-01-22' },
    amounts: ({ pricing }) => expected(leavesOf(pricing), (path) => (path === '.currency_unit' ? null : 1e6)),
  },
  {
    source: sources.atlascloud,
    path: 'atlascloud/2026-08-22-models.json.gz',
    rows: ({ data }: { data: Row[] }) => data,
    ...{ read: 466, rejected: 0, priced: 138, day: null },
    amounts: ({ model, price: { actual } }) => {
      const found = expected(leavesOf(actual), (path) => {
        if (path.endsWith('.base_price')) return actual.unit === 'generation' ? 1 : null
        return path.endsWith('_price') ? 1 : null
      })
      return model.endsWith('-free') ? new Set(['0']) : found
    },
  },
  {
    source: sources.huggingface,
    path: 'huggingface/2026-08-router-models.json',
    rows: ({ data }: { data: Row[] }) => data,
    ...{ read: 11, rejected: 0, priced: 7, day: '2026-07-14' },
    amounts: ({ providers }) => expected(leavesOf(providers.map(({ pricing }) => pricing ?? {})), () => 1),
  },
  ...[
    { path: '2026-07-03-models-with-endpoints.json.gz', read: 340, priced: 0, day: '2026-07-02' },
    { path: '2026-07-22-models-with-endpoints.json.gz', read: 342, priced: 40, day: '2026-07-21' },
  ].map(({ path, ...counts }) => ({
    source: sources['openrouter-endpoints'],
    path: `openrouter/${path}`,
    rows: ({ models }: { models: Row[] }) => models,
    ...{ rejected: 0, ...counts },
    amounts: ({ endpoints }: Row) => {
      const tier = /\/(?:flex|priority|batch)$/
      const tiered = endpoints.filter(({ tag = '' }) => tier.test(tag))
      const hosts = tiered.map(({ tag = '' }) => tag.replace(tier, ''))
      const base = endpoints.filter(({ tag = '' }) => hosts.includes(tag))
      return new Set([
        ...expected(leavesOf(tiered.map(({ pricing }) => pricing)), (path) => {
          if (/discount|min_prompt_tokens/.test(path)) return null
          return path.endsWith('web_search') ? 1 : 1e6
        }),
        ...expected(leavesOf(base.map(({ pricing }) => pricing)), (path) =>
          /^\.\d+\.(?:prompt|completion)$/.test(path) ? 1e6 : null,
        ),
      ])
    },
  })),
]

describe.skipIf(priceDataDir === undefined)(skipTitle('lists as published'), () => {
  test.each(lists)(
    '$path: $read rows, $rejected refused, and each amount to the digit',
    async ({ source, path, rows, read, rejected, priced, day, amounts }) => {
      const reading = await readList(source, path)
      const file: unknown = JSON.parse(priceFile(`official/${path}`))
      expect([reading.records.length, reading.rejected.length]).toEqual([read, rejected])
      expect([reading.data_at, reading.unknown_fields, reading.mended]).toEqual([day, [], []])
      const byName = Map.groupBy(reading.records, ({ source_key, region }) =>
        region === null ? source_key : source_key.slice(region.length + 1),
      )
      for (const row of rows(file as never)) {
        const name = row.id ?? row.model
        expect([name, amountsOf(byName.get(name) ?? [])]).toEqual([name, amounts(row)])
      }
      expect(reading.records.filter((record) => amountsOf([record]).size > 0)).toHaveLength(priced)
    },
  )

  test.each([
    ['2026-05-29', 77, 56],
    ['2026-07-15', 81, 59],
  ])('mistral/%s: %d ids, %d of them on sale, and each amount to the digit', async (day, ids, sold) => {
    const path = `mistral/${day}-docs-model-data.tar.gz`
    const reading = await readList(sources['mistral-docs'], path)
    const archive = priceInput(`official/${path}`) as { bytes: Uint8Array }
    expect(reading.records).toHaveLength(ids)
    expect(reading.records.filter(({ is_witness }) => is_witness !== true)).toHaveLength(sold)
    // Ids that stand in two files.
    expect(reading.rejected.map(({ id }) => id).toSorted()).toEqual([
      ...['open-mistral-7b', 'voxtral-mini-2507', 'voxtral-mini-latest'],
    ])
    const twice = new Set(reading.rejected.map(({ id }) => id))
    let compared = 0
    for (const { text } of readTar(archive.bytes)) {
      const names = /apiNames: \[([^\]]*)\]/.exec(text)?.[1]?.match(/[\w.-]+/g) ?? []
      const prices = text.matchAll(/price: ([\d.]+),\s*denominator: '([^']+)'/g)
      const stated = [...prices].map(([, price, unit]) =>
        scaled(price, unit!.startsWith('/1000') ? 0.001 : 1),
      )
      const isFree = /^ {4}free: true/m.test(text)
      for (const name of names.filter((one) => !twice.has(one))) {
        const record = reading.records.find(({ source_key }) => source_key === name)!
        expect([name, amountsOf([record])]).toEqual([
          name,
          new Set(stated.filter((amount) => isFree || amount !== '0')),
        ])
        const end = /retirementDate: '(\d{4}-\d\d-\d\d)'/.exec(text)?.[1]
        if (end !== undefined) expect([name, record.retires_on]).toEqual([name, end])
        compared += 1
      }
    }
    expect(compared).toBe(ids - twice.size)
    const nemo = reading.records.find(({ source_key }) => source_key === 'devstral-2512')
    if (day === '2026-07-15')
      expect(nemo).toMatchObject({ retires_on: '2026-07-31', replaced_by: 'mistral-medium-3-5' })
  })

  test("the endpoints of 2025 have no tiers, and Vercel's example is as its page explains it", async () => {
    const path = 'openrouter/2025-05-23-endpoints.google-gemini-2.5-pro-preview.json'
    const reading = await readList(sources['openrouter-endpoints'], path)
    expect(reading.records).toMatchObject([{ input_per_mtok: null, rates: [], is_witness: true }])
    const page = priceFile('official/vercel/2026-02-19-docs-models-and-providers.md')
    const [, example = ''] = /```json\n(\{\n {2}"object": "list"[\s\S]*?)```/.exec(page) ?? []
    const { records } = sources.vercel.read({ text: example, now })
    expect(records).toMatchObject([
      { resource_id: 'vercel:google/gemini-3-pro', input_per_mtok: '2', output_per_mtok: '12' },
    ])
    const above = records[0]?.rates.filter(({ threshold }) => threshold === 200_000)
    expect(above?.map(({ meter, amount }) => [meter, amount])).toEqual([
      ['cache_write_tokens', '4'],
      ['cached_input_tokens', '0.4'],
      ['input_tokens', '4'],
      ['output_tokens', '18'],
    ])
  })
})
