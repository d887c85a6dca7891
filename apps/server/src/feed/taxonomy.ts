import type { Modality } from '../features/prices/price-record.ts'

/**
 * The sources' names of platforms and makers, and ours. Data only: the rules that read it are in linking.ts. A new name
 * upstream is a new line here.
 */

/** A seller as a source names it: the platform that is paid, and the maker of its models where a row names none. */
export interface Seller {
  platform: string
  vendor?: string
  /** The region of a seller that is a platform's branch in one country, with prices of its own. */
  region?: string
}

/**
 * Keyed by litellm's `litellm_provider` and key prefixes and by the provider ids of genai-prices, models.dev and
 * Portkey. Others keep their name.
 */
export const sellers: Readonly<Record<string, Seller>> = {
  alibaba: { platform: 'dashscope' },
  'alibaba-cn': { platform: 'dashscope', region: 'cn' },
  'amazon-bedrock': { platform: 'bedrock' },
  'amazon-nova': { platform: 'amazon_nova' },
  aws: { platform: 'bedrock' },
  'azure-ai': { platform: 'azure' },
  'azure-cognitive-services': { platform: 'azure' },
  'azure-openai': { platform: 'azure' },
  azure_ai: { platform: 'azure' },
  azure_text: { platform: 'azure' },
  'bedrock-mantle': { platform: 'bedrock' },
  bedrock_converse: { platform: 'bedrock' },
  bedrock_mantle: { platform: 'bedrock' },
  'cloudflare-workers-ai': { platform: 'cloudflare' },
  cohere_chat: { platform: 'cohere' },
  'fal-ai': { platform: 'fal_ai' },
  'fireworks-ai': { platform: 'fireworks' },
  fireworks_ai: { platform: 'fireworks' },
  'fireworks_ai-embedding-models': { platform: 'fireworks' },
  friendli: { platform: 'friendliai' },
  gemini: { platform: 'google' },
  'github-copilot': { platform: 'github_copilot' },
  gmicloud: { platform: 'gmi' },
  'google-vertex': { platform: 'vertex_ai' },
  'google-vertex-anthropic': { platform: 'vertex_ai', vendor: 'anthropic' },
  jina: { platform: 'jina_ai' },
  'lambda-ai': { platform: 'lambda_ai' },
  llama: { platform: 'meta_llama' },
  'minimax-cn': { platform: 'minimax', region: 'cn' },
  'mistral-ai': { platform: 'mistral' },
  moonshotai: { platform: 'moonshot' },
  'moonshotai-cn': { platform: 'moonshot', region: 'cn' },
  nova: { platform: 'amazon_nova' },
  'novita-ai': { platform: 'novita' },
  nvidia: { platform: 'nvidia_nim' },
  oracle: { platform: 'oci' },
  'perplexity-ai': { platform: 'perplexity' },
  'reka-ai': { platform: 'reka' },
  'siliconflow-cn': { platform: 'siliconflow', region: 'cn' },
  'snowflake-cortex': { platform: 'snowflake' },
  'stability-ai': { platform: 'stability' },
  'tencent-tokenhub': { platform: 'tencent' },
  // Mistral's separate endpoint for Codestral, with prices of its own.
  'text-completion-codestral': { platform: 'codestral' },
  'text-completion-inception': { platform: 'inception' },
  'text-completion-openai': { platform: 'openai' },
  'together-ai': { platform: 'together' },
  together_ai: { platform: 'together' },
  togetherai: { platform: 'together' },
  vercel_ai_gateway: { platform: 'vercel' },
  'vertex-ai': { platform: 'vertex_ai' },
  'vertex_ai-ai21_models': { platform: 'vertex_ai', vendor: 'ai21' },
  'vertex_ai-anthropic_models': { platform: 'vertex_ai', vendor: 'anthropic' },
  'vertex_ai-deepseek_models': { platform: 'vertex_ai', vendor: 'deepseek' },
  'vertex_ai-embedding-models': { platform: 'vertex_ai', vendor: 'google' },
  'vertex_ai-image-models': { platform: 'vertex_ai', vendor: 'google' },
  'vertex_ai-language-models': { platform: 'vertex_ai', vendor: 'google' },
  'vertex_ai-llama_models': { platform: 'vertex_ai', vendor: 'meta' },
  'vertex_ai-minimax_models': { platform: 'vertex_ai', vendor: 'minimax' },
  'vertex_ai-mistral_models': { platform: 'vertex_ai', vendor: 'mistral' },
  'vertex_ai-moonshot_models': { platform: 'vertex_ai', vendor: 'moonshot' },
  'vertex_ai-openai_models': { platform: 'vertex_ai' }, // also lists Google's Gemma
  'vertex_ai-qwen_models': { platform: 'vertex_ai', vendor: 'alibaba' },
  'vertex_ai-text-models': { platform: 'vertex_ai', vendor: 'google' },
  'vertex_ai-video-models': { platform: 'vertex_ai', vendor: 'google' },
  'vertex_ai-zai_models': { platform: 'vertex_ai', vendor: 'zai' },
  voyageai: { platform: 'voyage' },
  'workers-ai': { platform: 'cloudflare' },
  'x-ai': { platform: 'xai' },
  'z-ai': { platform: 'zai' },
  zhipu: { platform: 'zhipuai' },
}

/** litellm adds groups such as `vertex_ai-grok_models` as they come; the part before the hyphen is the seller. */
export const groupedSellers: readonly string[] = ['fireworks_ai', 'vertex_ai']

/** Platforms that sell one maker's models only: a row that names no maker is that maker's. */
export const soleMakers: Readonly<Record<string, string>> = {
  ai21: 'ai21',
  amazon_nova: 'amazon',
  anthropic: 'anthropic',
  assemblyai: 'assemblyai',
  aws_polly: 'amazon',
  bailing: 'inclusionai',
  black_forest_labs: 'black_forest_labs',
  codestral: 'mistral',
  cohere: 'cohere',
  deepgram: 'deepgram',
  deepseek: 'deepseek',
  elevenlabs: 'elevenlabs',
  gigachat: 'sberbank',
  google: 'google',
  inception: 'inception',
  jina_ai: 'jina_ai',
  meta: 'meta',
  meta_llama: 'meta',
  minimax: 'minimax',
  mistral: 'mistral',
  moonshot: 'moonshot',
  morph: 'morph',
  nomic: 'nomic',
  openai: 'openai',
  palm: 'google',
  poolside: 'poolside',
  recraft: 'recraft',
  reducto: 'reducto',
  reka: 'reka',
  runwayml: 'runwayml',
  sakana: 'sakana',
  sarvam: 'sarvam',
  soniox: 'soniox',
  stability: 'stability',
  stepfun: 'stepfun',
  'stepfun-ai': 'stepfun',
  typesafe: 'typesafe',
  upstage: 'upstage',
  v0: 'vercel',
  voyage: 'voyage',
  xai: 'xai',
  xiaomi: 'xiaomi',
  zai: 'zai',
  zhipuai: 'zai',
  // Search and parsing services: the service is the model.
  apiserpent: 'apiserpent',
  dataforseo: 'dataforseo',
  duckduckgo: 'duckduckgo',
  exa_ai: 'exa_ai',
  firecrawl: 'firecrawl',
  google_pse: 'google',
  linkup: 'linkup',
  parallel_ai: 'parallel_ai',
  searxng: 'searxng',
  serper: 'serper',
  tavily: 'tavily',
  tinyfish: 'tinyfish',
  you_com: 'you_com',
}

/** Platforms that sell their own models among others'. With the sole makers, their rows define the products. */
export const ownModels: Readonly<Record<string, string>> = {
  ...soleMakers,
  arcee: 'arcee',
  azure: 'microsoft',
  bedrock: 'amazon',
  cursor: 'cursor',
  dashscope: 'alibaba',
  nvidia_nim: 'nvidia',
  perplexity: 'perplexity',
  snowflake: 'snowflake',
  tencent: 'tencent',
  vertex_ai: 'google',
  volcengine: 'bytedance',
  watsonx: 'ibm',
}

/** The first segment of an id, before a `/` or `.`, in lower case: `anthropic.claude-…`, `meta-llama/Llama-…`. */
export const makers: Readonly<Record<string, string>> = {
  '01-ai': '01_ai',
  ai21: 'ai21',
  'ai21-labs': 'ai21',
  'aion-labs': 'aion_labs',
  aisingapore: 'aisingapore',
  alibaba: 'alibaba',
  allenai: 'allenai',
  amazon: 'amazon',
  anthropic: 'anthropic',
  'arcee-ai': 'arcee',
  baai: 'baai',
  baidu: 'baidu',
  bfl: 'black_forest_labs',
  'black-forest-labs': 'black_forest_labs',
  bria: 'bria',
  bytedance: 'bytedance',
  'bytedance-seed': 'bytedance',
  codellama: 'meta',
  cognitivecomputations: 'cognitivecomputations',
  cohere: 'cohere',
  deepcogito: 'deepcogito',
  deepseek: 'deepseek',
  'deepseek-ai': 'deepseek',
  essentialai: 'essentialai',
  google: 'google',
  gryphe: 'gryphe',
  ibm: 'ibm',
  'ibm-granite': 'ibm',
  ideogram: 'ideogram',
  ideogramai: 'ideogram',
  inception: 'inception',
  inclusionai: 'inclusionai',
  inflection: 'inflection',
  intfloat: 'intfloat',
  kimi: 'moonshot',
  kling: 'kuaishou',
  klingai: 'kuaishou',
  kwaipilot: 'kwaipilot',
  liquid: 'liquid',
  meituan: 'meituan',
  meta: 'meta',
  'meta-llama': 'meta',
  microsoft: 'microsoft',
  minimax: 'minimax',
  minimaxai: 'minimax',
  mistral: 'mistral',
  'mistral-ai': 'mistral',
  mistralai: 'mistral',
  moonshot: 'moonshot',
  'moonshot-ai': 'moonshot',
  moonshotai: 'moonshot',
  morph: 'morph',
  'nex-agi': 'nex_agi',
  'nomic-ai': 'nomic',
  nousresearch: 'nousresearch',
  nvidia: 'nvidia',
  openai: 'openai',
  perplexity: 'perplexity',
  poolside: 'poolside',
  'prime-intellect': 'primeintellect',
  primeintellect: 'primeintellect',
  qwen: 'alibaba',
  recraft: 'recraft',
  rekaai: 'reka',
  relace: 'relace',
  runwayml: 'runwayml',
  sakana: 'sakana',
  sao10k: 'sao10k',
  sarvam: 'sarvam',
  'sentence-transformers': 'sentence_transformers',
  'servicenow-ai': 'servicenow',
  snowflake: 'snowflake',
  stability: 'stability',
  stabilityai: 'stability',
  stepfun: 'stepfun',
  'stepfun-ai': 'stepfun',
  'swiss-ai': 'swiss_ai',
  tencent: 'tencent',
  thedrummer: 'thedrummer',
  thenlper: 'thenlper',
  thinkingmachines: 'thinkingmachines',
  thudm: 'zai',
  togethercomputer: 'together',
  twelvelabs: 'twelvelabs',
  upstage: 'upstage',
  vercel: 'vercel',
  voyage: 'voyage',
  writer: 'writer',
  'x-ai': 'xai',
  xai: 'xai',
  xiaomi: 'xiaomi',
  xiaomimimo: 'xiaomi',
  'z-ai': 'zai',
  zai: 'zai',
  'zai-org': 'zai',
  'zero-one-ai': '01_ai',
  zhipuai: 'zai',
}

/**
 * Names that only their maker gives, for ids without a maker segment (`azure/gpt-4o`, `snowflake/claude-…`). Anchored,
 * and no wider than the maker's own names: others publish `gpt-j`, `llama-3.1-nemotron`, `deepseek-r1t-chimera`.
 */
export const brands: readonly { pattern: RegExp; vendor: string }[] = [
  { pattern: /^(?:chatgpt-|gpt-[3-9]|gpt-(?:oss|image|audio|realtime|transcribe|chat)-)/, vendor: 'openai' },
  { pattern: /^(?:o[134](?:-|$)|dall-e-|sora-2|whisper-(?:1|large))/, vendor: 'openai' },
  {
    pattern: /^(?:text-embedding-(?:3|ada)|tts-1|codex-mini|computer-use-preview|text-davinci)/,
    vendor: 'openai',
  },
  { pattern: /^claude-/, vendor: 'anthropic' },
  { pattern: /^(?:gemini-|gemma-?\d|codegemma-|imagen-?\d|veo-\d|nano-banana)/, vendor: 'google' },
  { pattern: /^llama-?v?3.*nemotron/, vendor: 'nvidia' },
  {
    pattern:
      /^(?:meta-)?llama-?v?[234](?!.*(?:sonar|lumimaid|typhoon|swallow|tool-use|uncensored|instruct-lora|hermes))/,
    vendor: 'meta',
  },
  { pattern: /^(?:(?:meta-)?llama-guard-|code-?llama-\d+b|muse-)/, vendor: 'meta' },
  {
    pattern: /^mistral-(?:tiny|small|medium|large|nemo|saba|embed|ocr|7b-(?:instruct|v\d))/,
    vendor: 'mistral',
  },
  {
    pattern: /^(?:mixtral-8x\d+b(?:-instruct|-32768|$)|(?:codes|minis|pix|magis|devs|vox)tral-)/,
    vendor: 'mistral',
  },
  { pattern: /^deepseek-(?:chat|coder|reasoner|prover|ocr|v\d|r1(?!t))/, vendor: 'deepseek' },
  {
    pattern:
      /^(?:qwen-?\d|qwen-(?:max|plus|turbo|flash|coder|vl|image|omni|math|mt|long|deep-research|doc)|qwq-|qvq-)/,
    vendor: 'alibaba',
  },
  { pattern: /^grok-/, vendor: 'xai' },
  { pattern: /^(?:command-[ar]|c4ai-|cohere-)/, vendor: 'cohere' },
  { pattern: /^(?:kimi-|moonshot-v)/, vendor: 'moonshot' },
  { pattern: /^glm-(?:\d|z1)/, vendor: 'zai' },
  { pattern: /^minimax-/, vendor: 'minimax' },
  { pattern: /^(?:phi-[234]|wizardlm-2|mai-)/, vendor: 'microsoft' },
  { pattern: /^(?:nvidia-)?nemotron-/, vendor: 'nvidia' },
  { pattern: /^jamba-/, vendor: 'ai21' },
  { pattern: /^(?:sonar(?:-|$)|pplx-|r1-1776)/, vendor: 'perplexity' },
  { pattern: /^(?:doubao-|seedream)/, vendor: 'bytedance' },
  { pattern: /^flux[-./]/, vendor: 'black_forest_labs' },
  { pattern: /^(?:stable-(?:diffusion|image)-|sd3)/, vendor: 'stability' },
  { pattern: /^voyage-/, vendor: 'voyage' },
  { pattern: /^granite-/, vendor: 'ibm' },
  { pattern: /^reka-/, vendor: 'reka' },
  { pattern: /^snowflake-arctic/, vendor: 'snowflake' },
  { pattern: /^(?:hunyuan-|hy\d)/, vendor: 'tencent' },
  { pattern: /^mimo-v/, vendor: 'xiaomi' },
  { pattern: /^inkling(?:-|$)/, vendor: 'thinkingmachines' },
  { pattern: /^composer-/, vendor: 'cursor' },
  { pattern: /^trinity-/, vendor: 'arcee' },
]

/** Region segments of an id, by platform. The segment goes into `region` and out of the id when it is a path segment. */
export const regionSegments: Readonly<Record<string, RegExp>> = {
  azure: /^(us|eu|global|global-standard)\//,
  bedrock: /^((?:us|eu|ap|sa|ca|me|af|il|mx)(?:-gov)?-[a-z]+-\d)\//,
}

/** Bedrock's inference profiles: part of the id itself. `regional.` is how genai-prices writes "any but global". */
export const regionPrefixes: Readonly<Record<string, RegExp>> = {
  bedrock: /^(us|us-gov|eu|apac|au|jp|ca|in|global|regional)\./,
}

/** Text that platforms and sources add around a model's own name. Removed repeatedly before makers are looked up. */
export const wrappings: readonly RegExp[] = [
  /^accounts\/fireworks\/models\//,
  /^@(?:cf|hf)\//,
  /^fal-ai\//,
  /^(?:invoke|bedrock|ranking|workers-ai|tee|pro|route|novita|siliconflow)\//,
  /^hf:/,
  /^(?:amazon|anthropic|meta|mistralai)--/, // SAP
  /^~/, // OpenRouter's moving aliases
  /^(?:databricks|openai|anthropic|alibaba|zai)-(?=[^/]+$)/,
  /^nvidia-(?=nemotron)/,
  // Sizes, qualities and steps of an image: litellm gives each its own row.
  /^(?:\d+-x-\d+|max-x-max|low|medium|high|standard|hd|\d+-steps|max-steps)\//,
  /:(?:free|extended|thinking|beta|online|nitro)$/,
  /-maas$/,
]

/**
 * Endings that name one state of a product. A date is always one; a short ending is one only where the name without it
 * is a product as well (`gpt-4-0613` of `gpt-4`, but not the 2 of `claude-2`).
 */
export const snapshotEndings: readonly { pattern: RegExp; always: boolean }[] = [
  { pattern: /[-@]20\d{2}-?(?:0[1-9]|1[0-2])-?(?:0[1-9]|[12]\d|3[01])$/, always: true },
  { pattern: /(?<=^claude-\d.*)-latest$/, always: true },
  { pattern: /-v?\d+:0(?::\d+k)?$/, always: false }, // Bedrock's version of its deployment
  { pattern: /:0(?::\d+k)?$/, always: true },
  { pattern: /@(?:\d{3}|default)$/, always: true }, // Vertex AI
  { pattern: /-latest$/, always: false },
  { pattern: /-(?:0[1-9]|1[0-2])-20\d{2}$/, always: false }, // month and year
  { pattern: /-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/, always: false }, // month and day
  { pattern: /-\d{6}$/, always: false },
  { pattern: /-\d{3,4}$/, always: false },
  { pattern: /-v\d+$/, always: false },
  { pattern: /-(?:fp8|fp4|nvfp4|bf16)$/, always: false }, // the host's quantisation
]

/** Modalities that a model's name shows, for sources that do not: models.dev and OpenRouter call a vector `text`. */
export const namedModalities: readonly { pattern: RegExp; modality: Modality }[] = [
  { pattern: /embed(?!ded)|(?:^|[-/])(?:bge-(?!rerank)|gte-|e5-)/, modality: 'embedding' },
  { pattern: /rerank|semantic-ranker/, modality: 'rerank' },
  { pattern: /moderation/, modality: 'moderation' },
  { pattern: /(?:^|[-/])ocr(?:-|$)|document-ai/, modality: 'ocr' },
  { pattern: /(?:^|[-/])(?:whisper|tts|aura)-|-(?:tts|transcribe)(?:-|$)/, modality: 'audio' },
]

/**
 * Sellers of subscriptions. Their price of a token is 0 because the month is paid for, not because the model is free.
 */
export const plans = /^(?:github-copilot|gitlab|kimi-for-coding)$|-(?:coding|token)-plan(?:-|$)/
