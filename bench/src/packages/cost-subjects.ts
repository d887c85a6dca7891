import { calcPrice } from '@pydantic/genai-prices'
import { Catalog, costOf, resolve, type CatalogRecord, type Snapshot } from '@ratecard/cost'
import { shippedCatalog } from '@ratecard/cost/catalog'
import { PricingCatalog } from 'llm-pricing'
import type { Subject } from './timing.ts'

// One call to a model, priced by each; the same tokens, of a model that all know, by their own lists of prices.

export const ours = '@ratecard/cost'
export const genaiPrices = '@pydantic/genai-prices'
export const llmPricing = 'llm-pricing'
export const bareParse = 'JSON.parse alone'

const model = 'gpt-4o'
const [input, cached, output] = [500, 1_000, 321]

/** What a call costs. Each knows the model: a look-up that finds nothing would be fast for no work. */
export function costSubjects(): Subject[] {
  const catalog = shippedCatalog()
  const usage = {
    counts: { input_tokens: input, cached_input_tokens: cached, output_tokens: output },
    model,
    platform: 'openai',
  }
  const options = { catalog }
  const ofGenai = { input_tokens: input + cached, cache_read_tokens: cached, output_tokens: output }
  const genaiOptions = { providerId: 'openai' }
  const offline = new PricingCatalog({ sources: [] })
  const ofLlmPricing = {
    model,
    inputTokens: input,
    cachedInputTokens: 0,
    cacheReadInputTokens: cached,
    outputTokens: output,
  }
  return checked([
    { name: ours, work: () => costOf(usage, options).total },
    { name: genaiPrices, work: () => calcPrice(ofGenai, model, genaiOptions)?.total_price },
    { name: llmPricing, work: () => offline.estimate(ofLlmPricing)?.cost },
  ])
}

/** Which price a name means. */
export function resolveSubjects(): Subject[] {
  const options = { catalog: shippedCatalog(), platform: 'openai' }
  const offline = new PricingCatalog({ sources: [] })
  return checked([
    { name: ours, work: () => resolve(model, options).isResolved },
    { name: llmPricing, work: () => offline.getPrice(model) },
  ])
}

/** A list of prices, from its text to the first cost. */
export function loadSubjects(records: number): Subject[] {
  const text = textOf(records)
  const counts = { input_tokens: input, output_tokens: output }
  return checked([
    { name: ours, work: () => new Catalog(text).size },
    {
      name: `${ours}, to the first cost`,
      work: () => costOf({ counts }, { catalog: new Catalog(text), model, platform: 'openai' }).total,
    },
    { name: bareParse, work: () => JSON.parse(text) as unknown },
  ])
}

/** So many records: those of the shipped list, and again under other platforms. */
function textOf(count: number): string {
  const shipped = shippedCatalog().records()
  const resources = Array.from({ length: count }, (_, at): CatalogRecord => {
    const record = shipped[at % shipped.length]!
    const round = Math.floor(at / shipped.length)
    const own = {
      resource_id: `${round}-${record.resource_id}`,
      platform: `${round}-${record.platform ?? ''}`,
    }
    return round === 0 ? record : { ...record, ...own }
  })
  const snapshot: Snapshot = {
    ...{ format: 'ratecard-snapshot', format_version: 1, generated_at: '2026-01-01T00:00:00Z' },
    ...{ as_of: null, catalog_version: '1', resource_count: count, resources },
  }
  return JSON.stringify(snapshot)
}

function checked(subjects: Subject[]): Subject[] {
  for (const { name, work } of subjects) if (!work()) throw new Error(`${name} finds no price.`)
  return subjects
}
