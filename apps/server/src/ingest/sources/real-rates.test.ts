import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { readDecimal, type Scale } from '../../catalog/decimal.ts'
import { amountColumns } from '../../catalog/price-record.ts'
import type { SourceReading } from '../source-record.ts'
import { sources } from './index.ts'
import { readPortkeyFile } from './lists/portkey.ts'

/** Over files as published: whatever a served row states as a price is in a column or in its rate card. */
const folder = process.env.PRICE_DATA_DIR
const now = new Date('2026-08-21T12:00:00Z')
const bytesOf = (path: string) => readFileSync(join(folder ?? '', path))
const textOf = (path: string) => bytesOf(path).toString('utf8')

type Json = string | number | boolean | null | Json[] | { [key: string]: Json }
interface Stated {
  field: string
  value: string | number
}

/** Every number below a value that is more than 0, with the path to it. */
function numbersOf(json: Json | undefined, field = ''): Stated[] {
  if (typeof json === 'object' && json !== null) {
    return Object.entries(json).flatMap(([key, inner]) => numbersOf(inner, `${field}.${key}`))
  }
  const isPrice = (typeof json === 'number' || typeof json === 'string') && Number(json) > 0
  return isPrice ? [{ field, value: json }] : []
}

function accountOf(
  { records }: SourceReading,
  statedIn: (key: string) => Stated[],
  scales: readonly Scale[],
): { stated: number; lost: string[] } {
  let stated = 0
  const lost = records.flatMap((record) => {
    const kept = new Set([
      ...amountColumns.map((column) => record[column]),
      ...record.rates.map(({ amount }) => amount),
    ])
    const prices = statedIn(record.source_key)
    stated += prices.length
    return prices
      .filter(({ value }) =>
        scales.every((scale) => {
          const reading = readDecimal(value, scale)
          return !('amount' in reading) || !kept.has(reading.amount)
        }),
      )
      .map(({ field, value }) => `${record.source_key}${field} ${value}`)
  })
  return { stated, lost }
}

const title = folder === undefined ? 'rates (skipped: PRICE_DATA_DIR is not set)' : 'rates'
describe.skipIf(folder === undefined)(title, () => {
  test('models.dev: no price of a served row is lost', () => {
    const text = textOf('models.dev/api_equivalent_2026-07-02.json')
    const file = JSON.parse(text) as Record<string, { models: Record<string, Record<string, Json>> }>
    const statedIn = (key: string) => {
      const slash = key.indexOf('/')
      const model = file[key.slice(0, slash)]?.models[key.slice(slash + 1)]
      const { modes = {} } = (model?.experimental ?? {}) as { modes?: Record<string, { cost?: Json }> }
      const costs = [model?.cost, ...Object.values(modes).map(({ cost }) => cost)]
      return costs.flatMap((cost) => numbersOf(cost)).filter(({ field }) => !field.endsWith('.tier.size'))
    }
    const reading = sources['models.dev'].read({ text, now })
    expect(accountOf(reading, statedIn, [{}, { over: 1_000 }])).toEqual({ stated: 12110, lost: [] })
    expect(reading.records.flatMap(({ rates }) => rates).length).toBeGreaterThan(1_200)
  })

  test('OpenRouter: no price is lost', () => {
    const text = textOf('openrouter/models_2026-08-01.json')
    const { data } = JSON.parse(text) as { data: { id: string; pricing: Json }[] }
    const statedIn = (key: string) =>
      numbersOf(data.find(({ id }) => id === key)?.pricing).filter(
        ({ field }) => !field.endsWith('.min_prompt_tokens'),
      )
    const reading = sources.openrouter.read({ text, now })
    expect(accountOf(reading, statedIn, [{ times: 1_000_000 }, {}])).toEqual({ stated: 1244, lost: [] })
    expect(reading.records.filter(({ retires_on }) => retires_on !== null)).toHaveLength(3)
  })

  test('Portkey: no price of a served row is lost', () => {
    const bytes = gunzipSync(bytesOf('portkey/pricing_2026-08-21.tar.gz'))
    const file = readPortkeyFile({ bytes }) as Record<string, Record<string, Record<string, Json>>>
    const statedIn = (key: string) => {
      const slash = key.indexOf('/')
      const { pricing_config, custom_pricing } = file[key.slice(0, slash)]?.[key.slice(slash + 1)] ?? {}
      return [...numbersOf(pricing_config), ...numbersOf(custom_pricing)].filter(
        ({ field }) =>
          field.endsWith('.price') && !/\.default_(?:steps|duration_seconds|sample_count)\./.test(field),
      )
    }
    const reading = sources.portkey.read({ bytes, now })
    expect(accountOf(reading, statedIn, [{ times: 10_000 }, { over: 100 }])).toEqual({
      stated: 15250,
      lost: [],
    })
    expect(reading.records.flatMap(({ rates }) => rates).length).toBeGreaterThan(10_000)
  })
})
