import { createHash } from 'node:crypto'
import { inSourceUnit, perOneToPerMillion } from '../catalog/decimal.ts'
import { jsonText, type FormInput, type Written } from './form.ts'
import { nameAlone, type NamedResource } from './names.ts'
import type { Losses } from './report.ts'
import { tokenRows, type Prices, type TokenPrices } from './token-prices.ts'

const fields = {
  input_tokens: 'input',
  output_tokens: 'output',
  cached_input_tokens: 'cacheRead',
  cache_write_tokens: 'cacheWrite',
  'cache_write_tokens/1h': 'cacheWrite1h',
  reasoning_tokens: 'reasoning',
  input_audio_tokens: 'inputAudio',
  output_audio_tokens: 'outputAudio',
}

/** The words by which its readers of usage count, by the maker whose answers they read; each has a price of its own. */
type Words = Readonly<Record<string, string>>
const usual: Words = {
  input: 'input',
  output: 'output',
  cacheRead: 'input_cached_tokens input_cache_read cache_read_input_tokens',
  cacheWrite: 'input_cache_creation cache_write_tokens',
  reasoning: 'output_reasoning_tokens output_reasoning reasoning_tokens',
  inputAudio: 'input_audio_tokens',
  outputAudio: 'output_audio_tokens',
}
const gemini: Words = {
  ...usual,
  input: 'input input_text input_modality_1 prompt_token_count promptTokenCount',
  output: 'output output_text output_modality_1 candidates_token_count candidatesTokenCount',
  cacheRead: 'input_cached_tokens cached_content_token_count',
  reasoning: 'thoughts_token_count thoughtsTokenCount output_reasoning_tokens output_reasoning',
}
const claude: Words = {
  ...usual,
  input: 'input input_tokens',
  output: 'output output_tokens',
  cacheWrite: 'cache_creation_input_tokens input_cache_creation input_cache_creation_5m',
  cacheWrite1h: 'input_cache_creation_1h',
  reasoning: '',
}

/** Langfuse's default-model-prices.json: USD for one token by the name of a model, with tiers by conditions. */
export function writeLangfuse({ resources, losses }: FormInput): Written {
  const { rows, held } = tokenRows(nameAlone(resources, losses), losses, {
    fields,
    pickFields: ({ model }) => {
      const words = findWords(model)
      return Object.fromEntries(Object.entries(fields).filter(([, field]) => field in words))
    },
    hasTiers: true,
    hasServices: true,
    // Its patterns know no capitals.
    buildKey: ({ model }) => model,
    toRow: (named, prices) => toModel(named, prices, losses),
  })
  return { content: jsonText(rows), rows: rows.length, held }
}

function findWords(model: string): Words {
  if (/gemini/i.test(model)) return gemini
  return /^claude-|anthropic\.claude/i.test(model) ? claude : usual
}

function toModel({ resource, model }: NamedResource, picked: TokenPrices, losses: Losses): object {
  const { resource_id, vendor, updated_at } = resource
  const words = findWords(model)
  const id = createHash('sha256').update(resource_id).digest('hex').slice(0, 25)
  const base = toPrices(picked.base, words)
  const toTier = (name: string, condition: object, prices: Prices, priority: number) => {
    const own = toPrices(prices, words)
    for (const key of Object.keys(own))
      if (!(key in base))
        losses.add('rates of a tier that have no standard rate', resource_id, `${name}: ${key}`)
    return {
      ...{ id: `${id}_tier_${priority}`, name, isDefault: false, priority, conditions: [condition] },
      prices: Object.fromEntries(Object.keys(base).map((key) => [key, own[key]])),
    }
  }
  // The first that fits holds: the highest threshold comes first.
  const conditional = [
    ...picked.services.map(({ name, prices }) => ({
      ...{ name, prices },
      condition: { source: 'model_parameters', key: 'service_tier', operator: 'in', values: [name] },
    })),
    ...picked.tiers.toReversed().map(({ over, prices }) => ({
      ...{ name: `Above ${over} tokens`, prices },
      condition: {
        ...{ usageDetailPattern: '(input|prompt|cached)', operator: 'gt', value: over, caseSensitive: false },
      },
    })),
  ]
  const at = new Date(updated_at).toISOString()
  return {
    id,
    modelName: model,
    matchPattern: `(?i)^(${escapePattern(vendor)}/)?(${escapePattern(model)})$`,
    createdAt: at,
    updatedAt: at,
    tokenizerId: null,
    pricingTiers: [
      { id: `${id}_tier_0`, name: 'Standard', isDefault: true, priority: 0, conditions: [], prices: base },
      ...conditional.map(({ name, condition, prices }, index) => toTier(name, condition, prices, index + 1)),
    ],
  }
}

/** What is thought is paid as output where nothing else is said: it is counted apart, and would be free. */
function toPrices(prices: Prices, words: Words): Record<string, number> {
  const all = prices['output'] === undefined ? prices : { reasoning: prices['output'], ...prices }
  return Object.fromEntries(
    Object.entries(all).flatMap(([field, amount]) =>
      (words[field]?.match(/\S+/g) ?? []).map((word) => [word, inSourceUnit(amount, perOneToPerMillion)]),
    ),
  )
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}
