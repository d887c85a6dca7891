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
 * Sellers' own lists. Whether their terms allow a program to read them every few hours nobody has checked, and of most
 * nobody here has seen an answer (docs/feed.md).
 */
const hostList = { every: '6h', licence: null, isNamedOnly: true } as const
export const hostAddresses = {
  venice: { ...hostList, url: 'https://api.venice.ai/api/v1/models?type=all' },
  ovhcloud: { ...hostList, url: 'https://catalog.endpoints.ai.ovh.net/rest/v2/openrouter' },
  atlascloud: { ...hostList, url: 'https://console.atlascloud.ai/api/v1/models' },
  huggingface: { ...hostList, url: 'https://router.huggingface.co/v1/models' },
  deepinfra: { ...hostList, url: 'https://api.deepinfra.com/models/list' },
  vercel: { ...hostList, url: 'https://ai-gateway.vercel.sh/v1/models' },
  together: { ...hostList, url: 'https://api.together.xyz/v1/models', needsKey: true },
  novita: { ...hostList, url: 'https://api.novita.ai/openai/v1/models', needsKey: true },
  xai: { ...hostList, url: 'https://api.x.ai/v1/language-models', needsKey: true },
  cerebras: { ...hostList, url: 'https://api.cerebras.ai/public/v1/models' },
  chutes: { ...hostList, url: 'https://llm.chutes.ai/v1/models' },
  llmgateway: { ...hostList, url: 'https://api.llmgateway.io/v1/models' },
  aihubmix: { ...hostList, url: 'https://aihubmix.com/api/v1/models' },
} satisfies Record<string, SourceAddress>

// GitHub answers conditional requests of the files of a branch with an ETag, so that a reading without news costs no
// transfer.
export const addresses = {
  'anthropic-page': {
    url: 'https://platform.claude.com/docs/en/about-claude/pricing.md',
    every: '6h',
    licence: null,
    isNamedOnly: true,
  },
  'aws-price-list': awsOffer('AmazonBedrock'),
  'aws-price-list-models': awsOffer('AmazonBedrockFoundationModels'),
  'aws-price-list-service': awsOffer('AmazonBedrockService'),
  'deepseek-page': {
    url: 'https://api-docs.deepseek.com/quick_start/pricing',
    every: '6h',
    licence: null,
    isNamedOnly: true,
  },
  'deepseek-page-cn': {
    url: 'https://api-docs.deepseek.com/zh-cn/quick_start/pricing',
    every: '6h',
    licence: null,
    isNamedOnly: true,
  },
  'anthropic-retirements': {
    url: 'https://platform.claude.com/docs/en/about-claude/model-deprecations.md',
    every: '6h',
    licence: null,
    isNamedOnly: true,
  },
  'genai-prices': {
    url: 'https://raw.githubusercontent.com/pydantic/genai-prices/main/prices/new_data/v2/data.json',
    every: '6h',
    licence: 'MIT',
  },
  'google-page': {
    url: 'https://ai.google.dev/gemini-api/docs/pricing.md.txt',
    every: '6h',
    licence: null,
    isNamedOnly: true,
  },
  'google-retirements': {
    url: 'https://docs.cloud.google.com/gemini-enterprise-agent-platform/models/model-versions',
    every: '6h',
    licence: null,
    isNamedOnly: true,
  },
  litellm: {
    url: 'https://raw.githubusercontent.com/BerriAI/litellm/main/model_prices_and_context_window.json',
    every: '1h',
    licence: 'MIT',
  },
  'llm-prices': { url: 'https://www.llm-prices.com/historical-v1.json', every: '6h', licence: null },
  'models.dev': { url: 'https://models.dev/api.json', every: '1h', licence: 'MIT' },
  'moonshot-page': {
    url: 'https://platform.kimi.ai/docs/pricing/chat.md',
    every: '6h',
    licence: null,
    isNamedOnly: true,
  },
  'moonshot-page-cn': {
    url: 'https://platform.kimi.com/docs/pricing/chat',
    every: '6h',
    licence: null,
    isNamedOnly: true,
  },
  'openai-page': {
    url: 'https://developers.openai.com/api/docs/pricing.md',
    every: '6h',
    licence: null,
    isNamedOnly: true,
  },
  'openai-retirements': {
    url: 'https://developers.openai.com/api/docs/deprecations.md',
    every: '6h',
    licence: null,
    isNamedOnly: true,
  },
  openrouter: { url: 'https://openrouter.ai/api/v1/models', every: '1h', licence: null },
  portkey: {
    url: 'https://codeload.github.com/Portkey-AI/models/tar.gz/refs/heads/main',
    every: '6h',
    licence: 'MIT',
  },
  'venice-retirements': {
    url: 'https://docs.venice.ai/overview/deprecations.md',
    every: '6h',
    licence: null,
    isNamedOnly: true,
  },
  'voyage-page': {
    url: 'https://docs.voyageai.com/docs/pricing.md',
    every: '6h',
    licence: null,
    isNamedOnly: true,
  },
  'xai-page': {
    url: 'https://docs.x.ai/docs/models',
    every: '6h',
    licence: null,
    isNamedOnly: true,
  },
  'zai-page': {
    url: 'https://docs.z.ai/guides/overview/pricing',
    every: '6h',
    licence: null,
    isNamedOnly: true,
  },
  ...hostAddresses,
} satisfies Record<string, SourceAddress>

/** An offer of Bedrock in the AWS Price List, of the region whose prices other lists state without a region. */
function awsOffer(code: string): SourceAddress {
  return {
    url: `https://pricing.us-east-1.amazonaws.com/offers/v1.0/aws/${code}/current/us-east-1/index.json`,
    every: '24h',
    licence: null,
    isNamedOnly: true,
  }
}
