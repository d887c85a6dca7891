import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { asStated, perSecondToPerMinute, perOneToPerMillion, readDecimal } from '../../catalog/decimal.ts'
import { amountColumns } from '../../catalog/price-record.ts'
import { rateKey } from '../../catalog/rate-card.ts'
import type { SourceReading, SourceRecord } from '../source-record.ts'
import { sources, type Source } from './index.ts'
import { startCpuClock } from '../../../test/support/cpu.ts'

/** Files as published, which we may not distribute. The counts are of these files: a lost row fails the test. */
const folder = process.env.PRICE_DATA_DIR
const now = new Date('2026-08-21T12:00:00Z')

const files = [
  { source: sources.litellm, path: 'litellm/model_prices_2025-02-06.json', records: 737, rejected: 39 },
  { source: sources.litellm, path: 'litellm/model_prices_2025-07-05.json', records: 1100, rejected: 41 },
  { source: sources.litellm, path: 'litellm/model_prices_2026-07-05.json', records: 2827, rejected: 105 },
  { source: sources.litellm, path: 'litellm/model_prices_2026-08-01.json', records: 2879, rejected: 107 },
  {
    source: sources['genai-prices'],
    path: 'genai-prices/data_v2_2026-08-21.json',
    records: 1341,
    rejected: 126,
  },
  {
    source: sources['llm-prices'],
    path: 'llm-prices/historical-v1_equivalent_2026-08-05.json',
    records: 116,
    rejected: 31,
  },
]

const title =
  folder === undefined ? 'files as published (skipped: PRICE_DATA_DIR is not set)' : 'files as published'
describe.skipIf(folder === undefined)(title, () => {
  const textOf = (path: string) => {
    const bytes = readFileSync(join(folder ?? '', path))
    return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
  }
  const contentOf = (path: string) =>
    path.endsWith('.tar.gz')
      ? { bytes: gunzipSync(readFileSync(join(folder ?? '', path))) }
      : { text: textOf(path) }

  test.each(files)(
    '$path: $records served, $rejected refused, none lost',
    async ({ source, path, records, rejected }) => {
      const cpuMs = startCpuClock()
      const reading = await source.read({ ...contentOf(path), now })
      expect(cpuMs()).toBeLessThan(10_000)
      expect(reading.records).toHaveLength(records)
      expect(reading.rejected).toHaveLength(rejected)
      expectSound(reading)
    },
  )

  test('litellm: each key of the file is served or refused, and refused for one of four reasons', () => {
    const text = textOf('litellm/model_prices_2026-08-01.json')
    const { records, rejected } = sources.litellm.read({ text, now })
    expect(records.length + rejected.length).toBe(Object.keys(JSON.parse(text) as object).length)

    const counts = {
      'not a model': 2,
      'rented throughput': 28,
      'names no model': 1,
      'names the same resource': 76,
    }
    for (const [reason, count] of Object.entries(counts)) {
      expect(rejected.filter((row) => row.reason.includes(reason))).toHaveLength(count)
    }
  })

  test('litellm: known prices come out as their makers state them', () => {
    const byId = litellmById()
    expect(byId.get('openai:gpt-4o')).toMatchObject({
      input_per_mtok: '2.5',
      output_per_mtok: '10',
      model_name: 'gpt-4o',
    })
    expect(byId.get('openai:whisper-1')).toMatchObject({ audio_per_min: '0.006' })
    expect(byId.get('openai:sora-2')).toMatchObject({ video_per_sec: '0.1' })
    expect(byId.get('azure:eu:gpt-4o-2024-08-06')).toMatchObject({
      region: 'eu',
      vendor: 'openai',
    })
    expect(byId.get('cohere:rerank-v3.5')).toMatchObject({ input_per_mtok: null, unit: 'query' })
  })

  test('litellm: no rented throughput and no price of another unit is served as free', () => {
    const records = [...litellmById().values()]
    const zeros = records.filter(
      ({ input_per_mtok, output_per_mtok }) => input_per_mtok === '0' && output_per_mtok === '0',
    )
    expect(zeros.filter(({ unit }) => unit !== '1m_tokens')).toEqual([])
    expect(records.filter(({ resource_id }) => resource_id.includes('commitment'))).toEqual([])
  })

  test('litellm: each price above 0 of a served row is in a column or in the rate card', () => {
    const text = textOf('litellm/model_prices_2026-08-01.json')
    const file = JSON.parse(text) as Record<string, Record<string, unknown>>
    const lost: string[] = []
    let stated = 0
    for (const record of sources.litellm.read({ text, now }).records) {
      const row = file[record.source_key] ?? {}
      const known = new Set([
        ...amountColumns.flatMap((column) => record[column] ?? []),
        ...record.rates.map(({ amount }) => amount),
      ])
      for (const [field, value] of pricesIn(row)) {
        stated += 1
        // By million, by minute, by itself: one of them is how it is kept.
        const readings = [perOneToPerMillion, perSecondToPerMinute, asStated].map((scale) =>
          readDecimal(value, scale),
        )
        if (
          !readings.some(
            (reading) => 'amount' in reading && reading.amount !== null && known.has(reading.amount),
          )
        )
          lost.push(`${record.source_key} ${field} ${value}`)
      }
    }
    expect(lost).toEqual([])
    expect(stated).toBe(7832)
  })

  test('litellm: the rate card of a row with every kind of ending', () => {
    const rates = litellmById().get('openai:gpt-5.6')?.rates ?? []
    const flex = rates.filter(
      ({ service_tier, threshold }) => service_tier === 'flex' && threshold === 272_000,
    )
    expect(flex.map(({ meter, amount }) => [meter, amount])).toEqual([
      ['cache_write_tokens', '6.25'],
      ['cached_input_tokens', '0.5'],
      ['input_tokens', '5'],
      ['output_tokens', '22.5'],
    ])
    expect(rates.find(({ meter, variant }) => meter === 'price_multiplier' && variant === 'eu')?.amount).toBe(
      '1.1',
    )
  })

  test('litellm: 91 days of retirement', () => {
    const days = [...litellmById().values()].flatMap(({ retires_on }) => retires_on ?? [])
    expect(days).toHaveLength(91)
    for (const day of days) expect(day).toMatch(/^20\d\d-\d\d-\d\d$/)
  })

  test('genai-prices: prices to come, hours of the day, and tiers', async () => {
    const text = textOf('genai-prices/data_v2_2026-08-21.json')
    const { records } = await sources['genai-prices'].read({ text, now })
    const byId = new Map(records.map((record) => [record.resource_id, record]))
    expect(
      records.flatMap(({ scheduled }) => scheduled.map(({ starts_on }) => starts_on)).toSorted(),
    ).toEqual([...Array<string>(4).fill('2026-09-01'), ...Array<string>(2).fill('2027-01-01')])
    expect(byId.get('anthropic:claude-sonnet-5')?.scheduled).toMatchObject([
      { amounts: { input_per_mtok: '3', output_per_mtok: '15', cached_input_per_mtok: '0.3' } },
    ])
    const night = [
      { meter: 'cached_input_tokens', hours: '16:30-00:30', amount: '0.035' },
      { meter: 'input_tokens', hours: '16:30-00:30', amount: '0.135' },
      { meter: 'output_tokens', hours: '16:30-00:30', amount: '0.55' },
    ]
    expect(byId.get('deepseek:deepseek-chat')).toMatchObject({
      ...{ input_per_mtok: '0.27', output_per_mtok: '1.1', cached_input_per_mtok: '0.07', rates: night },
    })
    expect(byId.get('deepseek:deepseek-reasoner')).toMatchObject({
      ...{ input_per_mtok: '0.55', output_per_mtok: '2.19', cached_input_per_mtok: '0.14', rates: night },
    })
    expect(byId.get('openai:gpt-5.6-luna')).toMatchObject({
      input_per_mtok: '0.2',
      effective_at: '2026-07-30',
    })
    const tiers = byId.get('openai:gpt-5.6-luna')?.rates.filter(({ threshold }) => threshold === 272_000)
    expect(tiers?.map(({ amount }) => amount)).toEqual(['0.5', '0.04', '0.4', '1.8'])
  })

  const published = [
    ['litellm', 'litellm/model_prices_2025-02-06.json', null],
    ['litellm', 'litellm/model_prices_2026-08-01.json', null],
    ['litellm', 'litellm/events/removal-flap.1-before.2026-03-11T14.json.gz', null],
    ['genai-prices', 'genai-prices/data_v2_2026-08-21.json', '2026-07-30'],
    ['llm-prices', 'llm-prices/historical-v1_equivalent_2026-08-05.json', '2026-07-30'],
    ['models.dev', 'models.dev/api_equivalent_2026-07-02.json', '2026-06-30'],
    ['openrouter', 'openrouter/models_2026-08-01.json', '2026-07-31'],
    ['portkey', 'portkey/pricing_2026-08-21.tar.gz', '2026-08-21'],
  ] as const
  test.each(published)(
    '%s, %s: no field with a price is unknown, and the data is of %s',
    async (name, path, day) => {
      const source: Source = sources[name]
      const reading = await source.read({ ...contentOf(path), now })
      expect(reading.unknown_fields).toEqual([])
      expect(reading.data_at).toBe(day)
    },
  )

  test('llm-prices: each period is a record, scheduled or refused', () => {
    const text = textOf('llm-prices/historical-v1_equivalent_2026-08-05.json')
    const { records, rejected } = sources['llm-prices'].read({ text, now })
    const scheduled = records.flatMap((record) => record.scheduled)
    expect([records.length, scheduled.length, rejected.length]).toEqual([116, 1, 31])
    expect(records.length + scheduled.length + rejected.length).toBe(
      (JSON.parse(text) as { prices: unknown[] }).prices.length,
    )
    const counts = { 'kept in its rate card': 25, 'ended on': 5, 'names the same resource': 1 }
    for (const [reason, count] of Object.entries(counts)) {
      expect(rejected.filter((row) => row.reason.includes(reason))).toHaveLength(count)
    }
    expect(records.filter(({ rates }) => rates.length > 0)).toHaveLength(25)
  })

  function litellmById(): Map<string, SourceRecord> {
    const { records } = sources.litellm.read({
      text: textOf('litellm/model_prices_2026-08-01.json'),
      now,
    })
    return new Map(records.map((record) => [record.resource_id, record]))
  }
})

/** Every number above 0 in a field of a row, or of one of its tiers, whose name says that it is a price. */
function pricesIn(row: Record<string, unknown>): [field: string, value: number][] {
  return Object.entries(row).flatMap(([field, value]): [string, number][] => {
    if (field === 'tiered_pricing') return (value as Record<string, unknown>[]).flatMap(pricesIn)
    if (!field.includes('cost')) return []
    const values = typeof value === 'object' && value !== null ? Object.values(value) : [value]
    return values
      .filter((value) => typeof value === 'number' && value > 0)
      .map((value) => [field, value as number])
  })
}

function expectSound({ records, rejected }: SourceReading): void {
  expect(new Set(records.map(({ resource_id }) => resource_id)).size).toBe(records.length)
  const amount = /^(?:0|[1-9]\d{0,8})(?:\.\d{0,8}[1-9])?$/
  for (const record of records) {
    expect(record.vendor && record.platform).toBeTruthy()
    for (const [field, value] of Object.entries(record)) {
      if (/_per_/.test(field) && value !== null) expect(value).toMatch(amount)
    }
    for (const rate of record.rates) expect(rate.amount).toMatch(amount)
    expect(new Set(record.rates.map(rateKey)).size).toBe(record.rates.length)
  }
  for (const { reason } of rejected) expect(reason).not.toBe('')
}
