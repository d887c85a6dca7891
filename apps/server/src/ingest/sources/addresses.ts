/** Where a source is published, under which licence, and how often it is worth reading. */
export interface SourceAddress {
  url: string
  /** As `parseDuration` reads it. */
  every: string
  /** The SPDX name of the licence of its data; null: its publisher states none. */
  licence: string | null
  /** Read only where it is named: its publisher's terms do not say that others may, or it only bears witness. */
  isNamedOnly?: true
  /** Whether it answers only with a key of one's own, in `FEED_KEYS`. */
  needsKey?: true
}

/**
 * Sellers' own lists and pages. Whether their terms allow a program to read them every few hours nobody has checked, and of most
 * nobody here has seen an answer (docs/feed.md).
 */
const sellersOwn = { every: '6h', licence: null, isNamedOnly: true } as const
export const hostAddresses = {
  venice: { ...sellersOwn, url: 'https://api.venice.ai/api/v1/models?type=all' },
  ovhcloud: { ...sellersOwn, url: 'https://catalog.endpoints.ai.ovh.net/rest/v2/openrouter' },
  atlascloud: { ...sellersOwn, url: 'https://console.atlascloud.ai/api/v1/models' },
  huggingface: { ...sellersOwn, url: 'https://router.huggingface.co/v1/models' },
  deepinfra: { ...sellersOwn, url: 'https://api.deepinfra.com/models/list' },
  vercel: { ...sellersOwn, url: 'https://ai-gateway.vercel.sh/v1/models' },
  together: { ...sellersOwn, url: 'https://api.together.xyz/v1/models', needsKey: true },
  novita: { ...sellersOwn, url: 'https://api.novita.ai/openai/v1/models', needsKey: true },
  xai: { ...sellersOwn, url: 'https://api.x.ai/v1/language-models', needsKey: true },
  cerebras: { ...sellersOwn, url: 'https://api.cerebras.ai/public/v1/models' },
  chutes: { ...sellersOwn, url: 'https://llm.chutes.ai/v1/models' },
  llmgateway: { ...sellersOwn, url: 'https://api.llmgateway.io/v1/models' },
  aihubmix: { ...sellersOwn, url: 'https://aihubmix.com/api/v1/models' },
} satisfies Record<string, SourceAddress>

// GitHub answers conditional requests of the files of a branch with an ETag, so that a reading without news costs no
// transfer.
export const addresses = {
  'anthropic-page': { ...sellersOwn, url: 'https://platform.claude.com/docs/en/about-claude/pricing.md' },
  'aws-price-list': awsOffer('AmazonBedrock'),
  'aws-price-list-models': awsOffer('AmazonBedrockFoundationModels'),
  'aws-price-list-service': awsOffer('AmazonBedrockService'),
  'deepseek-page': { ...sellersOwn, url: 'https://api-docs.deepseek.com/quick_start/pricing' },
  'deepseek-page-cn': { ...sellersOwn, url: 'https://api-docs.deepseek.com/zh-cn/quick_start/pricing' },
  'anthropic-retirements': {
    ...sellersOwn,
    url: 'https://platform.claude.com/docs/en/about-claude/model-deprecations.md',
  },
  'genai-prices': {
    url: 'https://raw.githubusercontent.com/pydantic/genai-prices/main/prices/new_data/v2/data.json',
    every: '6h',
    licence: 'MIT',
  },
  'google-page': { ...sellersOwn, url: 'https://ai.google.dev/gemini-api/docs/pricing.md.txt' },
  'google-retirements': {
    ...sellersOwn,
    url: 'https://docs.cloud.google.com/gemini-enterprise-agent-platform/models/model-versions',
  },
  litellm: {
    url: 'https://raw.githubusercontent.com/BerriAI/litellm/main/model_prices_and_context_window.json',
    every: '1h',
    licence: 'MIT',
  },
  'llm-prices': { url: 'https://www.llm-prices.com/historical-v1.json', every: '6h', licence: null },
  'models.dev': { url: 'https://models.dev/api.json', every: '1h', licence: 'MIT' },
  'moonshot-page': { ...sellersOwn, url: 'https://platform.kimi.ai/docs/pricing/chat.md' },
  'moonshot-page-cn': { ...sellersOwn, url: 'https://platform.kimi.com/docs/pricing/chat' },
  'openai-page': { ...sellersOwn, url: 'https://developers.openai.com/api/docs/pricing.md' },
  'openai-retirements': { ...sellersOwn, url: 'https://developers.openai.com/api/docs/deprecations.md' },
  openrouter: { url: 'https://openrouter.ai/api/v1/models', every: '1h', licence: null },
  portkey: {
    url: 'https://codeload.github.com/Portkey-AI/models/tar.gz/refs/heads/main',
    every: '6h',
    licence: 'MIT',
  },
  'venice-retirements': { ...sellersOwn, url: 'https://docs.venice.ai/overview/deprecations.md' },
  'voyage-page': { ...sellersOwn, url: 'https://docs.voyageai.com/docs/pricing.md' },
  'xai-page': { ...sellersOwn, url: 'https://docs.x.ai/docs/models' },
  'zai-page': { ...sellersOwn, url: 'https://docs.z.ai/guides/overview/pricing' },
  ...hostAddresses,
} satisfies Record<string, SourceAddress>

/** An offer of Bedrock in the AWS Price List, of the region whose prices other lists state without a region. */
function awsOffer(code: string): SourceAddress {
  return {
    ...sellersOwn,
    url: `https://pricing.us-east-1.amazonaws.com/offers/v1.0/aws/${code}/current/us-east-1/index.json`,
    every: '24h',
  }
}
