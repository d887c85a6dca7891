/**
 * The precedence of sources. Data only: the rules that read it are in precedence.ts.
 */

/** An operator's own prices come before everything. */
export const operatorSources: readonly string[] = ['own-json', 'own-csv']

/** First to last: lists whose prices are checked by hand, then the larger ones. */
export const precedence: readonly string[] = [
  'genai-prices',
  'llm-prices',
  'litellm',
  'models.dev',
  'portkey',
  'openrouter',
  'openrouter-endpoints',
  // Sellers' own pages, which come first for their own platform and state no other.
  'anthropic-page',
  'openai-page',
  'deepseek-page',
  'deepseek-page-cn',
  'google-page',
  'moonshot-page',
  'moonshot-page-cn',
  'voyage-page',
  'xai-page',
  'zai-page',
  'anthropic-retirements',
  'google-retirements',
  'openai-retirements',
  'venice-retirements',
]

/**
 * How often a list states what two or more others agree on, 0 to 1: of 981 amounts of models.dev, 1,182
 * of portkey, 241 of llm-prices, 626 of genai-prices and 1,189 of litellm, in their newest files of July and August 2026.
 * Platforms on which 20 or more are compared have a share of their own. A test counts it again where the files are. In
 * the states of July and September 2025, when there were three lists, it was 100 % of 229 for genai-prices, 92 % of 248
 * for litellm and 90 % of 254 for models.dev: a share is of its time. OpenRouter's list speaks of its own platform alone.
 */
export const reliability: Readonly<
  Record<string, { overall: number; byPlatform: Readonly<Record<string, number>> }>
> = {
  'genai-prices': {
    overall: 0.921,
    byPlatform: {
      anthropic: 0.986,
      azure: 0.663,
      bedrock: 0.983,
      fireworks: 0.953,
      google: 0.934,
      moonshot: 0.98,
      novita: 0.891,
      openai: 0.995,
      xai: 0.961,
    },
  },
  'llm-prices': {
    overall: 0.923,
    byPlatform: { anthropic: 0.979, google: 0.984, mistral: 0.86, openai: 0.963, xai: 0.901 },
  },
  litellm: {
    overall: 0.924,
    byPlatform: {
      anthropic: 0.989,
      azure: 0.957,
      bedrock: 0.83,
      cloudflare: 0.986,
      dashscope: 0.86,
      fireworks: 0.97,
      google: 0.877,
      groq: 0.975,
      mistral: 0.797,
      moonshot: 0.979,
      novita: 0.994,
      openai: 0.98,
      together: 0.954,
      vertex_ai: 0.902,
      xai: 0.922,
    },
  },
  'models.dev': {
    overall: 0.951,
    byPlatform: {
      anthropic: 0.993,
      azure: 0.94,
      bedrock: 0.915,
      cloudflare: 0.991,
      dashscope: 0.984,
      fireworks: 0.971,
      google: 0.935,
      mistral: 0.873,
      moonshot: 0.897,
      novita: 0.988,
      openai: 0.996,
      vertex_ai: 0.978,
      zai: 0.984,
    },
  },
  portkey: {
    overall: 0.927,
    byPlatform: {
      anthropic: 0.991,
      azure: 0.946,
      bedrock: 0.825,
      cloudflare: 0.952,
      dashscope: 0.976,
      fireworks: 0.954,
      google: 0.92,
      mistral: 0.873,
      moonshot: 0.982,
      novita: 0.976,
      openai: 0.975,
      together: 0.93,
      vertex_ai: 0.979,
      xai: 0.801,
      zai: 0.976,
    },
  },
}

export interface Official {
  platform: string
  /**
   * `list`: the platform's own list by id, which decides what exists there. `page`: what it publishes for people, which
   * names the models that matter to it and no snapshots. `cloud`: a bill's list of names, which only bears witness.
   */
  kind: 'list' | 'page' | 'cloud'
}

/** Sources that are the seller's own word, which comes before every other list for that platform. */
export const officialSources: Readonly<Record<string, Official>> = {
  'anthropic-page': { platform: 'anthropic', kind: 'page' },
  'deepseek-page': { platform: 'deepseek', kind: 'page' },
  'deepseek-page-cn': { platform: 'deepseek', kind: 'page' },
  'openai-page': { platform: 'openai', kind: 'page' },
  'anthropic-retirements': { platform: 'anthropic', kind: 'page' },
  'google-page': { platform: 'google', kind: 'page' },
  'google-retirements': { platform: 'vertex_ai', kind: 'page' },
  'moonshot-page': { platform: 'moonshot', kind: 'page' },
  'moonshot-page-cn': { platform: 'moonshot', kind: 'page' },
  'openai-retirements': { platform: 'openai', kind: 'page' },
  openrouter: { platform: 'openrouter', kind: 'list' },
  'aws-price-list': { platform: 'bedrock', kind: 'cloud' },
  'aws-price-list-models': { platform: 'bedrock', kind: 'cloud' },
  'aws-price-list-service': { platform: 'bedrock', kind: 'cloud' },
  'azure-retail-prices': { platform: 'azure', kind: 'cloud' },
  'google-billing-catalog': { platform: 'vertex_ai', kind: 'cloud' },
  venice: { platform: 'venice', kind: 'list' },
  ovhcloud: { platform: 'ovhcloud', kind: 'list' },
  atlascloud: { platform: 'atlascloud', kind: 'list' },
  huggingface: { platform: 'huggingface', kind: 'list' },
  'mistral-docs': { platform: 'mistral', kind: 'page' },
  // Read by documentation: while nobody has seen an answer, what is not found in it may exist all the same. Behind a key
  // a list shows what its account may use.
  deepinfra: { platform: 'deepinfra', kind: 'page' },
  vercel: { platform: 'vercel', kind: 'page' },
  cerebras: { platform: 'cerebras', kind: 'page' },
  chutes: { platform: 'chutes', kind: 'page' },
  llmgateway: { platform: 'llmgateway', kind: 'page' },
  aihubmix: { platform: 'aihubmix', kind: 'page' },
  together: { platform: 'together', kind: 'page' },
  novita: { platform: 'novita', kind: 'page' },
  xai: { platform: 'xai', kind: 'page' },
  'venice-retirements': { platform: 'venice', kind: 'page' },
  'voyage-page': { platform: 'voyage', kind: 'page' },
  'xai-page': { platform: 'xai', kind: 'page' },
  'zai-page': { platform: 'zai', kind: 'page' },
}

/**
 * Platforms whose rows a list copies from the platform's own, so that it confirms nothing there. Of OpenRouter's rows
 * 249 of 297 in models.dev and 297 of 327 in Portkey agree with its own list to the digit (July and August 2026), of
 * Venice's 63 of 71 in models.dev, a month apart, and of OVHcloud's 5 of 5 in models.dev and genai-prices. models.dev
 * and genai-prices name the lists that their programs read.
 */
export const copiedPlatforms: Readonly<Record<string, readonly string[]>> = {
  'genai-prices': ['huggingface', 'ovhcloud'],
  'models.dev': [
    ...[
      'baseten',
      'chutes',
      'cloudflare',
      'deepinfra',
      'huggingface',
      'llmgateway',
      'openrouter',
      'ovhcloud',
    ],
    ...['venice', 'vercel', 'xai'],
  ],
  'openrouter-endpoints': ['openrouter'],
  portkey: ['openrouter'],
}

/**
 * Lists whose ids are names of their own making and not those that a platform takes: `claude-4.5-haiku`,
 * `gpt-image-2-text`. They are no witness of how a maker spells its models.
 */
export const inventingSources: readonly string[] = ['llm-prices']

/**
 * What a list knows when it says `llm`. `none`: it says so of all that is billed by tokens; genai-prices calls
 * `text-embedding-3-small` one. `outputs`: it states what a model makes, and calls vectors and ranks text.
 */
export const modalityKnowledge: Readonly<Record<string, 'none' | 'outputs'>> = {
  'genai-prices': 'none',
  'llm-prices': 'none',
  'models.dev': 'outputs',
  openrouter: 'outputs',
  portkey: 'none',
}

/** The platform whose prices some lists file under the makers, and those lists. */
export const router = 'openrouter'
export const routerCopies: readonly string[] = ['genai-prices']
