// Names for people. Sources give ids alone: what is written here is the id, made readable, and nothing is added to it.

/**
 * Words that are not written with one capital at their beginning.
 * @type {Readonly<Record<string, string>>}
 */
const words = {
  ai: 'AI',
  chatgpt: 'ChatGPT',
  codegemma: 'CodeGemma',
  dall: 'DALL',
  deepseek: 'DeepSeek',
  ernie: 'ERNIE',
  fp8: 'FP8',
  glm: 'GLM',
  gpt: 'GPT',
  hd: 'HD',
  it: 'IT',
  minimax: 'MiniMax',
  moe: 'MoE',
  ocr: 'OCR',
  oss: 'OSS',
  qwq: 'QwQ',
  tts: 'TTS',
  vl: 'VL',
  xl: 'XL',
}

/** @type {Readonly<Record<string, string>>} */
const makers = {
  ai21: 'AI21',
  'alibaba-cloud': 'Alibaba Cloud',
  amazon: 'Amazon',
  anyscale: 'Anyscale',
  aws: 'AWS',
  azure: 'Microsoft Azure',
  azure_ai: 'Microsoft Azure AI',
  bedrock: 'Amazon Bedrock',
  black_forest_labs: 'Black Forest Labs',
  deepinfra: 'DeepInfra',
  deepseek: 'DeepSeek',
  elevenlabs: 'ElevenLabs',
  fireworks_ai: 'Fireworks AI',
  'fireworks-ai': 'Fireworks AI',
  friendliai: 'FriendliAI',
  github: 'GitHub',
  'github-models': 'GitHub Models',
  github_copilot: 'GitHub Copilot',
  'github-copilot': 'GitHub Copilot',
  google: 'Google',
  huggingface: 'Hugging Face',
  ibm: 'IBM',
  meta: 'Meta',
  'meta-llama': 'Meta',
  minimax: 'MiniMax',
  mistralai: 'Mistral AI',
  mistral: 'Mistral AI',
  moonshot: 'Moonshot AI',
  moonshotai: 'Moonshot AI',
  nvidia: 'NVIDIA',
  nvidia_nim: 'NVIDIA NIM',
  oci: 'Oracle Cloud',
  openai: 'OpenAI',
  openrouter: 'OpenRouter',
  ovhcloud: 'OVHcloud',
  sambanova: 'SambaNova',
  together: 'Together AI',
  together_ai: 'Together AI',
  vercel_ai_gateway: 'Vercel AI Gateway',
  vertex_ai: 'Google Vertex AI',
  voyage: 'Voyage AI',
  watsonx: 'IBM watsonx',
  xai: 'xAI',
  zai: 'Z.ai',
  zhipuai: 'Zhipu AI',
}

/**
 * "Gemini 2.5 Pro", of `google/gemini-2.5-pro`. A snapshot's day stays as it is.
 * @param {string} id
 */
export function modelName(id) {
  const model = id.slice(id.lastIndexOf('/') + 1) || id
  const parts = model
    .replaceAll(/(\d{4})-(\d{2})-(\d{2})/g, '$1\u2011$2\u2011$3')
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
  const text = joined.map(wordOf).join(' ')
  return text.replace(/^GPT (?=\d|OSS)/, 'GPT-').replace(/^DALL E/, 'DALL·E') || id
}

/** @param {string} part */
function wordOf(part) {
  const known = own(words, part.toLowerCase())
  if (known !== undefined) return known
  // 70b, 8x7b, 128k: a size.
  if (/^\d[\dx.]*[bkm]$/.test(part)) return part.toUpperCase().replaceAll('X', 'x')
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
    .map((part) => own(words, part) ?? part.charAt(0).toUpperCase() + part.slice(1))
    .join(' ')
}

/**
 * Ids are a stranger's text: `constructor` is a word as any other.
 * @param {Readonly<Record<string, string>>} table
 * @param {string} name
 */
function own(table, name) {
  return Object.hasOwn(table, name) ? table[name] : undefined
}
