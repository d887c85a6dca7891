import { describe, expect, test } from 'vitest'
import { newestDay } from './data-day.ts'
import { sources, type Source, type SourceName } from '../index.ts'

const now = new Date('2026-08-21T12:00:00Z')

async function unknownIn(source: SourceName, file: unknown) {
  const { read }: Source = sources[source]
  return (await read({ text: JSON.stringify(file), now })).unknown_fields
}

const litellm = (more: object) => ({
  a: { litellm_provider: 'openai', mode: 'chat', input_cost_per_token: 1e-6, ...more },
})
const genaiPrices = (more: object) => [
  { id: 'openai', models: [{ id: 'm', prices: { input_mtok: 1 }, ...more }] },
]
const modelsDev = (more: object) => ({ openai: { models: { m: { cost: { input: 1, ...more } } } } })
const openrouter = (more: object) => ({ data: [{ id: 'a/b', pricing: { prompt: '0.1', ...more } }] })
const llmPrices = (more: object) => ({
  prices: [{ id: 'm', vendor: 'openai', input: 1, output: 2, ...more }],
})
const portkey = (more: object) => ({
  openai: { m: { pricing_config: { pay_as_you_go: { request_token: { price: 1e-4 }, ...more } } } },
})

describe('a field with a price that its importer does not know', () => {
  test.each<[SourceName, unknown, string, string, string]>([
    ['litellm', litellm({ input_price: 2e-6 }), 'input_price', 'a', '0.000002'],
    ['litellm', litellm({ inputPricePerToken: '2e-6' }), 'inputPricePerToken', 'a', '2e-6'],
    ['litellm', litellm({ input_cost_per_galaxy: 3 }), 'input_cost_per_galaxy', 'a', '3'],
    ['litellm', litellm({ tiered_pricing: [{ fee: 1 }] }), 'tiered_pricing[].fee', 'a', '1'],
    ['litellm', litellm({ hourly_rate: 4 }), 'hourly_rate', 'a', '4'],
    [
      'genai-prices',
      genaiPrices({ price_variants: [{ when: { moon: 'full' }, prices: { input_mtok: 2 } }] }),
      'price_variants',
      'openai:m',
      'full',
    ],
    ['genai-prices', genaiPrices({ price_context: { tier: 'batch' } }), 'price_context', 'openai:m', 'batch'],
    [
      'genai-prices',
      genaiPrices({ prices: [{ prices: { input_mtok: 1 }, constraint: { service_tier: 'batch' } }] }),
      'prices[].constraint.service_tier',
      'openai:m',
      'batch',
    ],
    [
      'genai-prices',
      genaiPrices({ prices: { input_mtok: 1, output_smells: 3 } }),
      'prices.output_smells',
      'openai:m',
      '3',
    ],
    ['models.dev', modelsDev({ thought: 3 }), 'cost.thought', 'openai/m', '3'],
    ['openrouter', openrouter({ thought: '0.3' }), 'pricing.thought', 'a/b', '0.3'],
    ['llm-prices', llmPrices({ input_audio: 3 }), 'input_audio', 'openai/m', '3'],
    [
      'portkey',
      portkey({ thought: { price: 3 } }),
      'pricing_config.pay_as_you_go.thought.price',
      'openai/m',
      '3',
    ],
  ])('%s: %j', async (source, file, field, id, value) => {
    expect(await unknownIn(source, file)).toEqual([{ field, rows: 1, example: { id, value } }])
  })

  test.each<[SourceName, unknown]>([
    ['litellm', litellm({ tpm: 5, input_price: 0, max_images_per_prompt: 3 })],
    ['litellm', litellm({ output_cost_per_image_above_512_and_512_pixels: 0.01 })],
    ['genai-prices', genaiPrices({ context_window: 5, price_comments: '5 USD' })],
    ['models.dev', modelsDev({ output: 5, cached_input: 1 })],
    ['openrouter', openrouter({ completion: '1', discount: 0.5 })],
    ['llm-prices', llmPrices({ from_date: '2026-01-01', name: '4' })],
    ['portkey', portkey({ response_token: { price: 1 }, additional_units: { web_search: { price: 1 } } })],
  ])('is not what holds no price, or is known: %s, %j', async (source, file) => {
    expect(await unknownIn(source, file)).toEqual([])
  })

  test('is told once, with the number of rows, however many rows and names there are', async () => {
    const row = {
      litellm_provider: 'openai',
      mode: 'chat',
      input_price: 1,
      tiered_pricing: [{ fee: 1 }, { fee: 2 }],
    }
    expect(await unknownIn('litellm', { a: row, b: row, c: row })).toEqual([
      { field: 'input_price', rows: 3, example: { id: 'a', value: '1' } },
      { field: 'tiered_pricing[].fee', rows: 3, example: { id: 'a', value: '1' } },
    ])
    const names = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`price_${index}`, 1]))
    expect(await unknownIn('litellm', litellm(names))).toHaveLength(100)
  })
})

test('the newest day is none to come, and none that is no day', () => {
  expect(newestDay(['2026-08-20', '2026-08-22', null, 'soon', '2026-01-01T00:00:00Z'], now)).toBe(
    '2026-08-20',
  )
  expect(newestDay([undefined, '2026-02-30'], now)).toBeNull()
})
