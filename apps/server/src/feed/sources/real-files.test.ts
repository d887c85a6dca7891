import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { PriceRecord } from '../../features/prices/price-record.ts'
import type { SourceReading } from '../source-record.ts'
import { sources } from './index.ts'

/** Files as published, which are not ours to ship. Counts are of these files, so that a lost row is noticed. */
const folder = process.env.PRICE_DATA_DIR
const now = new Date('2026-08-21T12:00:00Z')

const files = [
  { source: sources.litellm, path: 'litellm/model_prices_2025-02-06.json', records: 737, rejected: 39 },
  { source: sources.litellm, path: 'litellm/model_prices_2025-07-05.json', records: 1100, rejected: 41 },
  { source: sources.litellm, path: 'litellm/model_prices_2026-07-05.json', records: 2851, rejected: 81 },
  { source: sources.litellm, path: 'litellm/model_prices_2026-08-01.json', records: 2903, rejected: 83 },
  {
    source: sources['genai-prices'],
    path: 'genai-prices/data_v2_2026-08-21.json',
    records: 1466,
    rejected: 0,
  },
]

const title =
  folder === undefined ? 'files as published (skipped: PRICE_DATA_DIR is not set)' : 'files as published'
describe.skipIf(folder === undefined)(title, () => {
  const textOf = (path: string) => readFileSync(join(folder ?? '', path), 'utf8')

  test.each(files)(
    '$path: $records served, $rejected refused, none lost',
    async ({ source, path, records, rejected }) => {
      const started = performance.now()
      const reading = await source.read({ text: textOf(path), now })
      expect(performance.now() - started).toBeLessThan(2000)
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
      'names the same resource': 52,
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
      product_id: 'openai/gpt-4o',
    })
    expect(byId.get('openai:whisper-1')).toMatchObject({ audio_per_min: '0.006' })
    expect(byId.get('openai:sora-2')).toMatchObject({ video_per_sec: '0.1' })
    expect(byId.get('azure:eu:gpt-4o-2024-08-06')).toMatchObject({
      region: 'eu',
      product_id: 'openai/gpt-4o',
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

  function litellmById(): Map<string, PriceRecord> {
    const { records } = sources.litellm.read({
      text: textOf('litellm/model_prices_2026-08-01.json'),
      now,
    })
    return new Map(records.map((record) => [record.resource_id, record]))
  }
})

function expectSound({ records, rejected }: SourceReading): void {
  expect(new Set(records.map(({ resource_id }) => resource_id)).size).toBe(records.length)
  const amount = /^(?:0|[1-9]\d{0,8})(?:\.\d{0,8}[1-9])?$/
  for (const record of records) {
    expect(record.vendor && record.platform).toBeTruthy()
    for (const [field, value] of Object.entries(record)) {
      if (/_per_/.test(field) && value !== null) expect(value).toMatch(amount)
    }
  }
  for (const { reason } of rejected) expect(reason).not.toBe('')
}
