import { UsageError } from '../errors.ts'
import { isObject, type Fields } from '../readers/shape.ts'
import { one, parseAmount } from './amount.ts'
import { noteMoney, noteUnread, readNumber, toWhole } from './fields.ts'
import { nothing, type BillLine, type Draft } from './lines.ts'

// Anthropic's exports. Days are those of UTC ("Each time bucket will be snapped to the start of the day in UTC").
// Costs: platform.claude.com, "Get Cost Report" (GET /v1/organizations/cost_report): `amount` is a decimal text in cents;
// grouped by description a result has model, token_type, service_tier, context_window and inference_geo. Costs of the priority
// tier are not in it. Usage: "Get Messages Usage Report". The console's CSV of costs has the header
// `usage_date_utc,model,workspace,api_key,usage_type,context_window,token_type,cost_usd,list_price_usd,cost_type,inference_geo,speed`,
// that of usage `model_version` and `usage_input_tokens_no_cache` and so on, as exports that people have published show.

const tokenTypes: Readonly<Record<string, Pick<BillLine, 'meter' | 'variant'>>> = {
  uncached_input_tokens: { meter: 'input_tokens', variant: null },
  cache_read_input_tokens: { meter: 'cached_input_tokens', variant: null },
  'cache_creation.ephemeral_5m_input_tokens': { meter: 'cache_write_tokens', variant: null },
  'cache_creation.ephemeral_1h_input_tokens': { meter: 'cache_write_tokens', variant: '1h' },
  output_tokens: { meter: 'output_tokens', variant: null },
  // The console's names of the same.
  input_no_cache: { meter: 'input_tokens', variant: null },
  input_cache_read: { meter: 'cached_input_tokens', variant: null },
  input_cache_write_5m: { meter: 'cache_write_tokens', variant: null },
  input_cache_write_1h: { meter: 'cache_write_tokens', variant: '1h' },
  output: { meter: 'output_tokens', variant: null },
}

const costFields = new Set([
  ...[
    'amount',
    'currency',
    'description',
    'cost_type',
    'model',
    'token_type',
    'service_tier',
    'context_window',
  ],
  ...['inference_geo', 'speed', 'workspace_id'],
  ...['usage_date_utc', 'workspace', 'api_key', 'usage_type', 'cost_usd', 'list_price_usd', 'api_key_id'],
  ...['api_key_status'],
])

/** A result of the cost report, or a row of the console's CSV of costs. */
export function readAnthropicCost(draft: Draft, day: string, row: Fields): void {
  noteUnread(draft, row, costFields)
  const isCsv = row['cost_usd'] !== undefined
  const text = isCsv
    ? noteMoney(draft, row['cost_usd'], 'USD')
    : noteMoney(draft, row['amount'], row['currency'], 2)
  const amount = isCsv ? parseAmount(text) : parseAmount(text) / 100n
  const said = (name: string) => (typeof row[name] === 'string' && row[name] !== '' ? row[name] : null)
  const label =
    said('description') ?? [said('model'), said('token_type') ?? said('cost_type')].filter(Boolean).join(', ')
  const line = { ...nothing, day, amount, label, ...readConditions(draft, row), ...readKind(said) }
  // The cost report knows two tiers. The console's table does not say the tier.
  if (!isCsv && said('service_tier') !== null) draft.tiers.add('batch')
  if (isCsv && !/^message$/.test(said('usage_type') ?? 'message')) line.isUnknown = true
  draft.lines.push(line)
}

function readKind(said: (name: string) => string | null): Partial<BillLine> {
  const [type, token] = [said('cost_type'), said('token_type')]
  if (type === 'web_search') return { meter: 'searches' }
  if (type === 'code_execution') return { meter: 'code_executions' }
  // Not grouped by description: a total.
  if (type === null && token === null && said('description') === null) return {}
  const kind = token === null ? undefined : tokenTypes[token]
  if (kind === undefined || said('model') === null || !/^tokens?$/.test(type ?? 'tokens'))
    return { isUnknown: true }
  return { ...kind, model: said('model') }
}

/** Tier, length and region, and that the bill tells them apart. */
function readConditions(draft: Draft, row: Fields): Partial<BillLine> {
  const [tier, geo, window] = [
    row['service_tier'] ?? row['usage_type'],
    row['inference_geo'],
    row['context_window'],
  ]
  if (typeof geo === 'string' && geo !== '') draft.region = true
  if (typeof window === 'string' && window !== '') draft.length = true
  if (row['speed'] === 'fast') draft.tiers.add('fast')
  return {
    tier:
      row['speed'] === 'fast'
        ? 'fast'
        : typeof tier === 'string' && /^(?:batch|priority)/.test(tier)
          ? tier
          : null,
    isLong: typeof window === 'string' && /^(?:200k-1M|> ?200k)/i.test(window),
    region: typeof geo === 'string' && !/^(?:global|not_available|)$/.test(geo) ? geo : null,
  }
}

const usageFields = new Set([
  ...[
    'uncached_input_tokens',
    'cache_creation',
    'cache_read_input_tokens',
    'output_tokens',
    'server_tool_use',
  ],
  ...['model', 'service_tier', 'context_window', 'inference_geo', 'speed', 'api_key_id', 'workspace_id'],
  ...['usage_date_utc', 'model_version', 'api_key', 'workspace', 'usage_type', 'web_search_count'],
  ...[
    'usage_input_tokens_no_cache',
    'usage_input_tokens_cache_write_5m',
    'usage_input_tokens_cache_write_1h',
  ],
  ...['usage_input_tokens_cache_read', 'usage_output_tokens', 'account_id', 'service_account_id'],
])

/** A result of the usage report of messages, or a row of the console's CSV of usage. */
export function readAnthropicUsage(draft: Draft, day: string, row: Fields): void {
  noteUnread(draft, row, usageFields)
  const model = row['model'] ?? row['model_version']
  if (typeof model !== 'string' || model === '')
    throw new UsageError(
      'The usage says no model. Ask for it by model: group_by[]=model&group_by[]=service_tier.',
    )
  const writes = isObject(row['cache_creation']) ? row['cache_creation'] : {}
  const tools = isObject(row['server_tool_use']) ? row['server_tool_use'] : {}
  const n = (name: string, csv: string, from: Fields = row) => readNumber(from, name) + readNumber(row, csv)
  const conditions = readConditions(draft, row)
  if (row['service_tier'] != null || row['usage_type'] != null)
    for (const t of ['batch', 'priority']) draft.tiers.add(t)
  const counts: [meter: string, variant: string | null, count: number][] = [
    ['input_tokens', null, n('uncached_input_tokens', 'usage_input_tokens_no_cache')],
    ['cached_input_tokens', null, n('cache_read_input_tokens', 'usage_input_tokens_cache_read')],
    ['cache_write_tokens', null, n('ephemeral_5m_input_tokens', 'usage_input_tokens_cache_write_5m', writes)],
    ['cache_write_tokens', '1h', n('ephemeral_1h_input_tokens', 'usage_input_tokens_cache_write_1h', writes)],
    ['output_tokens', null, n('output_tokens', 'usage_output_tokens')],
    ['searches', null, n('web_search_requests', 'web_search_count', tools)],
  ]
  for (const [meter, variant, count] of counts)
    if (count > 0)
      draft.lines.push({
        ...nothing,
        ...conditions,
        ...{ day, model: meter === 'searches' ? null : model, meter, variant },
        ...{ amount: toWhole(count) * one, label: `${model}, ${meter}` },
      })
}
