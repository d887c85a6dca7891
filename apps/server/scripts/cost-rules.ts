import { exactDecimal, formatDecimal, times } from '../../../packages/cost/src/exact.ts'
import type { CatalogAmounts, CatalogRate, CatalogRecord } from '../../../packages/cost/src/types.ts'
import { doubt, rate } from '../../../packages/cost/src/unit.ts'
import { moveRules } from './cost-moves.ts'
import { tierRules } from './cost-tiers.ts'

// What vendors publish and lists of prices leave out: fees, thresholds, factors, ends. All such rules are here, each with its
// source. What a catalog itself states of a condition wins. A rule that nobody has published is a doubt, not a figure.

/** The price of a tier, or of another meter, as a share of the standard one. */
interface Share {
  readonly of: string
  readonly meters: RegExp
  readonly tier?: string
  readonly meter?: string
  readonly variant?: string
}

export interface VendorRule {
  /** The records for which it holds: the beginning of their ids. */
  readonly records: RegExp
  /** It belongs to this price: the input of the record. */
  readonly input?: string
  readonly rates?: readonly CatalogRate[]
  readonly shares?: readonly Share[]
  /** Of long prompts it says nothing. */
  readonly isShort?: boolean
  /** Long prompts cost what others do, though the list says otherwise. */
  readonly isFlat?: boolean
  /** In the place of those of the list, which are wrong. */
  readonly amounts?: Partial<CatalogAmounts>
  /** Prices of before those of the list, each with the first day of the next one. */
  readonly earlier?: readonly (Partial<CatalogAmounts> & {
    readonly until: string
    readonly rates?: readonly CatalogRate[]
  })[]
  /** Prices that came after those of the list, each with its first day; the last one holds. */
  readonly later?: readonly (Partial<CatalogAmounts> & { readonly from: string })[]
  /** A meter whose rate in the catalog is wrong beside these: the list has one for all sizes. */
  readonly replaces?: string
  /** The price has ended on this day. */
  readonly endedOn?: string
}

const free = { input_per_mtok: '0', cached_input_per_mtok: '0', output_per_mtok: '0' }
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
  // That each request of these models searches once, at the price of the tool, nobody writes.
  {
    records: /^openai:gpt-4o(?:-mini)?-search-preview/,
    rates: [rate('requests', '0.025'), doubt('requests')],
  },
  {
    records: /^openai:(?:gpt-(?:4o(?:-mini|-2024-05-13)?$|4\.1|5(?!-image))|o\d)/,
    rates: [rate('searches', '0.01'), rate('searches', '0.0025', 'file')],
  },
  // The same page: a search counts as 8,000 tokens of input. Whether the answer's input has them it does not say.
  { records: /^openai:gpt-4(?:o|\.1)-mini$/, rates: [doubt('searches')] },
  // The same page: moderation is free. And openrouter.ai/docs, "Free variant": `:free` costs nothing.
  { records: /^openai:moderation$|^openrouter:.*:free$/, amounts: free },
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
  // The same page, 2026-08: from version 4.6 on inference in the US alone costs 1.1 times as much.
  {
    records: /^(?:anthropic|azure):claude-(?:[a-z]+-(?:4-[6-9]|[5-9])|[5-9])/,
    rates: [rate('price_multiplier', '1.1', 'us')],
  },
  // The same page: from version 4.5 on Google Cloud's regions cost 1.1 times the global endpoint; models before cost the same.
  {
    records: /^vertex_ai:.*claude-(?:[a-z]+-(?:4-[5-9]|[5-9])|[5-9])/,
    rates: [rate('price_multiplier', '1.1', 'regional')],
  },
  {
    records: /^vertex_ai:.*claude-(?:[23]|4-[a-z]+$|[a-z]+-4(?:-[01])?(?:[@:-]\d{8}.*)?$)/,
    rates: [rate('price_multiplier', '1', 'regional')],
  },
  // platform.claude.com, "Pricing", 2026-08-11, "Long context pricing"; LiteLLM's map has none on Vertex AI either.
  { records: /^vertex_ai:claude-opus-4-6$/, isFlat: true },
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
  // developers.openai.com, "Pricing", built-in tools: a container by its memory, once in twenty minutes; an answer may
  // have found it open. Azure's is as LiteLLM's map of 2026-08-01 has it.
  {
    records: /^openai:(?:gpt-(?:4o|4\.1|[5-9])|o\d)/,
    rates: [
      rate('code_interpreter_sessions', '0.03'),
      rate('code_interpreter_sessions', '0.12', '4g'),
      rate('code_interpreter_sessions', '0.48', '16g'),
      rate('code_interpreter_sessions', '1.92', '64g'),
      doubt('code_interpreter_sessions'),
    ],
  },
  {
    records: /^azure:(?:gpt-(?:4o|4\.1|[5-9])|o\d)/,
    rates: [rate('code_interpreter_sessions', '0.03'), doubt('code_interpreter_sessions')],
  },
  // prices.azure.com, 2025-08-25: searches of files, by the deployment's scope; and prices of which the list has others.
  {
    records: /^azure:(?:gpt-(?:4o|4\.1|[5-9])|o\d)/,
    rates: [
      rate('searches', '0.0025', 'file'),
      rate('searches', '0.00275', 'file/us'),
      rate('searches', '0.00275', 'file/eu'),
    ],
  },
  { records: /^azure:o4-mini$/, amounts: { cached_input_per_mtok: '0.275' } },
  {
    records: /^azure:phi-4(?:-reasoning-plus)?$/,
    input: '0.07',
    amounts: { input_per_mtok: '0.125', output_per_mtok: '0.5' },
  },
  {
    records: /^azure:phi-4-mini-instruct$/,
    input: '0.08',
    amounts: { input_per_mtok: '0.075', output_per_mtok: '0.3' },
  },
  {
    records: /^azure:phi-4-multimodal-instruct$/,
    input: '0.05',
    amounts: { input_per_mtok: '0.08', output_per_mtok: '0.32' },
  },
  // developers.openai.com, models: spoken chat before gpt-audio. LiteLLM's map of 2026-08-01 has the same.
  {
    records: /^openai:gpt-4o-audio-preview$/,
    rates: [rate('input_audio_tokens', '40'), rate('output_audio_tokens', '80')],
  },
  {
    records: /^openai:gpt-4o-mini-audio-preview/,
    rates: [rate('input_audio_tokens', '10'), rate('output_audio_tokens', '20')],
  },
  // developers.openai.com, "Pricing", 2026-04 to 2026-07: regional processing of models since March 5, 2026.
  { records: /^openai:gpt-5\.[4-6]/, rates: [rate('price_multiplier', '1.1', 'regional')] },
  // ai.google.dev, "Gemini Developer API pricing", 2026-05-07: grounding, by the prompt up to Gemini 2.5 and by the query since;
  // a number that an account shares among its models is free.
  // Vertex AI's are the same in LiteLLM's map of 2026-08-01.
  {
    records: /^(?:google|vertex_ai):gemini-2\.[05]-(?:pro|flash|flash-lite)$/,
    rates: [rate('searches', '0.035'), rate('searches', '0.025', 'maps'), doubt('searches')],
  },
  { records: /^(?:google|vertex_ai):gemini-3/, rates: [rate('searches', '0.014'), doubt('searches')] },
  // The same map: on Amazon and Vertex AI a write for an hour costs twice the input, and on Vertex AI a search what it costs at Anthropic, for these models.
  {
    records:
      /^vertex_ai:claude-(?:3-7-sonnet|4-(?:opus|sonnet)|(?:opus|sonnet|haiku|fable)-(?:4-[1-8]|5))$|^bedrock:.*\.claude-(?:opus|sonnet|haiku|fable)-(?:4-[5-8]|5(?!-))/,
    shares: [{ variant: '1h', meter: 'cache_write_tokens', of: '2', meters: /^input_tokens$/ }],
  },
  {
    records: /^vertex_ai:claude-(?:4-(?:opus|sonnet)|opus-4-[5-8]|sonnet-4-6|(?:opus|sonnet|fable)-5)$/,
    rates: [rate('searches', '0.01')],
  },
  // docs.x.ai, "Models and Pricing", 2026-05: tools by the call; live search, 2025-11, by the source.
  {
    records: /^xai:grok-(?!voice)/,
    rates: [
      rate('searches', '0.005'),
      rate('searches', '0.005', 'x'),
      rate('searches', '0.0025', 'file'),
      rate('searches', '0.01', 'attachment'),
      rate('code_executions', '0.005'),
      rate('search_sources', '0.025'),
    ],
  },
  // cloud.google.com, "Vertex AI pricing": Gemini 2.5 has one price for all regions, as in LiteLLM's map.
  { records: /^vertex_ai:gemini-2\.5/, rates: [rate('price_multiplier', '1', 'regional')] },
  // docs.mistral.ai, the models' data of 2026-07-15: the name means Small 4.
  {
    records: /^mistral:mistral-small-latest$/,
    input: '0.1',
    amounts: { input_per_mtok: '0.15', cached_input_per_mtok: '0.015', output_per_mtok: '0.6' },
  },
  // The same data: transcriptions are paid by the minute, and tokens of theirs are not.
  { records: /^mistral:voxtral-mini-2602$/, amounts: { input_per_mtok: '0', output_per_mtok: '0' } },
  { records: /^mistral:voxtral-small-24b-2507$/, rates: [rate('input_audio_minutes', '0.004')] },
  // groq.com, "Pricing": a request is billed for ten seconds at least.
  { records: /^groq:.*whisper/, rates: [rate('least_seconds', '10')] },
  // api-docs.deepseek.com, "Models & Pricing", since 2026-08-23: peak hours are those of Monday to Friday.
  { records: /^deepseek:deepseek-v4/, rates: [rate('week_hours', '1')] },
  ...moveRules(),
  ...tierRules(),
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

/** The rates of a record with those that its vendor publishes beside the lists. */
export function withRules(
  record: CatalogAmounts & Pick<CatalogRecord, 'rates'>,
  found: readonly VendorRule[],
): readonly CatalogRate[] {
  const own = record.rates ?? []
  const isReplaced = ({ meter, variant, threshold }: CatalogRate) =>
    found.some(
      ({ replaces, isFlat }) => (variant === null && replaces === meter) || (isFlat && threshold !== null),
    )
  // A list that has thresholds at all has those that there are.
  const hasThresholds = own.some(({ threshold }) => threshold !== null)
  const added = found
    .flatMap(({ rates = [] }) => rates)
    .filter(({ threshold }) => threshold === null || !hasThresholds)
  const kept = [...own.filter((rate) => !isReplaced(rate)), ...added]
  const standard = [
    ...tokenColumns.flatMap(([field, meter]) => (record[field] === null ? [] : [rate(meter, record[field])])),
    ...kept.filter(({ service_tier, hours }) => service_tier === null && hours === null),
  ]
  const shared = found.flatMap((rule) =>
    (rule.shares ?? []).flatMap((share) => sharesOf(standard, rule, share)),
  )
  // What the list says itself of such a use holds, and of two rules the first.
  const byKey = new Map<string, CatalogRate>()
  for (const one of [...kept, ...shared]) {
    const key = [one.meter, one.service_tier, one.variant, one.threshold, one.hours].join()
    if (!byKey.has(key)) byKey.set(key, one)
  }
  return [...byKey.values()]
}

const tokenColumns = [
  ['input_per_mtok', 'input_tokens'],
  ['output_per_mtok', 'output_tokens'],
  ['cached_input_per_mtok', 'cached_input_tokens'],
] as const

function sharesOf(
  standard: readonly CatalogRate[],
  { isShort }: VendorRule,
  { of, meters, tier, meter, variant }: Share,
): CatalogRate[] {
  return standard
    .filter((one) => meters.test(one.meter) && !(isShort && one.threshold !== null))
    .map((one) => ({
      ...one,
      amount: formatDecimal(times(exactDecimal(one.amount), exactDecimal(of))),
      service_tier: tier ?? null,
      meter: meter ?? one.meter,
      variant: variant ?? one.variant,
    }))
}
