// The days on which the maintainers of genai-prices compared prices with the vendor's page, as their repository states them on
// 2026-08-21 (`prices_checked`; the package leaves them out), of prices that have not moved since.

const words = (text: string) => text.trim().split(/\s+/)

export const checkedDays: readonly (readonly [day: string, keys: readonly string[]])[] = [
  [
    '2025-06-22',
    words(`
      google:gemini-1.5-pro`),
  ],
  [
    '2025-07-03',
    words(`
      azure:o1 azure:o1-mini azure:o3-mini perplexity:r1-1776 perplexity:sonar perplexity:sonar-pro
      perplexity:sonar-reasoning perplexity:sonar-reasoning-pro together:meta-llama/Llama-3.3-70B-Instruct-Turbo
      together:meta-llama/Llama-4-Maverick-17B-128E-Instruct-FP8
      together:meta-llama/Llama-4-Scout-17B-16E-Instruct together:meta-llama/Meta-Llama-3-70B-Instruct-Lite
      together:meta-llama/Meta-Llama-3-70B-Instruct-Turbo together:meta-llama/Meta-Llama-3-8B-Instruct-Lite
      together:meta-llama/Meta-Llama-3-8B-Instruct-Turbo together:meta-llama/Meta-Llama-3.1-405B-Instruct-Turbo
      together:meta-llama/Meta-Llama-3.1-70B-Instruct-Turbo together:meta-llama/Meta-Llama-3.1-8B-Instruct-Turbo
      together:meta-llama/Meta-Llama-3.3-70B-Instruct-Turbo`),
  ],
  [
    '2025-07-04',
    words(`
      cohere:command-a cohere:command-r cohere:command-r-plus cohere:command-r7b google:gemini-1.0-pro-vision-001
      google:gemini-1.5-flash google:gemini-2.0-flash google:gemini-2.0-flash-lite google:gemini-pro
      mistral:codestral mistral:mistral-large mistral:mistral-nemo mistral:mistral-saba
      mistral:mistral-small-latest mistral:pixtral-12b openai:gpt-3.5-turbo openai:gpt-3.5-turbo-16k
      openai:gpt-3.5-turbo-instruct openai:gpt-4 openai:gpt-4-32k openai:gpt-4-turbo openai:gpt-4.1-nano
      openai:gpt-4.5-preview openai:gpt-4o-mini-realtime-preview openai:gpt-4o-realtime-preview openai:o1
      openai:o1-mini openai:o1-pro openai:o3-mini openai:text-embedding-3-large openai:text-embedding-3-small
      openai:text-embedding-ada-002`),
  ],
  [
    '2025-07-05',
    words(`
      azure:o3-2025-04-16 azure:o4-mini google:claude-3-5-haiku google:claude-3-5-sonnet google:claude-3-7-sonnet
      google:claude-3-haiku google:claude-3-opus google:claude-4-opus google:claude-4-sonnet
      google:gemini-flash-1.5 google:gemini-flash-1.5-8b google:gemini-pro-1.5
      mistral:mistral-small-24b-instruct-2501`),
  ],
  [
    '2025-07-12',
    words(`
      x-ai:grok-2-1212 x-ai:grok-2-vision-1212 x-ai:grok-3 x-ai:grok-3-fast x-ai:grok-3-mini x-ai:grok-3-mini-fast
      x-ai:grok-4-0709`),
  ],
  [
    '2025-07-13',
    words(`
      azure:ada azure:babbage azure:curie azure:davinci azure:text-embedding-3-large azure:text-embedding-3-small
      fireworks:deepseek-r1-0528 fireworks:deepseek-v3-0324 fireworks:gemma-3-27b-it
      fireworks:llama-v3p1-8b-instruct fireworks:llama4-maverick-instruct-basic fireworks:qwen2p5-vl-72b-instruct
      fireworks:qwen3-235b-a22b`),
  ],
  [
    '2025-07-22',
    words(`
      openai:gpt-4o-audio-preview openai:gpt-4o-mini-audio-preview`),
  ],
  [
    '2025-08-06',
    words(`
      groq:openai/gpt-oss-120b groq:openai/gpt-oss-20b`),
  ],
  [
    '2025-08-12',
    words(`
      google:gemma-3 google:gemma-3n groq:deepseek-r1-distill-llama-70b groq:gemma2-9b-it
      groq:llama-3.1-8b-instant groq:llama-3.3-70b-versatile groq:meta-llama/llama-4-maverick-17b-128e-instruct
      groq:meta-llama/llama-4-scout-17b-16e-instruct groq:meta-llama/llama-guard-4-12b
      groq:moonshotai/kimi-k2-instruct groq:qwen/qwen3-32b mistral:magistral-medium mistral:magistral-small
      mistral:mistral-7b mistral:mixtral-8x7b`),
  ],
  [
    '2025-10-30',
    words(`
      openrouter:deepseek/deepseek-v3.1-terminus`),
  ],
  [
    '2025-10-31',
    words(`
      google:gemini-2.5-flash google:gemini-2.5-flash-lite google:gemini-2.5-flash-preview google:gemini-2.5-pro`),
  ],
  [
    '2025-11-06',
    words(`
      anthropic:claude-2 cerebras:gpt-oss-120b`),
  ],
  [
    '2025-11-07',
    words(`
      cerebras:llama-3.3-70b cerebras:llama3.1-8b cerebras:qwen-3-32b openai:gpt-3.5-turbo-0613
      openai:gpt-3.5-turbo-1106`),
  ],
  [
    '2025-11-13',
    words(`
      openai:gpt-5.1-codex-mini`),
  ],
  [
    '2025-11-18',
    words(`
      google:gemini-3-pro-preview`),
  ],
  [
    '2025-11-29',
    words(`
      openrouter:openai/codex-mini`),
  ],
  [
    '2025-12-10',
    words(`
      cohere:embed-v4.0`),
  ],
  [
    '2025-12-19',
    words(`
      google:gemini-3-flash-preview`),
  ],
  [
    '2026-01-19',
    words(`
      x-ai:grok-4-1-fast-non-reasoning x-ai:grok-4-1-fast-reasoning x-ai:grok-4-fast-non-reasoning
      x-ai:grok-4-fast-reasoning x-ai:grok-code-fast-1`),
  ],
  [
    '2026-02-03',
    words(`
      fireworks:deepseek-v3p2 fireworks:glm-4p7 fireworks:kimi-k2p5 fireworks:minimax-m2p1`),
  ],
  [
    '2026-02-05',
    words(`
      google:claude-opus-4-6 openai:gpt-5.3-codex`),
  ],
  [
    '2026-02-23',
    words(`
      aws:global.anthropic.claude-opus-4-5-v1:0 aws:regional.anthropic.claude-opus-4-5-v1:0
      google:gemini-3.1-pro-preview`),
  ],
  [
    '2026-03-11',
    words(`
      moonshotai:kimi-k2-0711-preview moonshotai:kimi-k2-0905-preview moonshotai:kimi-k2-thinking
      moonshotai:kimi-k2-thinking-turbo moonshotai:kimi-k2-turbo-preview moonshotai:kimi-k2.5
      moonshotai:moonshot-v1-128k moonshotai:moonshot-v1-32k moonshotai:moonshot-v1-8k`),
  ],
  [
    '2026-03-22',
    words(`
      openrouter:anthropic/claude-opus-4.6 openrouter:anthropic/claude-sonnet-4.6`),
  ],
  [
    '2026-03-23',
    words(`
      openrouter:anthropic/claude-sonnet-4.5`),
  ],
  [
    '2026-04-08',
    words(`
      aws:nvidia.nemotron-nano-3-30b:0 aws:nvidia.nemotron-nano-9b-v2:0 aws:nvidia.nemotron-super-3-120b:0`),
  ],
  [
    '2026-04-16',
    words(`
      aws:global.anthropic.claude-opus-4-7-v1:0 aws:regional.anthropic.claude-opus-4-7-v1:0 google:claude-opus-4-7
      openrouter:anthropic/claude-opus-4.7`),
  ],
  [
    '2026-05-07',
    words(`
      openai:gpt-5.3`),
  ],
  [
    '2026-05-12',
    words(`
      google:gemini-3.1-flash-lite`),
  ],
  [
    '2026-05-19',
    words(`
      google:gemini-3.5-flash`),
  ],
  [
    '2026-05-22',
    words(`
      moonshotai:kimi-k2.6`),
  ],
  [
    '2026-05-23',
    words(`
      minimax:M2-her minimax:MiniMax-M2 minimax:MiniMax-M2.1-highspeed minimax:MiniMax-M2.5-highspeed
      minimax:MiniMax-M2.7 minimax:MiniMax-M2.7-highspeed zhipuai:GLM-4-Air zhipuai:GLM-4-AirX
      zhipuai:GLM-4-Assistant zhipuai:GLM-4-FlashX-250414 zhipuai:GLM-4-Long zhipuai:GLM-4-Plus
      zhipuai:GLM-4.5-Air zhipuai:GLM-4.7 zhipuai:GLM-4.7-FlashX zhipuai:GLM-5 zhipuai:GLM-5-Turbo zhipuai:GLM-5.1`),
  ],
  [
    '2026-05-28',
    words(`
      aws:global.anthropic.claude-opus-4-8-v1:0 aws:regional.anthropic.claude-opus-4-8-v1:0 fireworks:glm-5p1
      fireworks:kimi-k2p6 fireworks:minimax-m2p7 fireworks:qwen3p6-plus google:claude-opus-4-8
      openrouter:anthropic/claude-opus-4.8`),
  ],
  [
    '2026-06-03',
    words(`
      aws:google.gemma-3-12b-it aws:google.gemma-3-27b-it aws:google.gemma-3-4b-it aws:mistral.devstral-2-123b
      aws:mistral.magistral-small-2509 aws:mistral.ministral-3-14b-instruct aws:mistral.ministral-3-3b-instruct
      aws:mistral.ministral-3-8b-instruct aws:mistral.mistral-large-3-675b-instruct
      aws:mistral.voxtral-mini-3b-2507 aws:mistral.voxtral-small-24b-2507`),
  ],
  [
    '2026-06-05',
    words(`
      doubleword:Qwen/Qwen3-14B-FP8 doubleword:Qwen/Qwen3-Embedding-8B
      doubleword:Qwen/Qwen3-VL-235B-A22B-Instruct-FP8 doubleword:Qwen/Qwen3-VL-30B-A3B-Instruct-FP8
      doubleword:Qwen/Qwen3.5-35B-A3B-FP8 doubleword:Qwen/Qwen3.5-397B-A17B doubleword:Qwen/Qwen3.5-9B
      doubleword:Qwen/Qwen3.6-35B-A3B-FP8 doubleword:deepseek-ai/DeepSeek-V4-Flash
      doubleword:deepseek-ai/DeepSeek-V4-Pro doubleword:google/gemma-4-31B-it
      doubleword:mistralai/Devstral-2-123B-Instruct-2512 doubleword:moonshotai/Kimi-K2.6
      doubleword:nvidia/NVIDIA-Nemotron-3-Super-120B-A12B-NVFP4 doubleword:openai/gpt-oss-20b
      doubleword:zai-org/GLM-5.1-FP8`),
  ],
  [
    '2026-06-09',
    words(`
      aws:global.anthropic.claude-fable-5-v1:0 aws:regional.anthropic.claude-fable-5-v1:0
      azure:phi-4-mini-instruct deepseek:deepseek-v3.1-terminus deepseek:deepseek-v3.2 deepseek:deepseek-v3.2-exp
      google:claude-fable-5 google:gemma-2-27b-it minimax:minimax-01 minimax:minimax-m1 mistral:codestral-2508
      mistral:devstral-2512 mistral:ministral-14b-2512 mistral:ministral-3b-2512 mistral:mistral-large-2512
      mistral:mistral-small-2603 mistral:mistral-small-3.1-24b-instruct mistral:mistral-small-3.2-24b-instruct
      moonshotai:kimi-k2 openai:gpt-5.4-image-2 openai:gpt-chat-latest openai:gpt-oss-120b openai:gpt-oss-20b
      openai:gpt-oss-safeguard-20b openrouter:anthropic/claude-fable-5 perplexity:sonar-pro-search
      x-ai:grok-4.20-multi-agent`),
  ],
  [
    '2026-06-10',
    words(`
      aws:amazon.nova-2-sonic-v1:0`),
  ],
  [
    '2026-06-11',
    words(`
      aws:global.amazon.nova-2-lite-v1:0 aws:regional.amazon.nova-2-lite-v1:0`),
  ],
  [
    '2026-06-15',
    words(`
      moonshotai:kimi-k2.7-code openrouter:moonshotai/kimi-k2.7-code`),
  ],
  [
    '2026-06-17',
    words(`
      zhipuai:GLM-5.2`),
  ],
  [
    '2026-06-18',
    words(`
      voyageai:voyage-01 voyageai:voyage-02 voyageai:voyage-2 voyageai:voyage-3 voyageai:voyage-3-large
      voyageai:voyage-3-lite voyageai:voyage-3.5 voyageai:voyage-3.5-lite voyageai:voyage-4
      voyageai:voyage-4-large voyageai:voyage-4-lite voyageai:voyage-code-2 voyageai:voyage-code-3
      voyageai:voyage-context-3 voyageai:voyage-finance-2 voyageai:voyage-large-2 voyageai:voyage-large-2-instruct
      voyageai:voyage-law-2 voyageai:voyage-lite-01 voyageai:voyage-lite-01-instruct
      voyageai:voyage-lite-02-instruct voyageai:voyage-multilingual-2`),
  ],
  [
    '2026-06-24',
    words(`
      fireworks:deepseek-v4-pro fireworks:kimi-k2p7-code fireworks:minimax-m3 fireworks:nemotron-3-ultra-nvfp4
      fireworks:qwen3p7-plus`),
  ],
  [
    '2026-06-26',
    words(`
      aws:global.anthropic.claude-opus-4-6-v1:0 aws:global.anthropic.claude-sonnet-4-6-v1:0
      aws:regional.anthropic.claude-opus-4-6-v1:0 aws:regional.anthropic.claude-sonnet-4-6-v1:0 openai:gpt-audio
      openai:gpt-audio-mini`),
  ],
  [
    '2026-06-30',
    words(`
      aws:openai.gpt-5.4 aws:openai.gpt-5.5 fireworks:glm-5p2`),
  ],
  [
    '2026-07-01',
    words(`
      minimax:minimax-m3`),
  ],
  [
    '2026-07-16',
    words(`
      moonshotai:kimi-k3 openrouter:moonshotai/kimi-k3`),
  ],
  [
    '2026-07-22',
    words(`
      google:gemini-2.5-flash-image google:gemini-3-pro-image-preview google:gemini-3.1-flash-image-preview
      google:gemini-3.1-flash-lite-image google:gemini-3.1-flash-live-preview google:gemini-3.5-flash-lite
      google:gemini-embedding-2 google:gemini-omni-flash-preview openai:gpt-image-1 openai:gpt-image-1-mini
      openai:gpt-image-1.5 openai:gpt-image-2 openai:gpt-realtime openai:gpt-realtime-2 openai:gpt-realtime-mini
      perplexity:sonar-deep-research`),
  ],
  [
    '2026-07-24',
    words(`
      google:gemini-live-2.5-flash`),
  ],
  [
    '2026-07-25',
    words(`
      aws:global.anthropic.claude-opus-5 aws:regional.anthropic.claude-opus-5 google:claude-opus-5
      openrouter:anthropic/claude-opus-5 openrouter:anthropic/claude-opus-5-fast`),
  ],
  [
    '2026-07-29',
    words(`
      anthropic:claude-3-5-haiku-latest anthropic:claude-3-5-sonnet anthropic:claude-3-7-sonnet-latest
      anthropic:claude-3-haiku anthropic:claude-3-opus-latest anthropic:claude-3-sonnet anthropic:claude-fable-5
      anthropic:claude-haiku-4-5 anthropic:claude-opus-4-0 anthropic:claude-opus-4-1 anthropic:claude-opus-4-5
      anthropic:claude-opus-4-7 anthropic:claude-opus-4-8 anthropic:claude-opus-5 anthropic:claude-sonnet-4-0
      anthropic:claude-sonnet-4-5 aws:writer.palmyra-x4-v1:0 aws:writer.palmyra-x5-v1:0
      openrouter:perplexity/sonar-deep-research`),
  ],
  [
    '2026-08-04',
    words(`
      fireworks:deepseek-v4-flash fireworks:glm-5p1-fast fireworks:glm-5p2-fast fireworks:gpt-oss-120b
      fireworks:gpt-oss-20b fireworks:inkling fireworks:kimi-k2p6-fast fireworks:kimi-k2p7-code-fast
      fireworks:kimi-k3 fireworks:kimi-k3-fast fireworks:kimi-k3-us zai:GLM-5.2`),
  ],
  [
    '2026-08-12',
    words(`
      modal:moonshotai/Kimi-K3 modal:thinkingmachines/Inkling-NVFP4`),
  ],
  [
    '2026-08-19',
    words(`
      zai:GLM-5.3`),
  ],
]
