// The values that an audit of the six newest files found to be the worst, and what becomes of each.

/** What is right: input, output and cached input in USD per million tokens. */
export const rightValues: readonly [id: string, tuple: (number | null)[]][] = [
  // Two lists have the present price, one the one before, two that of 2025; the cached input is of the same list.
  ['deepseek:deepseek-chat', [0.14, 0.28, 0.0028]],
  ['deepseek:deepseek-reasoner', [0.14, 0.28, 0.0028]],
  ['openai:gpt-5-pro', [15, 120, null]],
  ['openai:gpt-5-pro-2025-10-06', [15, 120, null]],
  ['azure:gpt-5-pro', [15, 120, null]],
  ['azure:gpt-5-pro-2025-10-06', [15, 120, null]],
  ['azure:gpt-realtime-2025-08-28', [4, 16, 4]],
  ['azure:gpt-realtime-1.5', [4, 16, null]],
  ['azure:gpt-4o-mini-realtime-preview', [0.6, 2.4, null]],
  ['azure:codex-mini-latest', [1.5, 6, null]],
  ['google:gemini-3-pro-preview-02-05', [2, 12, null]],
  ['vertex_ai:gemini-3-pro-preview-02-05', [2, 12, null]],
  ['bedrock:anthropic.claude-3-7-sonnet-20250219-v1:0', [3, 15, 0.3]],
  ['xai:grok-4.20-0309-reasoning', [1.25, 2.5, 0.2]],
  ['anthropic:claude-3-opus-20240229', [15, 75, 1.5]],
]

/** What is held, and why. */
export const heldValues: readonly [id: string, reason: string][] = [
  ['cohere:embed-multilingual-light-v3.0', 'range'],
  ['google:gemini-2.5-flash-image-preview', 'incoherent'],
  ['azure:gpt-4o-mini-audio-preview', 'incoherent'],
  ['openai:gpt-oss-120b', 'copied'],
  ['openai:gpt-oss-20b', 'copied'],
  ['openai:gpt-oss-safeguard-20b', 'copied'],
  ['openai:gpt-5-image', 'copied'],
  ['openai:gpt-4o:extended', 'copied'],
  ['mistral:mixtral-8x22b-instruct', 'copied'],
  ['mistral:mistral-small-3.1-24b-instruct', 'copied'],
]

/** What is served with its doubt: the rule that chose it. */
export const doubtedValues: readonly [id: string, rule: string][] = [
  ['mistral:ministral-8b', 'alone'],
  ['google:gemini-pro', 'contested'],
  ['google:gemini-1.0-pro-vision-001', 'alone'],
  ['vertex_ai:gemini-1.5-flash-001', 'alone'],
  ['vertex_ai:gemini-1.5-flash-002', 'alone'],
  ['azure:Meta-Llama-3-70B-Instruct', 'contested'],
  ['azure:Llama-4-Maverick-17B-128E-Instruct-FP8', 'contested'],
  ['azure:gpt-5.6-luna', 'contested'],
  ['mistral:mistral-large-2407', 'contested'],
  ['mistral:open-mistral-nemo-2407', 'contested'],
  ['openai:gpt-4o-mini-tts-2025-03-20', 'contested'],
]
