// Names for people. Sources give ids alone: what is written here is the id, made readable, and nothing is added to it.

/** Words that are not written with one capital at their beginning, of models and of companies. */
const spelled = `
  AI AI21 AIHubMix AnyAPI API AWS BAAI BGE BytePlus ByteDance ChatGPT CN CodeGemma DALL DashScope DataForSEO DBRX
  DeepInfra DeepSeek DigitalOcean DPO DuckDuckGo EleutherAI ElevenLabs ERNIE FastRouter FP8 FriendliAI GigaChat GitHub
  GitLab GLM GMI GPT HD HPC IBM inclusionAI IT LibertAI LiteLLM LMSYS MiniMax ModelScope MoE MonsterAPI NeverSleep NLP NVIDIA
  OCR OpenAI OpenChat OpenCode OpenRouter OrcaRouter OSS OVHcloud PaLM PublicAI QwQ SambaNova SAP SearXNG ServiceNow
  SiliconFlow STACKIT StepFun TheDrummer TTS TwelveLabs VL xAI XL ZenMux`
/** @type {Readonly<Record<string, string>>} */
const words = Object.fromEntries(
  spelled
    .trim()
    .split(/\s+/)
    .map((word) => [word.toLowerCase(), word]),
)

/** @type {Readonly<Record<string, string>>} */
const makers = {
  '01_ai': '01.AI',
  '302ai': '302.AI',
  aiml: 'AI/ML API',
  aisingapore: 'AI Singapore',
  allenai: 'Ai2',
  assemblyai: 'AssemblyAI',
  aws_polly: 'Amazon Polly',
  azure: 'Microsoft Azure',
  azure_ai: 'Microsoft Azure AI',
  bedrock: 'Amazon Bedrock',
  'claude-platform-aws': 'Claude Platform on AWS',
  deepcogito: 'Deep Cogito',
  essentialai: 'Essential AI',
  fal_ai: 'fal.ai',
  huggingface: 'Hugging Face',
  'io-net': 'io.net',
  llmgateway: 'LLM Gateway',
  lmstudio: 'LM Studio',
  'meta-llama': 'Meta',
  mistral: 'Mistral AI',
  mistralai: 'Mistral AI',
  moonshot: 'Moonshot AI',
  moonshotai: 'Moonshot AI',
  nearai: 'NEAR AI',
  nousresearch: 'Nous Research',
  nvidia_nim: 'NVIDIA NIM',
  oci: 'Oracle Cloud',
  primeintellect: 'Prime Intellect',
  runwayml: 'Runway',
  sagemaker: 'Amazon SageMaker',
  sberbank: 'Sber',
  thinkingmachines: 'Thinking Machines',
  together: 'Together AI',
  unknown: 'not stated',
  vertex_ai: 'Google Vertex AI',
  voyage: 'Voyage AI',
  wandb: 'Weights & Biases',
  watsonx: 'IBM watsonx',
  you_com: 'You.com',
  zai: 'Z.ai',
  zhipuai: 'Zhipu AI',
}

/** What stands before the name in a `resource_id`: a platform, and where it is sold. */
const platform = /^[^:]*:(?:(?:us|eu|ap|apac|cn|global|[a-z]{2}(?:-[a-z]+)+-\d):)?(?=.)/
/** A region and a maker before the name, `eu.anthropic.claude-…`, or a family, `llama3-3@llama-3.3-…`. */
const prefixes = /^(?:(?:[a-z][a-z0-9]*\.)+(?=[a-z]{3})|[\w.-]+@(?=[a-z]+\d*-))/

/**
 * The name of a record that no product is known of.
 * @param {string} resourceId
 */
export function recordName(resourceId) {
  return modelName(resourceId.replace(platform, ''))
}

/**
 * "Gemini 2.5 Pro", of `google/gemini-2.5-pro`; "GPT-4o, fine-tuned", of `ft:gpt-4o`. A snapshot's day stays as it is.
 * @param {string} id
 */
export function modelName(id) {
  const model = (id.slice(id.lastIndexOf('/') + 1) || id).replace(prefixes, '')
  const isTuned = /^ft:|\.ft-?$/.test(model)
  const [base = '', ...notes] = model
    .replace(/^ft:|\.ft-?$/, '')
    .split(/[:@]+/)
    // Bedrock counts the versions of a version: `-v1:0`.
    .filter((part, place) => part !== '' && (place === 0 || part !== '0'))
  const sizes = notes.filter((note) => isSize.test(note.split('-')[0] ?? ''))
  const others = notes.filter((note) => !sizes.includes(note))
  const name = [spell(base), ...sizes.map(spell)].join(' ').trim()
  if (name === '') return id
  return `${name}${others.length > 0 ? ` (${others.join(', ')})` : ''}${isTuned ? ', fine-tuned' : ''}`
}

/** @param {string} name */
function spell(name) {
  const parts = name
    .replaceAll(/(\d{4})-(\d{2})-(\d{2})/g, '$1\u2011$2\u2011$3')
    .replace(/^gpt-35(?=-|$)/, 'gpt-3.5')
    // Fireworks' point: qwen2p5.
    .replaceAll(/(?<=\d)p(?=\d)/g, '.')
    .split(/[-_ ]+/)
    .filter((part) => part !== '')
  /** @type {string[]} */
  const joined = []
  for (const part of parts) {
    const last = joined.at(-1)
    // Vendors write 4-5 where they mean 4.5.
    if (last !== undefined && /^\d$/.test(last) && /^\d$/.test(part))
      joined[joined.length - 1] = `${last}.${part}`
    else joined.push(part)
  }
  const text = joined.map(spellWord).join(' ')
  return text.replace(/^GPT (?=\d|OSS)/, 'GPT-').replace(/^DALL E/, 'DALL·E')
}

/** 70b, 8x7b, 128k, 16e, a3b of a mixture. */
const isSize = /^(?:\d[\dx.]*[bekmt]|[ae]\d+b)$/

/** @param {string} part */
function spellWord(part) {
  const known = own(words, part.toLowerCase())
  if (known !== undefined) return known
  if (isSize.test(part)) return part.toUpperCase().replaceAll('X', 'x')
  // o3, 4o: the maker writes it small.
  if (/^(o\d|\d)/.test(part)) return part
  return part.charAt(0).toUpperCase() + part.slice(1)
}

/**
 * "OpenAI", of `openai`; "Amazon Bedrock", of `bedrock`.
 * @param {string} id
 */
export function companyName(id) {
  const known = own(makers, id.toLowerCase())
  if (known !== undefined) return known
  return id
    .split(/[-_ ]+/)
    .map((part) => own(words, part.toLowerCase()) ?? part.charAt(0).toUpperCase() + part.slice(1))
    .join(' ')
}

/** @type {Readonly<Record<string, string>>} */
const lists = {
  'genai-prices': 'genai-prices',
  'llm-prices': 'llm-prices',
  'models.dev': 'models.dev',
  'own-csv': 'the operator (CSV)',
  'own-json': 'the operator (JSON)',
}
/** @type {Readonly<Record<string, string>>} */
const documents = {
  page: 'pricing page',
  'page-cn': 'pricing page in Chinese',
  docs: 'docs',
  retirements: 'deprecations page',
}

/**
 * Where prices are read: "LiteLLM", of `litellm`; "OpenAI pricing page", of `openai-page`.
 * @param {string} id
 */
export function sourceName(id) {
  const [, seller = id, kind = ''] = /^(.+?)-(page|page-cn|docs|retirements)$/.exec(id) ?? []
  return own(lists, id) ?? `${companyName(seller)} ${own(documents, kind) ?? ''}`.trimEnd()
}

/**
 * Ids are a stranger's text: `constructor` is a word as any other.
 * @param {Readonly<Record<string, string>>} table
 * @param {string} name
 */
function own(table, name) {
  return Object.hasOwn(table, name) ? table[name] : undefined
}
