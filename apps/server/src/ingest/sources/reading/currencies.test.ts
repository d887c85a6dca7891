import { describe, expect, test } from 'vitest'
import { priceDataDir, priceInput, skipTitle } from '../../../../test/support/price-files.ts'
import { readSource } from '../../run/read-source.ts'
import type { SourceReading } from '../../source-record.ts'
import type { SourceName } from '../index.ts'

const now = new Date('2026-08-21T12:00:00Z')

function priced({ records, mended }: SourceReading, id: string): unknown {
  const record = records.find(({ resource_id }) => resource_id === id)
  const reason = mended.find((row) => row.id === record?.source_key)?.reason.split(':')[0]
  return [record?.input_per_mtok, record?.output_per_mtok, record?.currency, reason]
}

const models = { m: { cost: { input: 1.8, output: 5.5 } } }
const modelsDev = { scaleway: { models }, moark: { models }, cortecs: { models }, groq: { models } }

test('amounts that a list copies in a wrong currency are in that of their platform, as they are stated', async () => {
  const reading = await readSource('models.dev', { text: JSON.stringify(modelsDev), now })
  expect(priced(reading, 'scaleway:m')).toEqual(['1.8', '5.5', 'EUR', 'is in EUR'])
  expect(priced(reading, 'moark:m')).toEqual(['1.8', '5.5', 'CNY', 'is in CNY'])
  expect(priced(reading, 'cortecs:m')).toEqual(['1.8', '5.5', null, 'is in EUR or USD'])
  expect(priced(reading, 'groq:m')).toEqual(['1.8', '5.5', 'USD', undefined])
})

test('what another list or the operator states stays as it is stated', async () => {
  const own = { resource_id: 'scaleway:m', input_per_mtok: 2, currency: 'USD' }
  const reading = await readSource('own-json', { text: JSON.stringify([own]), now })
  expect(priced(reading, 'scaleway:m')).toEqual(['2', null, 'USD', undefined])
})

describe.skipIf(priceDataDir === undefined)(skipTitle('the files as published'), () => {
  test.each<[SourceName, string, object]>([
    ['models.dev', 'models.dev/api_equivalent_2026-06-15.json.gz', { EUR: 16, CNY: 2, null: 51 }],
    ['models.dev', 'models.dev/api_equivalent_2026-07-02.json', { EUR: 17, CNY: 2, null: 56 }],
    ['litellm', 'litellm/model_prices_2026-07-05.json', { EUR: 17 }],
    ['litellm', 'litellm/model_prices_2026-08-01.json', { EUR: 17 }],
  ])('%s, %s: rows in another currency', async (source, path, expected) => {
    const reading = await readSource(source, { ...priceInput(path), now })
    const others = reading.records.filter(({ currency }) => currency !== 'USD')
    const counts = Map.groupBy(others, ({ currency }) => String(currency))
    expect(Object.fromEntries([...counts].map(([currency, rows]) => [currency, rows.length]))).toEqual(
      expected,
    )
    expect(reading.mended.filter(({ reason }) => /^is in (?:EUR|CNY)/.test(reason))).toHaveLength(
      others.length,
    )
  })
})
