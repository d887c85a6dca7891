import { parse } from 'csv-parse/sync'

// How the programs that load an export compute with it: the rule of each, as its own code states it, for tests. Sources
// are named with each. What they do not compute in cents is not here.

/** What one request used. Tokens are counted once: cached ones are not in `input`. */
export interface Used {
  input: number
  cached: number
  written: number
  output: number
  tier?: string
}

type Prices = Record<string, number | undefined>
const prompt = ({ input, cached, written }: Used) => input + cached + written

/** BerriAI/litellm, litellm_core_utils/llm_cost_calc/utils.py: `generic_cost_per_token`. */
export function costByLitellm(map: Record<string, Prices>, key: string, used: Used): number | null {
  const row = map[key]
  if (row === undefined) return null
  const suffix = used.tier === undefined ? '' : `_${used.tier === 'batch' ? 'batches' : used.tier}`
  const passed = Object.keys(row)
    .flatMap((field) => Number(/^input_cost_per_token_above_(\d+)k_tokens$/.exec(field)?.[1] ?? NaN) || [])
    .filter((thousands) => prompt(used) > thousands * 1_000)
    .sort((a, b) => b - a)[0]
  const rate = (field: string) =>
    (passed === undefined
      ? undefined
      : (row[`${field}_above_${passed}k_tokens${suffix}`] ?? row[`${field}_above_${passed}k_tokens`])) ??
    row[field + suffix] ??
    row[field] ??
    0
  return (
    used.input * rate('input_cost_per_token') +
    used.cached * rate('cache_read_input_token_cost') +
    used.written * rate('cache_creation_input_token_cost') +
    used.output * rate('output_cost_per_token')
  )
}

/** maximhq/bifrost, framework/modelcatalog/utils.go: `makeKey`, `extractModelName`, `normalizeProvider`. */
export function costByBifrost(
  sheet: Record<string, Prices & { provider: string; mode: string }>,
  { provider, model }: { provider: string; model: string },
  used: Used,
): number | null {
  const found = Object.entries(sheet).find(
    ([key, row]) =>
      (key.includes('/') ? key.slice(key.indexOf('/') + 1) : key) === model &&
      normalProvider(row.provider) === provider &&
      row.mode === 'chat',
  )
  return found === undefined ? null : costByLitellm({ found: found[1] }, 'found', used)
}

function normalProvider(provider: string): string {
  if (provider.includes('vertex_ai')) return 'vertex'
  if (provider.includes('bedrock')) return 'bedrock'
  if (provider.includes('fireworks_ai')) return 'fireworks'
  return provider
}

/** anomalyco/opencode, packages/opencode/src/session: input, output and cache, with the prices of a long context. */
export function costByModelsDev(
  file: Record<string, { models: Record<string, { cost?: Prices & { context_over_200k?: Prices } }> }>,
  { provider, model }: { provider: string; model: string },
  used: Used,
): number | null {
  const cost = file[provider]?.models[model]?.cost
  if (cost === undefined) return null
  const over = cost.context_over_200k
  const rates = over !== undefined && prompt(used) > 200_000 ? over : cost
  return (
    (used.input * (rates.input ?? 0) +
      used.cached * (rates.cache_read ?? 0) +
      used.written * (rates.cache_write ?? 0) +
      used.output * (rates.output ?? 0)) /
    1_000_000
  )
}

interface Catalog {
  providers: Record<
    string,
    {
      models: Record<
        string,
        { rates: Record<string, string>; tiers?: { contextOver: number; rates: Record<string, string> }[] }
      >
    }
  >
}

/** agentgateway/agentgateway, crates/agentgateway/src/llm/catalog/model.rs: what its loader refuses. */
export function checkAgentgateway({ providers, ...rest }: Catalog): string[] {
  const fields = ['input', 'output', 'cacheRead', 'cacheWrite', 'reasoning', 'inputAudio', 'outputAudio']
  const badRates = (rates: Record<string, string>) =>
    Object.entries(rates).filter(
      ([field, amount]) => !fields.includes(field) || !/^\d+(?:\.\d{1,6})?$/.test(amount),
    )
  return [
    ...Object.keys(rest),
    ...Object.entries(providers).flatMap(([name, { models }]) =>
      Object.entries(models).flatMap(([id, { rates, tiers = [], ...more }]) => [
        ...Object.keys(more).map((field) => `${name}/${id}: ${field}`),
        ...[rates, ...tiers.map((tier) => tier.rates)].flatMap((one) =>
          badRates(one).map((bad) => `${name}/${id}: ${bad.join(' ')}`),
        ),
        ...tiers.flatMap(({ contextOver }, index) =>
          contextOver > (tiers[index - 1]?.contextOver ?? -1) ? [] : [`${name}/${id}: tier ${index}`],
        ),
      ]),
    ),
  ]
}

/** The same file: `effective_rates` and `breakdown`. */
export function costByAgentgateway(
  { providers }: Catalog,
  { provider, model }: { provider: string; model: string },
  used: Used,
): number | null {
  const found = providers[provider]?.models[model]
  if (found === undefined) return null
  const tier = found.tiers?.findLast(({ contextOver }) => prompt(used) > contextOver)
  const rates: Record<string, string> = { ...found.rates, ...tier?.rates }
  const line = (count: number, field: string) => count * Number(rates[field] ?? 0)
  return (
    (line(used.input, 'input') +
      line(used.cached, 'cacheRead') +
      line(used.written, 'cacheWrite') +
      line(used.output, 'output')) /
    1_000_000
  )
}

interface RelayRates extends Record<string, number | undefined> {
  input_per_million: number
  output_per_million: number
}
interface RelayEntry {
  provider: string
  model_id: string
  currency: string
  pricing_as_of: string
  pricing_source: string
  rates?: RelayRates
  rate_schedule?: {
    type: string
    tiers: { min_prompt_tokens?: number; max_prompt_tokens?: number; rates: RelayRates }[]
  }
  prompt_cache: { read_accounting: string }
}

/** NVIDIA/NeMo-Relay, crates/core/src/codec/pricing.rs: what `validate` refuses. */
export function checkNemoRelay({ version, entries }: { version: number; entries: RelayEntry[] }): string[] {
  const seen = new Set<string>()
  const problems = version === 1 ? [] : [`version ${version}`]
  for (const entry of entries) {
    const key = `${entry.provider}/${entry.model_id}`.trim().toLowerCase()
    if (seen.has(key)) problems.push(`${key} twice`)
    seen.add(key)
    for (const field of ['provider', 'model_id', 'currency', 'pricing_as_of', 'pricing_source'] as const)
      if (entry[field].trim() === '') problems.push(`${key}: ${field}`)
    const all = [entry.rates, ...(entry.rate_schedule?.tiers ?? []).map(({ rates }) => rates)].filter(Boolean)
    if (all.length === 0) problems.push(`${key}: no rates`)
    for (const rates of all)
      for (const [field, value] of Object.entries({
        input_per_million: NaN,
        output_per_million: NaN,
        ...rates,
      }))
        if (!((value ?? NaN) >= 0)) problems.push(`${key}: ${field} ${value}`)
    if (!['included_in_prompt_tokens', 'separate'].includes(entry.prompt_cache.read_accounting))
      problems.push(`${key}: read_accounting`)
  }
  return problems
}

/** The same file: `estimate_cost`. What the cache had is in the prompt, or beside it. */
export function costByNemoRelay(
  { entries }: { entries: RelayEntry[] },
  { provider, model }: { provider: string; model: string },
  used: Used,
): number | null {
  const entry = entries.find((one) => one.provider === provider && one.model_id === model)
  if (entry === undefined) return null
  const isWithin = entry.prompt_cache.read_accounting === 'included_in_prompt_tokens'
  const prompts = used.input + (isWithin ? used.cached : 0)
  const tier = entry.rate_schedule?.tiers.find(
    ({ min_prompt_tokens: min = 0, max_prompt_tokens: max = Infinity }) => prompts >= min && prompts <= max,
  )
  const rates = tier?.rates ?? entry.rates
  if (rates === undefined) return null
  return (
    (used.input * rates.input_per_million +
      used.cached * (rates.cache_read_per_million ?? 0) +
      used.written * (rates.cache_write_per_million ?? 0) +
      used.output * rates.output_per_million) /
    1_000_000
  )
}

/** openlit/openlit, sdk/python/src/openlit/__helpers.py: thousands of tokens by the name of a model. */
export function costByOpenlit(
  { chat }: { chat: Record<string, Prices> },
  model: string,
  used: Used,
): number | null {
  const row = chat[model]
  if (row === undefined) return null
  return (
    (used.input * (row.promptPrice ?? 0) +
      used.cached * (row.cacheReadPrice ?? 0) +
      used.written * (row.cacheCreationPrice ?? 0) +
      used.output * (row.completionPrice ?? 0)) /
    1_000
  )
}

/** QuantumNous/new-api: a ratio of 1 is 2 USD for a million tokens of input, all others are multiples of it. */
export function costByNewApi(
  { data }: { data: (Prices & { model_name: string })[] },
  model: string,
  used: Used,
): number | null {
  const row = data.find(({ model_name }) => (model_name as unknown) === model) as Prices | undefined
  if (row === undefined) return null
  const tokens =
    used.input +
    used.cached * (row.cache_ratio ?? 1) +
    used.written * (row.create_cache_ratio ?? 1) +
    used.output * (row.completion_ratio ?? 1)
  return (tokens * (row.model_ratio ?? 0) * 2) / 1_000_000
}

interface LangfuseTier {
  isDefault: boolean
  priority: number
  conditions: { source?: string; values?: string[]; usageDetailPattern?: string; value?: number }[]
  prices: Prices
}

/** langfuse/langfuse, worker/src/services/IngestionService: a price for each kind of usage, of the first tier that fits. */
export function costByLangfuse(
  models: { matchPattern: string; pricingTiers: LangfuseTier[] }[],
  model: string,
  used: Used,
): number | null {
  const found = models.find(({ matchPattern }) =>
    new RegExp(matchPattern.replace('(?i)', ''), 'i').test(model),
  )
  if (found === undefined) return null
  const usage: Record<string, number> = {
    input: used.input,
    input_cached_tokens: used.cached,
    input_cache_creation: used.written,
    output: used.output,
  }
  const fits = ({ conditions }: LangfuseTier) =>
    conditions.every(({ source, values, usageDetailPattern = '', value = 0 }) => {
      if (source === 'model_parameters')
        return used.tier !== undefined && values?.includes(used.tier) === true
      const counted = Object.entries(usage).filter(([key]) => new RegExp(usageDetailPattern, 'i').test(key))
      return counted.reduce((sum, [, count]) => sum + count, 0) > value
    })
  const tiers = found.pricingTiers.toSorted((a, b) => a.priority - b.priority)
  const tier = tiers.find((one) => !one.isDefault && fits(one)) ?? tiers.find((one) => one.isDefault)!
  return Object.entries(usage).reduce((sum, [key, count]) => sum + count * (tier.prices[key] ?? 0), 0)
}

export type FocusRow = Record<string, string>

export function readFocus(text: string): Map<string, FocusRow[]> {
  const rows = parse<FocusRow>(text, { columns: true, bom: true })
  return Map.groupBy(rows, ({ SkuId = '' }) => SkuId)
}

/** FOCUS_Spec, columns ListUnitPrice, PricingUnit and SkuPriceDetails: quantity in pricing units times the list price. */
export function costByFocus(sheet: Map<string, FocusRow[]>, sku: string, used: Used): number | null {
  const rows = sheet.get(sku) ?? []
  const counts = {
    input_tokens: used.input,
    cached_input_tokens: used.cached,
    cache_write_tokens: used.written,
    output_tokens: used.output,
  }
  let sum = 0
  for (const [meter, count] of Object.entries(counts)) {
    if (count === 0) continue
    const fitting = rows
      .map((row) => ({
        row,
        details: JSON.parse(row['SkuPriceDetails']!) as Record<string, string | number>,
      }))
      .filter(({ row, details }) => {
        const isPlain = details['x_Variant'] === undefined && details['x_HoursUtc'] === undefined
        const isTier = details['x_ServiceTier'] === (used.tier ?? 'standard')
        return (
          row['SkuMeter'] === meter &&
          isPlain &&
          isTier &&
          prompt(used) > Number(details['x_InputTokensAbove'] ?? -1)
        )
      })
      .sort(
        (a, b) =>
          Number(b.details['x_InputTokensAbove'] ?? -1) - Number(a.details['x_InputTokensAbove'] ?? -1),
      )
    const best = fitting[0]?.row
    if (best === undefined) return null
    sum += (count / Number(best['PricingUnit']!.split(' ')[0])) * Number(best['ListUnitPrice'])
  }
  return sum
}
