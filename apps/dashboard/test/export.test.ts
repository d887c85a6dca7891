import { expect, test } from 'vitest'
import { filterCsv, filterJson } from '../src/pages/prices/export.ts'
import type { Columns } from '../src/pages/prices/price-index.ts'

const columns = {
  resource_id: ['openai:gpt-4o', '=cmd|x!A1:a"b', 'acme:tiny'],
  product_id: ['openai/gpt-4o', null, null],
  vendor: ['openai', '@sum', 'acme'],
  platform: ['openai', 'a,b', null],
  modality: ['llm', 'llm', null],
  region: [null, null, null],
  unit: ['1m_tokens', null, null],
  input_per_mtok: [2.5, null, 0.000000001],
  output_per_mtok: [10, 0, 0.00000015],
  cached_input_per_mtok: [1.25, null, null],
  image_per_unit: [null, null, null],
  audio_per_min: [null, null, null],
  video_per_sec: [null, null, null],
  currency: ['USD', 'USD', 'USD'],
  source_url: [null, null, null],
  effective_at: ['2026-01-01', '2026-01-01', '2026-01-01'],
  updated_at: ['2026-01-01T00:00:00.000000Z', '2026-01-01T00:00:00.000000Z', '2026-01-01T00:00:00.000000Z'],
  versions: [1, 2, 3],
  rates: [0, 0, 0],
  input_mark: [null, null, null],
  output_mark: [null, null, null],
  starts_on: [null, null, null],
  standing: [null, null, null],
} satisfies Columns
const shown = Uint32Array.of(1, 0)

test('the CSV has the shown records in their order, no formula, and unknown is empty', () => {
  const [head, hostile, first, ...rest] = filterCsv(columns, shown).split('\r\n')
  expect(head).toMatch(/^resource_id,product_id,vendor,.*,input_per_mtok,.*,updated_at$/)
  expect(hostile).toMatch(/^"'=cmd\|x!A1:a""b",,'@sum,"a,b",llm,,,,0,,/)
  expect(first).toMatch(/^openai:gpt-4o,openai\/gpt-4o,openai,openai,llm,,1m_tokens,2\.5,10,1\.25,,,,USD,/)
  expect(rest).toEqual([''])
})

test('amounts keep all their digits', () => {
  expect(filterCsv(columns, Uint32Array.of(2))).toContain(',0.000000001,0.00000015,')
})

test('the JSON has what the API says of them', () => {
  const records = JSON.parse(filterJson(columns, shown)) as object[]
  expect(records).toMatchObject([
    { resource_id: '=cmd|x!A1:a"b', input_per_mtok: null, output_per_mtok: 0 },
    { resource_id: 'openai:gpt-4o', input_per_mtok: 2.5 },
  ])
  expect(records[0]).not.toHaveProperty('versions')
  expect(records[0]).not.toHaveProperty('standing')
  expect(JSON.parse(filterJson(columns, Uint32Array.of()))).toEqual([])
})
