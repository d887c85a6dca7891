import type { Modality } from './price-record.ts'

/**
 * How models are named: whose a name is, what is written around it, and what of it is no part of the model's name. Data
 * only: the rules that read it are in model-key.ts, model-family.ts, and the feed's identify.ts.
 */

/**
 * Names that only their maker gives, for ids without a maker segment (`azure/gpt-4o`, `snowflake/claude-…`). Anchored,
 * and no wider than the maker's own names: others publish `gpt-j`, `llama-3.1-nemotron`, `deepseek-r1t-chimera`.
 */
export const brands: readonly { pattern: RegExp; vendor: string }[] = [
  {
    pattern: /^(?:chatgpt-|gpt-[3-9]|gpt-(?:oss|image|audio|realtime|transcribe|chat)(?:-|$))/,
    vendor: 'openai',
  },
  { pattern: /^(?:o[134](?:-|$)|dall-e-|sora-2|whisper-(?:1|large))/, vendor: 'openai' },
  {
    pattern:
      /^(?:text-embedding-(?:3|ada)|tts-1|codex-mini|computer-use-preview|text-(?:davinci|moderation))/,
    vendor: 'openai',
  },
  { pattern: /^(?:ada|babbage|curie|davinci)(?:-00\d)?$/, vendor: 'openai' },
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
    pattern: /^mistral-(?:document-ai|tiny|small|medium|large|nemo|saba|embed|ocr|7b-(?:instruct|v\d))/,
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
  { pattern: /^(?:sonar(?:-|$)|pplx-|r1-1776|llama-3[.-]1-sonar)/, vendor: 'perplexity' },
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
  { pattern: /^yi-(?:\d+b|large|vision)/, vendor: '01_ai' },
  { pattern: /^dbrx-/, vendor: 'databricks' },
  { pattern: /^eleven-/, vendor: 'elevenlabs' },
  { pattern: /^ernie-/, vendor: 'baidu' },
  { pattern: /^fugu(?:-|$)/, vendor: 'sakana' },
  { pattern: /^lfm-?\d/, vendor: 'liquid' },
  { pattern: /^longcat-/, vendor: 'meituan' },
  { pattern: /^nomic-embed-/, vendor: 'nomic' },
  { pattern: /^sarvam-/, vendor: 'sarvam' },
]

/** Text that platforms and sources add around a model's own name. Removed repeatedly before makers are looked up. */
export const wrappings: readonly RegExp[] = [
  /^accounts\/fireworks\/(?:models|routers)\//,
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
  /:(?:free|extended|thinking|beta|online|nitro|exacto)$/,
  /-maas$/,
]

/**
 * Spellings of one name, in the order in which they are applied to a key (lower case, a hyphen for all punctuation).
 * None of them touches a size, a variant or a version.
 */
export const spellings: readonly { pattern: RegExp; to: string }[] = [
  // A reseller's or the maker's own name before the family's.
  { pattern: /^(?:groq|cerebras)-(?=llama)/, to: '' },
  { pattern: /^meta-(?=llama)/, to: '' },
  { pattern: /^cohere-(?=command|embed|rerank)/, to: '' },
  { pattern: /^ai21-(?=jamba)/, to: '' },
  { pattern: /^moonshot-(?=kimi)/, to: '' },
  { pattern: /^nvidia-(?=nemotron)/, to: '' },
  { pattern: /^amazon-(?=nova|titan)/, to: '' },
  { pattern: /^google-(?=gem)/, to: '' },
  { pattern: /^mistralai-/, to: '' },
  { pattern: /^deepseek-ai-/, to: '' },
  { pattern: /^xai-(?=grok)/, to: '' },
  { pattern: /^ibm-(?=granite)/, to: '' },
  { pattern: /^microsoft-(?=phi)/, to: '' },
  // The generation, glued or not: llama3, llama-v3, llama-3.
  { pattern: /^llama-?v?(?=\d)/, to: 'llama-' },
  { pattern: /^code-llama-/, to: 'codellama-' },
  { pattern: /^gemma-?(?=\d)/, to: 'gemma-' },
  { pattern: /^qwen-?v?(?=\d)/, to: 'qwen-' },
  { pattern: /^mistral-large(?=\d)/, to: 'mistral-large-' },
  { pattern: /^gpt-35-/, to: 'gpt-3-5-' },
  { pattern: /^claude-(instant-)?v(?=\d)/, to: 'claude-$1' },
  // claude-4-5-haiku is claude-haiku-4-5, and claude-opus-4-0 is Anthropic's alias of claude-opus-4.
  { pattern: /^claude-(\d(?:-\d)?)-(haiku|sonnet|opus)(?![a-z])/, to: 'claude-$2-$1' },
  { pattern: /^claude-(opus|sonnet)-4-0$/, to: 'claude-$1-4' },
  { pattern: /^embed-v(\d)(?:-0)?-(english|multilingual)(?=-|$)/, to: 'embed-$2-v$1' },
  { pattern: /^((?:embed|rerank)-.*-?v\d)-0$/, to: '$1' },
  { pattern: /^(qwen-3-\d+b-a\d+b)-2507(?=-v1|$)/, to: '$1-instruct-2507' },
  { pattern: /^flux-pro[-/]v?1-1/, to: 'flux-1-1-pro' },
  { pattern: /^flux\/(schnell|dev)$/, to: 'flux-1-$1' },
]

/** Names that are whole only with their maker: Bedrock's `deepseek.v3.2`. */
export const vendorSpellings: Readonly<Record<string, { pattern: RegExp; to: string }>> = {
  deepseek: { pattern: /^(?=[rv]\d)/, to: 'deepseek-' },
}

/**
 * Endings that name one state of a product. A date is always one; a short ending is one only where the name without it
 * is a product as well (`gpt-4-0613` of `gpt-4`, but not the 2 of `claude-2`). Digits that are no month are a size
 * (`llama3-70b-8192`).
 */
export const snapshotEndings: readonly { pattern: RegExp; always: boolean }[] = [
  { pattern: /[-@]20\d{2}-?(?:0[1-9]|1[0-2])-?(?:0[1-9]|[12]\d|3[01])(?:-v\d)?$/, always: true },
  { pattern: /-latest(?<=^claude-\d.*)$/, always: true },
  { pattern: /-v\d+:\d+(?::\d+k)?(?<=20\d{6}-v.*)$/, always: true }, // Bedrock's deployment of a snapshot
  { pattern: /-v2(?<=^claude-3[-.][57]-sonnet-v2)$/, always: true }, // Vertex AI's name of the snapshot 20241022
  { pattern: /-1:0$/, always: false }, // Bedrock's `gpt-oss-120b-1:0`
  { pattern: /-v1:0(?::\d+k)?$/, always: true }, // Bedrock's first deployment; a second one can be another model
  { pattern: /:0(?::\d+k)?$/, always: true },
  { pattern: /@(?:\d{3}|default)$/, always: true }, // Vertex AI
  { pattern: /[-@]latest(?<!^gemini-(?:pro|flash|flash-lite).latest)$/, always: false },
  { pattern: /-(?:0[1-9]|1[0-2])-20\d{2}$/, always: false }, // month and year
  { pattern: /-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/, always: false }, // month and day
  { pattern: /-2\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/, always: false }, // year, month and day
  { pattern: /-(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/, always: false }, // month and day
  // Year and month. Qwen3-235B-A22B-2507 is the instruct model, not a later state of Qwen3-235B-A22B.
  { pattern: /[-@]2[3-9](?:0[1-9]|1[0-2])(?<!^qwen3-\d+b-a\d+b-\d{4})$/, always: false },
  { pattern: /-00\d(?<!^(?:babbage|davinci)-00\d)$/, always: false }, // OpenAI's babbage-002 is no babbage
  { pattern: /-v1(?<!embed.*)$/, always: false },
  { pattern: /-hf$/, always: false }, // the format of the weights
  { pattern: /-(?:fp8|fp4|nvfp4|bf16|awq|int[48])$/, always: false }, // the host's quantisation
]

/**
 * How hosts sell the same weights: an ending of a key (as `nameKey` has it) that names a precision, a speed or a tier.
 * Many makers call another model so (`gpt-4-turbo`, `grok-4-fast`, `veo-3-fast`): where a word is also that, it counts
 * after the names alone of which it is known.
 */
export const variantEndings: readonly RegExp[] = [
  /-(?:fp8(?:-dynamic)?|fp4|nvfp4|mxfp4|bf16|fp16|awq|gptq|int[48]|6bit|gguf)$/,
  /-(?:fp8-)?tput$|-high-throughput$|-tee$|-free$|-flex$|-highspeed$/,
  /(?<=^(?:llama-|gemma-\d|gpt-oss-|qwen-3|deepseek-(?:v|r)\d|glm-\d-\d|minimax-m\d|kimi-k2-(?:\d|thinking)).*)-turbo$/,
  /(?<=^(?:llama-|gemma-\d|qwen-\d|deepseek-(?:v|r)\d|glm-\d|minimax-m\d|kimi-k\d|claude-opus-|grok-3).*)-fast$/,
  /(?<=^(?:minimax-m\d|kimi-k\d|deepseek-v\d).*)-lightning$/,
  /(?<=^(?:glm|kimi|mimo|qwen|minimax|deepseek)-.*)-(?:original|cheaper)$/, // a router's two ways to one model
  /(?<=^llama-\d.*-instruct)-(?:lite|reference)$/, // Together AI: quantised, and not
  /(?<=^(?:llama-4-|deepseek-r1).*)-basic$/, // Fireworks AI
]

/** Hosts' names of a model, in keys, where its maker has published no other that could be meant. */
export const familySpellings: readonly { pattern: RegExp; to: string }[] = [
  // Llama 3.3 is there as an instruct model alone; Groq and Together AI name theirs otherwise.
  { pattern: /^llama-3-3-70b$/, to: 'llama-3-3-70b-instruct' },
  { pattern: /^llama-3-3-70b(?=-(?:fp8|turbo|fast))/, to: 'llama-3-3-70b-instruct' },
  { pattern: /^(llama-3(?:-\d)?-\d+b)-(?:versatile|instant|specdec|8192|chat(?:-hf)?)$/, to: '$1-instruct' },
  // Of Llama 3.2, 11B and 90B are the ones that see.
  { pattern: /^llama-3-2-(11|90)b-instruct/, to: 'llama-3-2-$1b-vision-instruct' },
  { pattern: /^llama-4-scout(?:-17b)?(?:-16e)?(?:-instruct)?(?!-\d)/, to: 'llama-4-scout' },
  { pattern: /^llama-4-maverick(?:-17b)?(?:-128e)?(?:-instruct)?(?!-\d)/, to: 'llama-4-maverick' },
  // From Gemma 3 on, Google calls the base models "pt".
  { pattern: /^(gemma-[34]-\d+b(?:-a\d+b)?)(?!-(?:it|pt|a\d))(?=$|-(?:fp|fast|turbo))/, to: '$1-it' },
  { pattern: /^(qwen-3-coder-\d+b-a\d+b)-instruct/, to: '$1' },
  { pattern: /^kimi-k2-instruct/, to: 'kimi-k2' },
  { pattern: /^deepseek-chat-(v3(?:-1)?)(?:-0324)?$/, to: 'deepseek-$1' },
]

/** Modalities that a model's name shows, for sources that do not: models.dev and OpenRouter call a vector `text`. */
export const namedModalities: readonly { pattern: RegExp; modality: Modality }[] = [
  { pattern: /embed(?!ded)|(?:^|[-/])(?:bge-(?!rerank)|gte-|e5-)/, modality: 'embedding' },
  { pattern: /rerank|semantic-ranker/, modality: 'rerank' },
  { pattern: /moderation/, modality: 'moderation' },
  { pattern: /(?:^|[-/])ocr(?:-|$)|document-ai/, modality: 'ocr' },
  { pattern: /(?:^|[-/])(?:whisper|tts|aura)-|-(?:tts|transcribe)(?:-|$)/, modality: 'audio' },
]

/** Words in a name that let one source's word stand against the others': most call what also answers in text an `llm`. */
export const hintedModalities: readonly { pattern: RegExp; modality: Modality }[] = [
  { pattern: /(?:^|[-.])images?(?:-|$)|nano-banana/, modality: 'image' },
]
