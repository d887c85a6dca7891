import { toDay } from '../ingest/days.ts'
import { findSeller } from '../ingest/match/identify.ts'
import { readGenaiPricesRow } from '../ingest/sources/lists/genai-prices.ts'
import type { Rate } from '../catalog/rate-card.ts'
import type { FormInput, Written } from './form.ts'
import { nameByPlatform } from './names.ts'
import { chooseRow, findLost, Overlay } from './overlay.ts'
import { buildCard, isPriced, type ExportResource } from './resource.ts'

/** Its fields by our meters, and how many of our units one of theirs is. */
const fields: Readonly<Record<string, readonly [field: string, unit: string, times: number]>> = {
  input_tokens: ['input_mtok', '1m_tokens', 1],
  output_tokens: ['output_mtok', '1m_tokens', 1],
  cached_input_tokens: ['cache_read_mtok', '1m_tokens', 1],
  cache_write_tokens: ['cache_write_mtok', '1m_tokens', 1],
  'cache_write_tokens/1h': ['cache_write_1h_mtok', '1m_tokens', 1],
  reasoning_tokens: ['output_reasoning_mtok', '1m_tokens', 1],
  citation_tokens: ['output_citation_mtok', '1m_tokens', 1],
  input_audio_tokens: ['input_audio_mtok', '1m_tokens', 1],
  output_audio_tokens: ['output_audio_mtok', '1m_tokens', 1],
  cached_input_audio_tokens: ['cache_audio_read_mtok', '1m_tokens', 1],
  input_image_tokens: ['input_image_mtok', '1m_tokens', 1],
  output_image_tokens: ['output_image_mtok', '1m_tokens', 1],
  cached_input_image_tokens: ['cache_image_read_mtok', '1m_tokens', 1],
  searches: ['web_searches_kcount', 'query', 1_000],
  requests: ['requests_kcount', 'request', 1_000],
}

interface Dated {
  constraint?: { start_date?: string; start_time?: string } | null
  prices: object
}
interface Model {
  id: string
  prices: object | Dated[]
  price_variants?: unknown
}
interface Provider {
  id: string
  models: Model[]
}

/** genai-prices' v2 data.json: its own providers, matching rules and extractors, with our prices, and models that it lacks. */
export function writeGenaiPrices({ resources, upstream, losses }: FormInput): Written {
  const now = new Date()
  const overlay = new Overlay(resources, 'genai-prices', losses)
  const { held, upstream: counts } = overlay
  const providers = ((upstream ?? []) as Provider[]).map((provider) => ({
    ...provider,
    models: provider.models.map((model) => {
      const { price_variants: _, ...own } = model
      return overlay.lay<Model>(model, {
        read: (row) => readGenaiPricesRow(provider.id, row, now),
        // Its form has no word for unknown but a model without prices.
        bare: { ...own, prices: {} },
        write: (resource) => {
          const prices = buildPrices(resource)
          return [
            { ...model, prices: inPlace(model.prices, prices) },
            { ...model, prices },
            { ...own, prices },
          ]
        },
      })
    }),
  }))
  const byPlatform = new Map(providers.toReversed().map((one) => [findSeller(one.id).platform, one]))
  const others = resources.filter((resource) => !held.has(resource))
  let added = 0
  for (const { resource, platform, model } of nameByPlatform(others, losses)) {
    const provider = byPlatform.get(platform)
    if (!isPriced(resource, losses)) continue
    if (provider === undefined) {
      losses.add('resources of a provider that it does not list', resource.resource_id)
      continue
    }
    const row = { id: model, match: { equals: model.toLowerCase() }, prices: buildPrices(resource) }
    const read = (one: Model) => findLost(resource, readGenaiPricesRow(provider.id, one, now))
    if (chooseRow<Model>(resource, [row], read, losses) === null) continue
    // Before its own: it takes the first that matches, and its patterns reach far.
    provider.models.unshift(row)
    held.add(resource)
    added += 1
  }
  const content = `${JSON.stringify(providers)}\n`
  return { content, rows: counts.rows + added, held, upstream: counts }
}

/** Our prices in place of those that hold now; what held before them, or will hold, stays. */
function inPlace(own: object | Dated[], prices: object): object | Dated[] {
  if (!Array.isArray(own)) return prices
  const dated = own as Dated[]
  const today = toDay(new Date())
  const begun = dated.findLastIndex(({ constraint }) => (constraint?.start_date ?? today) <= today)
  return dated.map((entry, index) => (index === begun ? { ...entry, prices } : entry))
}

function buildPrices(resource: ExportResource): object {
  const byField = new Map<string, { base?: number; tiers: { start: number; price: number }[] }>()
  for (const rate of buildCard(resource)) {
    const found = findField(rate)
    if (found === null) continue
    const price = byField.get(found.field) ?? { tiers: [] }
    byField.set(found.field, price)
    if (rate.threshold === null) price.base = found.amount
    else price.tiers.push({ start: rate.threshold, price: found.amount })
  }
  return Object.fromEntries(
    [...byField].flatMap(([field, { base, tiers }]) => {
      if (base === undefined) return []
      const steps = tiers.sort((a, b) => a.start - b.start)
      return [[field, steps.length === 0 ? base : { base, tiers: steps }] as const]
    }),
  )
}

function findField({ meter, variant, unit, service_tier, hours, amount }: Rate) {
  const [field, own, times] = fields[variant === null ? meter : `${meter}/${variant}`] ?? []
  if (field === undefined || own !== unit || service_tier !== null || hours !== null) return null
  return { field, amount: Number((Number(amount) * times!).toPrecision(12)) }
}
