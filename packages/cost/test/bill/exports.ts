import { partsOf, type Part, type World, type WorldCall } from './world.ts'

// What vendors export of a world, and the log of its calls.

/** An amount in 10^-12 USD as decimal text. */
function dollars(pico: bigint, decimals = 12): string {
  const unit = 10n ** BigInt(12 - decimals)
  const rounded = (pico + unit / 2n) / unit
  const digits = String(rounded).padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

const itemKinds = {
  input: 'input',
  cached: 'cached input',
  write: 'cache writes',
  writeHour: '',
  output: 'output',
  searches: '',
}
const openAiItem = ({ model, kind, tier }: Part) =>
  model === null
    ? 'web search tool calls'
    : `${tier === 'priority' ? 'priority | ' : ''}${model}, ${itemKinds[kind]}`

/** OpenAI does not tell batch from standard in its line items: only `priority` has been seen there. */
function openAiItems(world: World) {
  const items = new Map<string, { day: string; label: string; pico: bigint; count: number }>()
  for (const part of partsOf(world)) {
    const label = openAiItem(part)
    const key = `${part.day} ${label}`
    const known = items.get(key) ?? { day: part.day, label, pico: 0n, count: 0 }
    items.set(key, { ...known, pico: known.pico + part.pico, count: known.count + part.count })
  }
  return [...items.values(), ...world.extra.map((line) => ({ ...line, count: 0 }))]
}

const seconds = (day: string) => Date.parse(day) / 1_000

export function openAiCosts(world: World, hasQuantities: boolean): string {
  const items = openAiItems(world)
  const data = world.days.map((day) => ({
    ...{ object: 'bucket', start_time: seconds(day), end_time: seconds(day) + 86_400 },
    results: items
      .filter((item) => item.day === day)
      .map(({ label, pico, count }) => ({
        object: 'organization.costs.result',
        amount: { value: Number(dollars(pico)), currency: 'usd' },
        ...{ line_item: label, project_id: null, api_key_id: null },
        ...(hasQuantities && count > 0 ? { quantity: count, quantity_unit: 'tokens' } : { quantity: null }),
      })),
  }))
  return JSON.stringify({ object: 'page', data, has_more: false, next_page: null })
}

export function openAiCsv(world: World): string {
  const header =
    'start_time,end_time,start_time_iso,end_time_iso,amount_value,amount_currency,line_item,project_id,organization_id,organization_name'
  const rows = openAiItems(world).map(({ day, label, pico }) => {
    const next = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)
    const iso = [day, next].map((one) => `${one}T00:00:00+00:00`)
    return [
      seconds(day),
      seconds(next),
      ...iso,
      `${dollars(pico)}0000`,
      'usd',
      `"${label}"`,
      '',
      'org-1',
      'Personal',
    ].join(',')
  })
  return [header, ...rows].join('\n')
}

/** Not grouped: a total of each day. */
export function openAiTotals(world: World): string {
  const items = openAiItems(world)
  const data = world.days.map((day) => {
    const pico = items.filter((item) => item.day === day).reduce((all, item) => all + item.pico, 0n)
    const amount = { value: Number(dollars(pico)), currency: 'usd' }
    const results = [{ object: 'organization.costs.result', amount, line_item: null, project_id: null }]
    return { object: 'bucket', start_time: seconds(day), end_time: seconds(day) + 86_400, results }
  })
  return JSON.stringify({ object: 'page', data, has_more: false, next_page: null })
}

export function openAiUsage(world: World): string {
  const data = world.days.map((day) => {
    const rows = new Map<string, WorldCall[]>()
    for (const call of world.calls.filter(({ billed, isBilled }) => isBilled && billed.day === day)) {
      const key = JSON.stringify([call.model, call.billed.tier])
      rows.set(key, [...(rows.get(key) ?? []), call])
    }
    const results = [...rows].map(([key, calls]) => {
      const [model, tier] = JSON.parse(key) as [string, string | null]
      const sum = (pick: (call: WorldCall) => number) => calls.reduce((all, call) => all + pick(call), 0)
      return {
        object: 'organization.usage.completions.result',
        input_tokens: sum(({ billed: { tokens } }) => tokens.input + tokens.cached),
        output_tokens: sum(({ billed: { tokens } }) => tokens.output),
        input_cached_tokens: sum(({ billed: { tokens } }) => tokens.cached),
        ...{ input_audio_tokens: 0, output_audio_tokens: 0, num_model_requests: calls.length },
        ...{ project_id: null, user_id: null, api_key_id: null, model },
        ...{ batch: tier === 'batch', service_tier: tier === null || tier === 'batch' ? 'default' : tier },
      }
    })
    return { object: 'bucket', start_time: seconds(day), end_time: seconds(day) + 86_400, results }
  })
  return JSON.stringify({ object: 'page', data, has_more: false, next_page: null })
}

const tokenTypes = {
  input: 'uncached_input_tokens',
  cached: 'cache_read_input_tokens',
  write: 'cache_creation.ephemeral_5m_input_tokens',
  writeHour: 'cache_creation.ephemeral_1h_input_tokens',
  output: 'output_tokens',
  searches: null,
}

export function anthropicReport(world: World, byGeo: boolean): string {
  const data = world.days.map((day) => {
    const parts = partsOf(world).filter((part) => part.day === day)
    const results = parts.map(({ model, kind, tier, region, pico }) => ({
      ...{ currency: 'USD', amount: dollars(pico * 100n, 10), workspace_id: null },
      description: model === null ? 'Web Search Usage' : `${model} Usage - ${kind}`,
      cost_type: model === null ? 'web_search' : 'tokens',
      context_window: model === null ? null : '0-200k',
      ...{ model, service_tier: model === null ? null : (tier ?? 'standard'), token_type: tokenTypes[kind] },
      inference_geo: byGeo && model !== null ? (region ?? 'global') : null,
    }))
    const extra = world.extra
      .filter((line) => line.day === day)
      .map(({ label, pico }) => ({
        ...{ currency: 'USD', amount: dollars(pico * 100n, 10), workspace_id: null, description: label },
        ...{
          cost_type: 'session_usage',
          context_window: null,
          model: null,
          service_tier: null,
          token_type: null,
        },
      }))
    return {
      starting_at: `${day}T00:00:00Z`,
      ending_at: new Date(Date.parse(day) + 86_400_000).toISOString(),
      results: [...results, ...extra],
    }
  })
  return JSON.stringify({ data, has_more: false, next_page: null })
}

const consoleTypes = {
  input: 'input_no_cache',
  cached: 'input_cache_read',
  write: 'input_cache_write_5m',
  writeHour: 'input_cache_write_1h',
  output: 'output',
  searches: '',
}
export const consoleNames: Readonly<Record<string, string>> = {
  'claude-sonnet-4-6': 'Claude Sonnet 4.6',
  'claude-haiku-4-5-20251001': 'Claude Haiku 4.5',
}

export function anthropicUsage(world: World): string {
  const data = world.days.map((day) => {
    const rows = new Map<string, Record<string, unknown>>()
    for (const { model, kind, tier, region, count, day: of } of partsOf(world)) {
      if (of !== day || model === null) continue
      const key = JSON.stringify([model, tier, region])
      const row = rows.get(key) ?? {
        ...{
          model,
          service_tier: tier ?? 'standard',
          context_window: '0-200k',
          inference_geo: region ?? 'global',
        },
        ...{
          api_key_id: null,
          workspace_id: null,
          cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
        },
        ...{
          uncached_input_tokens: 0,
          cache_read_input_tokens: 0,
          output_tokens: 0,
          server_tool_use: { web_search_requests: 0 },
        },
      }
      const writes = row['cache_creation'] as Record<string, number>
      if (kind === 'write') writes['ephemeral_5m_input_tokens'] = count
      else if (kind === 'writeHour') writes['ephemeral_1h_input_tokens'] = count
      else row[tokenTypes[kind]!] = count
      rows.set(key, row)
    }
    const searches = partsOf(world).find((part) => part.day === day && part.kind === 'searches')?.count ?? 0
    const [first] = rows.values()
    if (first !== undefined) first['server_tool_use'] = { web_search_requests: searches }
    return {
      starting_at: `${day}T00:00:00Z`,
      ending_at: new Date(Date.parse(day) + 86_400_000).toISOString(),
      results: [...rows.values()],
    }
  })
  return JSON.stringify({ data, has_more: false, next_page: null })
}

/** The console rounds to cents. */
export function anthropicCsv(world: World): string {
  const header =
    'usage_date_utc,model,workspace,api_key,usage_type,context_window,token_type,cost_usd,list_price_usd,cost_type,inference_geo,speed'
  const rows = partsOf(world).map(({ day, model, kind, region, pico }) => {
    const [cents, name] = [dollars(pico, 2), model === null ? '' : consoleNames[model]!]
    return [
      day,
      name,
      'Default',
      'key',
      'message',
      '≤ 200k',
      consoleTypes[kind],
      cents,
      cents,
      model === null ? 'web_search' : 'token',
      region ?? 'global',
      '',
    ].join(',')
  })
  return [header, ...rows].join('\n')
}

/** The log: an answer of the vendor a line, with the time beside it. */
export function logOf({ vendor, calls }: World): unknown[] {
  return calls.flatMap(({ at, model, logged }) => {
    if (logged === null) return []
    const { tokens, tier, region, hasLife, searches } = logged
    const answer =
      vendor === 'openai'
        ? openAiAnswer(model, logged)
        : {
            ...{ type: 'message', model },
            usage: {
              input_tokens: tokens.input,
              output_tokens: tokens.output,
              cache_read_input_tokens: tokens.cached,
              cache_creation_input_tokens: tokens.write + tokens.writeHour,
              ...(hasLife
                ? {
                    cache_creation: {
                      ephemeral_5m_input_tokens: tokens.write,
                      ephemeral_1h_input_tokens: tokens.writeHour,
                    },
                  }
                : {}),
              ...(searches > 0 ? { server_tool_use: { web_search_requests: searches } } : {}),
              ...{ service_tier: tier ?? 'standard', inference_geo: region ?? 'not_available' },
            },
          }
    return [{ at, answer }]
  })
}

function openAiAnswer(model: string, { tokens, tier, searches }: NonNullable<WorldCall['logged']>) {
  return {
    ...{ model, service_tier: tier ?? 'default' },
    output: Array.from({ length: searches }, () => ({ type: 'web_search_call', action: { type: 'search' } })),
    usage: {
      input_tokens: tokens.input + tokens.cached,
      input_tokens_details: { cached_tokens: tokens.cached },
      output_tokens: tokens.output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: tokens.input + tokens.cached + tokens.output,
    },
  }
}
