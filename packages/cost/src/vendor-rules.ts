import type { Item } from './counts.ts'
import { isAbove } from './exact.ts'
import type { CatalogRate, CatalogRecord } from './types.ts'

// What vendors publish and no list of prices states: fees, thresholds, factors, ends. All such rules are here, each with its
// source. What a catalog itself states of a condition wins. A rule that nobody has published is a doubt, not a figure.

type RuleRate = readonly [meter: string, amount: string, condition?: Partial<CatalogRate>]

export interface VendorRule {
  /** The records for which it holds: the beginning of their ids. */
  readonly records: RegExp
  /** It belongs to this price: the input of the record. */
  readonly input?: string
  readonly rates?: readonly RuleRate[]
  /** A meter whose rate in the catalog is wrong beside these: the list has one for all sizes. */
  readonly replaces?: string
  /** The price has ended on this day. */
  readonly endedOn?: string
  /** A use of which nobody has published what it costs besides. */
  readonly isOpen?: (item: Item) => boolean
}

const long = (threshold: number, ...rates: [meter: string, amount: string, variant?: string][]) =>
  rates.map(([meter, amount, variant = null]): RuleRate => [meter, amount, { threshold, variant }])
const sizes = (...amounts: string[]) =>
  amounts.map((amount, at): RuleRate => ['requests', amount, { variant: ['low', 'medium', 'high'][at]! }])

const rules: readonly VendorRule[] = [
  // docs.perplexity.ai, "Pricing": a fee per request by the size of its search context. The list has the largest.
  {
    records: /^perplexity:sonar(?:-reasoning)?$/,
    replaces: 'requests',
    rates: sizes('0.005', '0.008', '0.012'),
  },
  {
    records: /^perplexity:sonar(?:-reasoning)?-pro$/,
    replaces: 'requests',
    rates: sizes('0.006', '0.01', '0.014'),
  },
  // developers.openai.com, "Pricing", built-in tools, 2026-02 to 2026-07: the preview's search costs 25 USD per thousand,
  // with models that reason 10.
  {
    records: /^openai:(?:chatgpt-4o|gpt-4(?:o|\.[15]))/,
    rates: [['searches', '0.025', { variant: 'preview' }]],
  },
  { records: /^openai:(?:gpt-5|o\d)/, rates: [['searches', '0.01', { variant: 'preview' }]] },
  // The same page: calls of the search are billed with these models too. That each request makes one, nobody writes.
  {
    records: /^openai:gpt-4o(?:-mini)?-search-preview/,
    rates: [['requests', '0.025']],
    isOpen: ({ meter }) => meter === 'requests',
  },
  // The same page: with these a search counts as 8,000 tokens of input. Whether the answer's input has them it does not say.
  {
    records: /^openai:gpt-4(?:o|\.1)-mini(?:-\d|$)/,
    isOpen: ({ meter, variant }) => meter === 'searches' && variant === null,
  },
  // platform.claude.com, "Pricing", 2025-12: above 200,000 tokens Sonnet 4 costs as Sonnet 4.5; the factors of the cache stay.
  {
    records:
      /^(?:anthropic|vertex_ai|bedrock|openrouter):.*claude-(?:sonnet-4(?:-0|[-@]2025\d{4})?|4-sonnet(?:-2025\d{4})?)(?:-v\d.*|:.*)?$/,
    input: '3',
    rates: long(
      200_000,
      ['input_tokens', '6'],
      ['output_tokens', '22.5'],
      ['cached_input_tokens', '0.6'],
      ['cache_write_tokens', '7.5'],
      ['cache_write_tokens', '12', '1h'],
    ),
  },
  // The same page, 2026-08: a batch costs half, and from version 4.6 on inference in the US alone costs 1.1 times as much.
  { records: /^anthropic:/, rates: [['price_multiplier', '0.5', { variant: 'batch' }]] },
  {
    records: /^anthropic:claude-(?:[a-z]+-(?:4-[6-9]|[5-9])|[5-9])/,
    rates: [['price_multiplier', '1.1', { variant: 'us' }]],
  },
  // The same page: from version 4.5 on Google Cloud's regions cost 1.1 times the global endpoint; models before cost the same.
  {
    records: /^vertex_ai:.*claude-(?:[a-z]+-(?:4-[5-9]|[5-9])|[5-9])/,
    rates: [['price_multiplier', '1.1', { variant: 'regional' }]],
  },
  {
    records: /^vertex_ai:.*claude-(?:[23]|[a-z]+-4(?:-[01])?(?:[@:-]\d{8}.*)?$)/,
    rates: [['price_multiplier', '1', { variant: 'regional' }]],
  },
  // docs.x.ai, "Models", 2025-11: prices of long contexts from 128,000 tokens on. None is stated for what is cached.
  {
    records: /^xai:grok-4(?:-0709|-latest)?$/,
    input: '3',
    rates: long(128_000, ['input_tokens', '6'], ['output_tokens', '30']),
  },
  {
    records: /^xai:grok-4(?:-1)?-fast/,
    input: '0.2',
    rates: long(128_000, ['input_tokens', '0.4'], ['output_tokens', '1']),
  },
  // api-docs.deepseek.com, "Models & Pricing": these prices, and the hours of the night, ended then.
  { records: /^deepseek:deepseek-chat$/, input: '0.27', endedOn: '2025-09-05' },
  { records: /^deepseek:deepseek-reasoner$/, input: '0.55', endedOn: '2025-09-05' },
  // Groq bills a request for ten seconds at least. Its page is not at hand: it is a doubt.
  {
    records: /^groq:.*whisper/,
    isOpen: ({ meter, count }) => meter.endsWith('_seconds') && isAbove({ units: 10, scale: 0 }, count),
  },
]

/** The rules of a record. */
export function rulesOf({ resource_id, input_per_mtok }: CatalogRecord): readonly VendorRule[] {
  return rules.filter(
    ({ records, input }) => records.test(resource_id) && (input === undefined || input === input_per_mtok),
  )
}

const plain = { service_tier: null, variant: null, threshold: null, hours: null }

/** The rates of a record with those that its vendor publishes beside the lists. */
export function withRules({ rates }: CatalogRecord, found: readonly VendorRule[]): readonly CatalogRate[] {
  const own = rates ?? []
  if (found.length === 0) return own
  const kept = own.filter(
    ({ meter, variant }) => variant !== null || !found.some(({ replaces }) => replaces === meter),
  )
  const added = found.flatMap(({ rates = [] }) =>
    rates.map(([meter, amount, condition]): CatalogRate => ({
      ...plain,
      meter,
      unit: meter.endsWith('_tokens') ? '1m_tokens' : meter === 'searches' ? 'query' : 'unit',
      amount,
      ...condition,
    })),
  )
  return [...kept, ...added.filter((rate) => !own.some((other) => isSameCondition(rate, other)))]
}

/** Whether a list says itself what the rule would say. A list that has thresholds at all has those that there are. */
function isSameCondition(rule: CatalogRate, own: CatalogRate): boolean {
  if (rule.threshold !== null && own.threshold !== null) return true
  if (rule.variant === 'batch' && own.service_tier === 'batch') return true
  return rule.meter === own.meter && rule.variant === own.variant && rule.threshold === own.threshold
}

/**
 * Whether the list price is that of the region. Amazon's is that of the American ones: in LiteLLM's map of 2026-08-01 all 33
 * of their rows cost what the model costs without a region, those of others mostly not. Elsewhere it is the global one.
 */
export function isListRegion(platform: string | null, region: string): boolean {
  return region === 'global' || (platform === 'bedrock' && /^us(?:-(?:east|west)-\d)?$/.test(region))
}

/**
 * Whether a prompt of exactly the threshold passes it, where vendors say so themselves. Elsewhere it is as the catalog states
 * it: above. Sources write one threshold as 200000 and as 199999, so the catalog alone does not tell.
 */
export const isReachedAt: Readonly<Record<string, boolean>> = {
  // "Prompts with more than 272K input tokens".
  openai: false,
  azure: false,
  // "Prompts > 200k tokens".
  google: false,
  vertex_ai: false,
  // "Exceeds 200K input tokens".
  anthropic: false,
  bedrock: false,
  // "Requests whose prompt reaches the listed threshold".
  xai: true,
}
