import { Ratecard } from '@ratecard/sdk'

// The cheapest language models of a vendor: node list-prices.ts [vendor]

const vendor = process.argv[2] ?? 'openai'
const client = new Ratecard()

const prices = await client.prices.list({ vendor, modality: 'llm' }).toArray({ limit: 1_000 })
const cheapest = prices
  .filter((price) => price.input_per_mtok !== null)
  .sort((a, b) => Number(a.input_per_mtok) - Number(b.input_per_mtok))
  .slice(0, 10)

console.table(
  cheapest.map((price) => ({
    model: price.resource_id,
    'input per 1M tokens': price.input_per_mtok,
    'output per 1M tokens': price.output_per_mtok,
    currency: price.currency,
  })),
)
