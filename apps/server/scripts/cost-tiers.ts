import type { VendorRule } from './cost-rules.ts'

// What vendors publish of batches, flex, priority and fast modes, as shares of the standard price; each with its page. Where a
// page has no price of a kind of token in a tier, there is no rule: OpenAI has none of what is cached in a batch of its older
// models. Amounts that pages round, and that no share gives, are typed as they stand.

const text = /^(?:in|out)put_tokens$/
const textAndCache = /^(?:(?:cached_)?input|output|cache_write)_tokens$/
/** All but what was cached: Google's batches and flex cost half, and cached tokens as in the standard tier. */
const uncached = /^(?:in|out)put_\w*tokens$/
const cached = /^cached_\w+$/

const batchHalf = (meters: RegExp) => [{ tier: 'batch', of: '0.5', meters }]
const halves = (meters: RegExp) => [...batchHalf(meters), { tier: 'flex', of: '0.5', meters }]
const priority = (of: string) => [{ tier: 'priority', of, meters: textAndCache }]
const amount = (tier: string, meter: string, amount: string) => ({
  meter,
  unit: '1m_tokens',
  amount,
  service_tier: tier,
  variant: null,
  threshold: null,
  hours: null,
})

/** Models of OpenAI by what they cost more in the priority tier; a price that has moved since the page has no rule. */
const openAiPriority: readonly [of: string, input: string, records: RegExp][] = [
  ['2', '5', /^openai:gpt-5\.6-sol$/],
  ['2', '2.5', /^openai:gpt-5\.(?:6-terra|4)$/],
  ['2', '1', /^openai:gpt-5\.6-luna$/],
  // LiteLLM's map of 2026-08-01, after the cut of July 30.
  ['2', '2', /^openai:gpt-5\.6-terra$/],
  ['2', '0.2', /^openai:gpt-5\.6-luna$/],
  ['2.5', '5', /^openai:gpt-5\.5$/],
  ['2', '0.75', /^openai:gpt-5\.4-mini$/],
  ['2', '1.75', /^openai:gpt-5\.(?:2|3-codex)$/],
  ['2', '1.25', /^openai:gpt-5(?:\.1)?$/],
  ['1.8', '0.25', /^openai:gpt-5-mini$/],
  ['1.75', '2', /^openai:(?:gpt-4\.1|o3)$/],
  ['1.75', '0.4', /^openai:gpt-4\.1-mini$/],
  ['2', '0.1', /^openai:gpt-4\.1-nano$/],
  ['1.7', '2.5', /^openai:gpt-4o$/],
  ['1.75', '5', /^openai:gpt-4o-2024-05-13$/],
]

export const tierRules: () => readonly VendorRule[] = () => [
  // developers.openai.com, "Pricing", 2026-07-15: the tables of batch, flex and priority. A long prompt raises batch and flex as
  // it raises the standard tier: pages of the models with 272,000 tokens; of priority they say nothing.
  {
    records: /^openai:gpt-5\.4$/,
    rates: ['batch', 'flex'].map((tier) => amount(tier, 'cached_input_tokens', '0.13')),
  },
  {
    records: /^openai:gpt-5(?:|-mini|-nano|\.1|\.2|\.4(?:-mini|-nano|-pro)?|\.5(?:-pro)?|\.6-\w+)$/,
    shares: halves(textAndCache),
  },
  // developers.openai.com, pages of GPT-6 Sol and Luna, 2026-09: flex costs half and priority twice, batches what flex does.
  { records: /^openai:gpt-6-(?:sol|luna)$/, shares: [...halves(textAndCache), ...priority('2')] },
  { records: /^openai:gpt-5(?:\.2)?-pro$/, shares: batchHalf(text) },
  {
    records:
      /^openai:(?:gpt-4\.1(?:-mini|-nano)?|gpt-4o(?:-mini|-2024-05-13)?|o1(?:-pro|-mini)?|o3(?:-pro|-mini|-deep-research)?|o4-mini(?:-deep-research)?|computer-use)$/,
    shares: batchHalf(text),
  },
  {
    records: /^openai:gpt-(?:4|4-32k|4-turbo|4-vision-preview|3\.5-turbo|3\.5-turbo-16k)$/,
    shares: batchHalf(text),
  },
  { records: /^openai:(?:davinci|babbage)-002$/, shares: batchHalf(text) },
  {
    records: /^openai:gpt-3\.5-(?:turbo-1106|turbo-0613|0301)$/,
    shares: [{ tier: 'batch', of: '1', meters: text }],
  },
  { records: /^openai:o3$/, shares: [{ tier: 'flex', of: '0.5', meters: textAndCache }] },
  {
    records: /^openai:o4-mini$/,
    input: '1.1',
    rates: [
      amount('flex', 'cached_input_tokens', '0.138'),
      amount('priority', 'input_tokens', '2'),
      amount('priority', 'cached_input_tokens', '0.5'),
      amount('priority', 'output_tokens', '8'),
    ],
    shares: [{ tier: 'flex', of: '0.5', meters: text }],
  },
  {
    records: /^openai:gpt-4o-mini$/,
    input: '0.15',
    rates: [
      amount('priority', 'input_tokens', '0.25'),
      amount('priority', 'cached_input_tokens', '0.125'),
      amount('priority', 'output_tokens', '1'),
    ],
  },
  ...openAiPriority.map(([of, input, records]) => ({ records, input, shares: priority(of), isShort: true })),
  // The same page, 2026-05: batches of images; and of embeddings and fine-tuned models, whose tables LiteLLM's map of 2026-08-01
  // has as well.
  { records: /^openai:gpt-image-(?:2|1\.5|1-mini)$/, shares: batchHalf(/_tokens$/) },
  { records: /^openai:text-embedding-(?:3-small|3-large|ada-002)$/, shares: batchHalf(text) },
  { records: /^openai:ft:(?!gpt-4o-mini$)/, shares: batchHalf(text) },
  // prices.azure.com, 2025-08-25: global batches; those of GPT-5 state cached input as well.
  { records: /^azure:gpt-5(?:-mini|-nano)?$/, shares: batchHalf(textAndCache) },
  {
    records:
      /^azure:(?:gpt-4\.1(?:-mini|-nano)?|gpt-4o(?:-mini)?|o1(?:-mini|-pro)?|o3(?:-mini|-pro|-2025-04-16)?|o4-mini)$/,
    shares: batchHalf(text),
  },
  // azure.microsoft.com, "Azure OpenAI pricing", as LiteLLM's map of 2026-08-01 has it: priority costs twice.
  ...(
    [
      ['1.25', /^azure:gpt-5\.1$/],
      ['1.75', /^azure:gpt-5\.2$/],
      ['2.5', /^azure:gpt-5\.4$/],
      ['0.75', /^azure:gpt-5\.4-mini$/],
    ] as const
  ).map(([input, records]) => ({ records, input, shares: priority('2'), isShort: true })),
  // platform.claude.com, "Pricing", 2026-08-11: a batch costs half of every price of tokens, and fast mode stated multiples; both
  // go with the factors of the cache and of regions.
  { records: /^anthropic:/, rates: [factor('0.5', 'batch')] },
  { records: /^anthropic:claude-opus-4-[67]/, rates: [factor('6', 'fast')] },
  { records: /^anthropic:claude-opus-(?:4-8|5)(?:-2\d+)?$/, rates: [factor('2', 'fast')] },
  // ai.google.dev, "Gemini Developer API pricing", 2026-05-07, and "Batch API": half of the standard price, priority 1.8 times.
  {
    records: /^google:gemini-3\.1-flash-lite$/,
    shares: halves(/_tokens$/),
    rates: [factor('1.8', 'priority')],
  },
  {
    records: /^google:gemini-(?:2\.5-(?:pro|flash|flash-lite)|3-flash-preview|3\.1-pro-preview)$/,
    shares: [
      ...halves(uncached),
      { tier: 'batch', of: '1', meters: cached },
      { tier: 'flex', of: '1', meters: cached },
    ],
    rates: [factor('1.8', 'priority')],
  },
  {
    records: /^google:gemini-(?:2\.5-flash|3-pro)-image(?:-preview)?$/,
    shares: halves(uncached),
    rates: [factor('1.8', 'priority')],
  },
  {
    records: /^google:gemini-2\.0-flash/,
    shares: [...batchHalf(uncached), { tier: 'batch', of: '1', meters: cached }],
  },
  {
    records:
      /^google:gemini-(?:embedding-001|3-pro-preview|3\.1-flash-image-preview|3\.[5-9]-flash(?:-lite)?|robotics-er-1\.6-preview|[\w.-]+-tts(?:-preview)?)$/,
    shares: batchHalf(uncached),
  },
  // cloud.google.com, "Vertex AI pricing": batches cost half, those of two Claudes too. Priority as LiteLLM's map of 2026-08-01 has that page.
  { records: /^vertex_ai:gemini-(?:2\.5-(?:pro|flash|flash-lite)|3)/, shares: batchHalf(uncached) },
  // docs.cloud.google.com, "Batch inference": the discount of the cache takes precedence, and the two do not add up.
  {
    records: /^vertex_ai:gemini-2\.5-(?:pro|flash|flash-lite)$/,
    shares: [{ tier: 'batch', of: '1', meters: cached }],
  },
  { records: /^vertex_ai:claude-(?:opus-4-1|sonnet-4-5)$/, shares: batchHalf(text) },
  {
    records: /^vertex_ai:gemini-(?:3-pro|3\.1-pro)-preview$/,
    rates: [factor('1.8', 'priority')],
  },
  // aws.amazon.com, "Bedrock pricing": batches of these makers' models cost half; caches are not for batches.
  {
    records:
      /^bedrock:.*(?:amazon\.nova-(?:lite|micro|pro)-v1|anthropic\.claude-(?:3|[a-z]+-4)|meta\.llama(?:3|4)-|mistral\.mistral-(?:large-2407|small))/,
    shares: batchHalf(text),
  },
  // The offer of AmazonBedrock, 2026-07-23: three tiers of these models.
  {
    records: /^bedrock:(?:openai\.gpt-oss-120b|qwen\.qwen3-32b)/,
    shares: [...halves(text), { tier: 'priority', of: '1.75', meters: text }],
  },
  // console.groq.com, "Flex processing" and "Batch": flex costs what on-demand costs, a batch half; its discount and that of the
  // cache do not add up.
  { records: /^groq:(?!whisper)/, rates: [factor('1', 'flex')], shares: batchHalf(text) },
  // docs.mistral.ai, the models' data of 2026-07-15: batches cost half, where a model has them.
  {
    records:
      /^mistral:(?:codestral|devstral|magistral|ministral|mistral-(?:large|medium|small|nemo|embed)|pixtral|voxtral-small)[\w.-]*$/,
    shares: batchHalf(text),
  },
  { records: /^mistral:mistral-ocr-(?!2503)/, shares: batchHalf(/_pages$/) },
]

/** On all prices of tokens. */
function factor(of: string, variant: string) {
  return {
    meter: 'price_multiplier',
    unit: 'multiplier',
    amount: of,
    service_tier: null,
    variant,
    threshold: null,
    hours: null,
  }
}
