import { calcPrice } from '@pydantic/genai-prices'
import { Catalog, costOf, resolve, type CatalogRecord, type Snapshot } from '@ratecard/cost'
import { shippedCatalog } from '@ratecard/cost/catalog'
import { PricingCatalog } from 'llm-pricing'
import { figureOf, type Aim } from './frame/figures.ts'
import { openComparison, timeRatio, type Subjects } from './packages/timing.ts'

// How fast @ratecard/cost prices a call, finds a model and loads a list of prices, beside others that price calls: the same
// tokens, of a model that all know, by their own lists of prices.

const ours = '@ratecard/cost'
const toFirstCost = `${ours}, to the first cost`
const genaiPrices = '@pydantic/genai-prices'
const llmPricing = 'llm-pricing'
const bareParse = 'JSON.parse alone'

const [model, platform] = ['gpt-4o', 'openai']
const [input, cached, output] = [500, 1_000, 321]
const records = 10_000
const catalog = shippedCatalog()
const offline = new PricingCatalog({ sources: [] })

const about = 'Measures the time of @ratecard/cost: a minute.'
const comparison = openComparison('cost', about, { slicesPerRound: 51, sliceMs: 3, warmUpMs: 1_000 })
await priceCalls()
await resolveNames()
await loadLists()
await comparison.report([genaiPrices, llmPricing])

/** What a call costs. */
async function priceCalls(): Promise<void> {
  const counts = { input_tokens: input, cached_input_tokens: cached, output_tokens: output }
  const usage = { counts, model, platform }
  const options = { catalog }
  const ofGenai = { input_tokens: input + cached, cache_read_tokens: cached, output_tokens: output }
  const genaiOptions = { providerId: platform }
  const ofLlmPricing = {
    ...{ model, inputTokens: input, cachedInputTokens: 0 },
    ...{ cacheReadInputTokens: cached, outputTokens: output },
  }
  const subjects = {
    [ours]: () => costOf(usage, options).total,
    [genaiPrices]: () => calcPrice(ofGenai, model, genaiOptions)?.total_price,
    [llmPricing]: () => offline.estimate(ofLlmPricing)?.cost,
  }
  await compare('costOf', subjects, { most: 1 })
}

/** Which price a name means. */
async function resolveNames(): Promise<void> {
  const options = { catalog, platform }
  const subjects = {
    [ours]: () => resolve(model, options).isResolved,
    [llmPricing]: () => offline.getPrice(model),
  }
  await compare('resolve', subjects, { most: 1 })
}

async function compare(title: string, subjects: Subjects, aim: Aim): Promise<void> {
  const peers = Object.keys(checked(subjects)).slice(1)
  await comparison.add(title, subjects, (costs) => [
    figureOf(
      `${title}: a call of ${ours}`,
      'µs',
      costs.get(ours)!.map(({ elapsed }) => elapsed),
      aim,
    ),
    ...peers.map((peer) => timeRatio(`${title}: time in that of ${peer}`, costs, [ours, peer])),
  ])
}

/** A list of prices, from its text: into memory, and to the first cost. */
async function loadLists(): Promise<void> {
  const text = textOfList()
  const counts = { input_tokens: input, output_tokens: output }
  const subjects = checked({
    [ours]: () => new Catalog(text).size,
    [toFirstCost]: () => costOf({ counts }, { catalog: new Catalog(text), model, platform }).total,
    [bareParse]: () => JSON.parse(text) as unknown,
  })
  // A load leaves much garbage: fewer and longer slices.
  const effort = { slicesPerRound: 15, sliceMs: 60 }
  const figuresOf: Parameters<typeof comparison.add>[2] = (costs) => {
    const timeOf = (name: string) => costs.get(name)!.map(({ elapsed }) => elapsed)
    return [
      figureOf(`loading: a call of ${ours}`, 'µs', timeOf(ours)),
      figureOf(`loading: a call of ${toFirstCost}`, 'µs', timeOf(toFirstCost), { most: 60_000 }),
      timeRatio(`loading: time in that of ${bareParse}`, costs, [ours, bareParse], { most: 1.5 }),
    ]
  }
  await comparison.add(`loading, ${records} records`, subjects, figuresOf, effort)
}

/** So many records: those of the shipped list, and again under other platforms. */
function textOfList(): string {
  const shipped = catalog.records()
  const resources = Array.from({ length: records }, (_, at): CatalogRecord => {
    const record = shipped[at % shipped.length]!
    const round = Math.floor(at / shipped.length)
    const of = (text: string | null) => (round === 0 ? text : `${round}-${text ?? ''}`)
    return { ...record, resource_id: of(record.resource_id)!, platform: of(record.platform) }
  })
  const snapshot: Snapshot = {
    ...{ format: 'ratecard-snapshot', format_version: 1, generated_at: '2026-01-01T00:00:00Z' },
    ...{ as_of: null, catalog_version: '1', resource_count: records, resources },
  }
  return JSON.stringify(snapshot)
}

/** Each finds a price: a look-up that finds nothing would be fast for no work. */
function checked(subjects: Subjects): Subjects {
  for (const [name, work] of Object.entries(subjects)) if (!work()) throw new Error(`${name} finds no price.`)
  return subjects
}
