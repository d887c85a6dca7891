import type { Item } from './counts.ts'
import { isAbove } from './exact.ts'
import type { CatalogRate, CatalogRecord } from './types.ts'

// What vendors publish and lists of prices leave out: fees, thresholds, factors, ends. All such rules are here, each with its
// source. What a catalog itself states of a condition wins. A rule that nobody has published is a doubt, not a figure.

/** Uses of which nobody has published what they cost, or whose answers do not say it: a figure for them is in doubt. */
const openUses: readonly [records: RegExp, isOpen: (item: Item) => boolean][] = [
  // docs.perplexity.ai, "Pricing": a request costs by the size of its search context, and lists have one fee.
  [/^perplexity:sonar/, ({ meter, variant }) => meter === 'requests' && variant === null],
  // developers.openai.com, "Pricing", 2026-07: these models search at the price of the tool. That each request does it once
  // nobody writes.
  [/^openai:gpt-4o(?:-mini)?-search-preview/, () => true],
  // The same page: a search counts as 8,000 tokens of input. Whether the answer's input has them it does not say.
  [/^openai:gpt-4(?:o|\.1)-mini(?:-\d|$)/, ({ meter, variant }) => meter === 'searches' && variant === null],
  // Groq bills a request for ten seconds at least. Its page is not at hand.
  [
    /^groq:.*whisper/,
    ({ meter, count }) => meter.endsWith('_seconds') && isAbove({ units: 10, scale: 0 }, count),
  ],
]

/** What makes a use of this record doubtful; undefined: nothing. */
export function findOpenUse({ resource_id }: CatalogRecord): ((item: Item) => boolean) | undefined {
  return openUses.find(([records]) => records.test(resource_id))?.[1]
}

interface VendorRule {
  /** The records for which it holds: the beginning of their ids. */
  readonly records: RegExp
  /** It belongs to this price: the input of the record. */
  readonly input?: string
  readonly rates?: readonly CatalogRate[]
  /** A meter whose rate in the catalog is wrong beside these: the list has one for all sizes. */
  readonly replaces?: string
  /** The price has ended on this day. */
  readonly endedOn?: string
}

function rate(meter: string, amount: string, variant: string | null = null, threshold: number | null = null) {
  return { meter, unit: findUnit(meter), amount, service_tier: null, variant, threshold, hours: null }
}
const sizes = (...amounts: string[]) =>
  amounts.map((amount, at) => rate('requests', amount, ['low', 'medium', 'high'][at]))

/**
 * What the list lacks that is shipped. A function, so that a program which bundles this package leaves it out: what is
 * shipped has the rates in it.
 */
const listRules: () => readonly VendorRule[] = () => [
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
    rates: [rate('searches', '0.025', 'preview')],
  },
  { records: /^openai:(?:gpt-5|o\d)/, rates: [rate('searches', '0.01', 'preview')] },
  { records: /^openai:gpt-4o(?:-mini)?-search-preview/, rates: [rate('requests', '0.025')] },
  // platform.claude.com, "Pricing", 2025-12: above 200,000 tokens Sonnet 4 costs as Sonnet 4.5; the factors of the cache stay.
  {
    records:
      /^(?:anthropic|vertex_ai|bedrock|openrouter):.*claude-(?:sonnet-4(?:-0|[-@]2025\d{4})?|4-sonnet(?:-2025\d{4})?)(?:-v\d.*|:.*)?$/,
    input: '3',
    rates: [
      rate('input_tokens', '6', null, 200_000),
      rate('output_tokens', '22.5', null, 200_000),
      rate('cached_input_tokens', '0.6', null, 200_000),
      rate('cache_write_tokens', '7.5', null, 200_000),
      rate('cache_write_tokens', '12', '1h', 200_000),
    ],
  },
  // The same page, 2026-08: a batch costs half, and from version 4.6 on inference in the US alone costs 1.1 times as much.
  { records: /^anthropic:/, rates: [rate('price_multiplier', '0.5', 'batch')] },
  {
    records: /^anthropic:claude-(?:[a-z]+-(?:4-[6-9]|[5-9])|[5-9])/,
    rates: [rate('price_multiplier', '1.1', 'us')],
  },
  // The same page: from version 4.5 on Google Cloud's regions cost 1.1 times the global endpoint; models before cost the same.
  {
    records: /^vertex_ai:.*claude-(?:[a-z]+-(?:4-[5-9]|[5-9])|[5-9])/,
    rates: [rate('price_multiplier', '1.1', 'regional')],
  },
  {
    records: /^vertex_ai:.*claude-(?:[23]|[a-z]+-4(?:-[01])?(?:[@:-]\d{8}.*)?$)/,
    rates: [rate('price_multiplier', '1', 'regional')],
  },
  // prices.azure.com, 2025-08: data zones cost 1.1 times the global deployment (117 of 120 meters, the others are rounded).
  {
    records: /^azure:(?:gpt-|o\d|codex|computer)(?!.*0513)/,
    rates: [rate('price_multiplier', '1.1', 'us'), rate('price_multiplier', '1.1', 'eu')],
  },
  // docs.x.ai, "Models", 2025-11: prices of long contexts from 128,000 tokens on. None is stated for what is cached.
  {
    records: /^xai:grok-4(?:-0709|-latest)?$/,
    input: '3',
    rates: [rate('input_tokens', '6', null, 128_000), rate('output_tokens', '30', null, 128_000)],
  },
  {
    records: /^xai:grok-4(?:-1)?-fast/,
    input: '0.2',
    rates: [rate('input_tokens', '0.4', null, 128_000), rate('output_tokens', '1', null, 128_000)],
  },
  // api-docs.deepseek.com, "Models & Pricing": these prices, and the hours of the night, ended then.
  { records: /^deepseek:deepseek-chat$/, input: '0.27', endedOn: '2025-09-05' },
  { records: /^deepseek:deepseek-reasoner$/, input: '0.55', endedOn: '2025-09-05' },
]

/** What the list lacks of a record. */
export function rulesOf({
  resource_id,
  input_per_mtok,
}: Pick<CatalogRecord, 'resource_id' | 'input_per_mtok'>): readonly VendorRule[] {
  return listRules().filter(
    ({ records, input }) => records.test(resource_id) && (input === undefined || input === input_per_mtok),
  )
}

/** The unit of a meter that a card does not have. */
export function findUnit(meter: string): string {
  if (meter.endsWith('_tokens')) return '1m_tokens'
  if (meter.endsWith('_characters')) return '1m_characters'
  return 'one'
}

/** The rates of a record with those that its vendor publishes beside the lists. */
export function withRules(
  { rates }: Pick<CatalogRecord, 'rates'>,
  found: readonly VendorRule[],
): readonly CatalogRate[] {
  const own = rates ?? []
  const isReplaced = ({ meter, variant }: CatalogRate) =>
    variant === null && found.some(({ replaces }) => replaces === meter)
  // What the list says itself of such a use holds. A list that has thresholds at all has those that there are.
  const isStated = (rule: CatalogRate) =>
    own.some(
      (rate) =>
        (rule.threshold !== null && rate.threshold !== null) ||
        (rule.meter === rate.meter && rule.variant === rate.variant && rule.threshold === rate.threshold),
    )
  const added = found.flatMap(({ rates = [] }) => rates).filter((rule) => !isStated(rule))
  return found.length === 0 ? own : [...own.filter((rate) => !isReplaced(rate)), ...added]
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
