// Written by apps/server/scripts/cost-catalog.ts, of @pydantic/genai-prices 0.1.8 (MIT). Do not edit.
export const namesBeside: Readonly<Record<string, readonly string[]>> = {
 "anthropic:claude-2": [
  "anthropic:claude-2.0",
  "anthropic:claude-2.1"
 ],
 "anthropic:claude-3-5-haiku-latest": [
  "anthropic:claude-3-5-haiku-20241022"
 ],
 "anthropic:claude-3-5-sonnet": [
  "anthropic:claude-3-5-sonnet-20240620",
  "anthropic:claude-3-5-sonnet-20241022"
 ],
 "anthropic:claude-3-7-sonnet-latest": [
  "anthropic:claude-3-7-sonnet-20250219"
 ],
 "anthropic:claude-3-haiku": [
  "anthropic:claude-3-haiku-20240307"
 ],
 "anthropic:claude-3-opus-latest": [
  "anthropic:claude-3-opus-20240229"
 ],
 "anthropic:claude-3-sonnet": [
  "anthropic:claude-3-sonnet-20240229"
 ],
 "anthropic:claude-haiku-4-5": [
  "anthropic:claude-haiku-4-5-20251001"
 ],
 "anthropic:claude-opus-4-0": [
  "anthropic:claude-opus-4",
  "anthropic:claude-opus-4-20250514",
  "anthropic:claude-4-opus-20250514"
 ],
 "anthropic:claude-opus-4-1": [
  "anthropic:claude-opus-4-1-20250805"
 ],
 "anthropic:claude-opus-4-5": [
  "anthropic:claude-opus-4-5-20251101"
 ],
 "anthropic:claude-sonnet-4-0": [
  "anthropic:claude-sonnet-4",
  "anthropic:claude-sonnet-4-20250514",
  "anthropic:claude-4-sonnet-20250514"
 ],
 "anthropic:claude-sonnet-4-5": [
  "anthropic:claude-sonnet-4-5-20250929"
 ],
 "bedrock:global:global.anthropic.claude-opus-4-5-v1:0": [
  "bedrock:global:global.anthropic.claude-opus-4-5-20251101-v1:0"
 ],
 "bedrock:global:global.anthropic.claude-opus-4-6-v1:0": [
  "bedrock:global:global.anthropic.claude-opus-4-6-v1"
 ],
 "bedrock:global:global.anthropic.claude-opus-4-7-v1:0": [
  "bedrock:global:global.anthropic.claude-opus-4-7"
 ],
 "bedrock:global:global.anthropic.claude-opus-4-8-v1:0": [
  "bedrock:global:global.anthropic.claude-opus-4-8"
 ],
 "bedrock:global:global.anthropic.claude-sonnet-4-6-v1:0": [
  "bedrock:global:global.anthropic.claude-sonnet-4-6"
 ],
 "bedrock:global:global.anthropic.claude-sonnet-5-v1:0": [
  "bedrock:global:global.anthropic.claude-sonnet-5"
 ],
 "bedrock:nvidia.nemotron-nano-3-30b:0": [
  "bedrock:nvidia.nemotron-nano-3-30b"
 ],
 "bedrock:nvidia.nemotron-nano-9b-v2:0": [
  "bedrock:nvidia.nemotron-nano-9b-v2"
 ],
 "bedrock:nvidia.nemotron-super-3-120b:0": [
  "bedrock:nvidia.nemotron-super-3-120b"
 ],
 "bedrock:qwen.qwen3-vl-235b-a22b-v1:0": [
  "bedrock:qwen.qwen3-vl-235b-a22b"
 ],
 "bedrock:regional:regional.amazon.nova-2-lite-v1:0": [
  "bedrock:regional:us.amazon.nova-2-lite-v1:0",
  "bedrock:regional:eu.amazon.nova-2-lite-v1:0",
  "bedrock:regional:jp.amazon.nova-2-lite-v1:0"
 ],
 "bedrock:regional:regional.anthropic.claude-3-5-haiku-20241022-v1:0": [
  "bedrock:regional:anthropic.claude-3-5-haiku-20241022-v1:0",
  "bedrock:regional:claude-3-5-haiku-20241022"
 ],
 "bedrock:regional:regional.anthropic.claude-3-5-sonnet-20240620-v1:0": [
  "bedrock:regional:anthropic.claude-3-5-sonnet-20240620-v1:0"
 ],
 "bedrock:regional:regional.anthropic.claude-3-5-sonnet-20241022-v2:0": [
  "bedrock:regional:anthropic.claude-3-5-sonnet-20241022-v2:0"
 ],
 "bedrock:regional:regional.anthropic.claude-3-7-sonnet-20250219-v1:0": [
  "bedrock:regional:anthropic.claude-3-7-sonnet-20250219-v1:0",
  "bedrock:regional:claude-3-7-sonnet-20250219"
 ],
 "bedrock:regional:regional.anthropic.claude-3-haiku-20240307-v1:0": [
  "bedrock:regional:anthropic.claude-3-haiku-20240307-v1:0"
 ],
 "bedrock:regional:regional.anthropic.claude-3-opus-20240229-v1:0": [
  "bedrock:regional:anthropic.claude-3-opus-20240229-v1:0"
 ],
 "bedrock:regional:regional.anthropic.claude-3-sonnet-20240229-v1:0": [
  "bedrock:regional:anthropic.claude-3-sonnet-20240229-v1:0"
 ],
 "bedrock:regional:regional.anthropic.claude-fable-5-1-v1:0": [
  "bedrock:regional:anthropic.claude-fable-5-1",
  "bedrock:regional:claude-fable-5-1"
 ],
 "bedrock:regional:regional.anthropic.claude-fable-5-v1:0": [
  "bedrock:regional:anthropic.claude-fable-5",
  "bedrock:regional:claude-fable-5"
 ],
 "bedrock:regional:regional.anthropic.claude-haiku-4-5-20251001-v1:0": [
  "bedrock:regional:anthropic.claude-haiku-4-5-20251001-v1:0",
  "bedrock:regional:us.anthropic.claude-haiku-4-5-20251001-v1:0",
  "bedrock:regional:au.anthropic.claude-haiku-4-5-20251001-v1:0",
  "bedrock:regional:apac.anthropic.claude-haiku-4-5-20251001-v1:0",
  "bedrock:regional:eu.anthropic.claude-haiku-4-5-20251001-v1:0",
  "bedrock:regional:us-gov.anthropic.claude-haiku-4-5-20251001-v1:0",
  "bedrock:regional:jp.anthropic.claude-haiku-4-5-20251001-v1:0",
  "bedrock:regional:claude-haiku-4-5-20251001"
 ],
 "bedrock:regional:regional.anthropic.claude-opus-4-1-20250805-v1:0": [
  "bedrock:regional:anthropic.claude-opus-4-1-20250805-v1:0",
  "bedrock:regional:us.anthropic.claude-opus-4-1-20250805-v1:0",
  "bedrock:regional:au.anthropic.claude-opus-4-1-20250805-v1:0",
  "bedrock:regional:apac.anthropic.claude-opus-4-1-20250805-v1:0",
  "bedrock:regional:eu.anthropic.claude-opus-4-1-20250805-v1:0",
  "bedrock:regional:us-gov.anthropic.claude-opus-4-1-20250805-v1:0",
  "bedrock:regional:jp.anthropic.claude-opus-4-1-20250805-v1:0",
  "bedrock:regional:claude-opus-4-1-20250805"
 ],
 "bedrock:regional:regional.anthropic.claude-opus-4-20250514-v1:0": [
  "bedrock:regional:anthropic.claude-opus-4-20250514-v1:0",
  "bedrock:regional:us.anthropic.claude-opus-4-20250514-v1:0",
  "bedrock:regional:au.anthropic.claude-opus-4-20250514-v1:0",
  "bedrock:regional:apac.anthropic.claude-opus-4-20250514-v1:0",
  "bedrock:regional:eu.anthropic.claude-opus-4-20250514-v1:0",
  "bedrock:regional:us-gov.anthropic.claude-opus-4-20250514-v1:0",
  "bedrock:regional:jp.anthropic.claude-opus-4-20250514-v1:0",
  "bedrock:regional:claude-opus-4-20250514"
 ],
 "bedrock:regional:regional.anthropic.claude-opus-4-5-v1:0": [
  "bedrock:regional:anthropic.claude-opus-4-5-20251101-v1:0",
  "bedrock:regional:claude-opus-4-5-20251101"
 ],
 "bedrock:regional:regional.anthropic.claude-opus-4-6-v1:0": [
  "bedrock:regional:anthropic.claude-opus-4-6-v1",
  "bedrock:regional:claude-opus-4-6"
 ],
 "bedrock:regional:regional.anthropic.claude-opus-4-7-v1:0": [
  "bedrock:regional:anthropic.claude-opus-4-7",
  "bedrock:regional:claude-opus-4-7"
 ],
 "bedrock:regional:regional.anthropic.claude-opus-4-8-v1:0": [
  "bedrock:regional:anthropic.claude-opus-4-8",
  "bedrock:regional:claude-opus-4-8"
 ],
 "bedrock:regional:regional.anthropic.claude-opus-5": [
  "bedrock:regional:anthropic.claude-opus-5",
  "bedrock:regional:claude-opus-5",
  "bedrock:regional:us.anthropic.claude-opus-5",
  "bedrock:regional:au.anthropic.claude-opus-5",
  "bedrock:regional:eu.anthropic.claude-opus-5",
  "bedrock:regional:jp.anthropic.claude-opus-5"
 ],
 "bedrock:regional:regional.anthropic.claude-opus-5-5": [
  "bedrock:regional:anthropic.claude-opus-5-5",
  "bedrock:regional:claude-opus-5-5",
  "bedrock:regional:us.anthropic.claude-opus-5-5",
  "bedrock:regional:au.anthropic.claude-opus-5-5",
  "bedrock:regional:eu.anthropic.claude-opus-5-5",
  "bedrock:regional:jp.anthropic.claude-opus-5-5"
 ],
 "bedrock:regional:regional.anthropic.claude-sonnet-4-20250514-v1:0": [
  "bedrock:regional:anthropic.claude-sonnet-4-20250514-v1:0",
  "bedrock:regional:us.anthropic.claude-sonnet-4-20250514-v1:0",
  "bedrock:regional:au.anthropic.claude-sonnet-4-20250514-v1:0",
  "bedrock:regional:apac.anthropic.claude-sonnet-4-20250514-v1:0",
  "bedrock:regional:eu.anthropic.claude-sonnet-4-20250514-v1:0",
  "bedrock:regional:us-gov.anthropic.claude-sonnet-4-20250514-v1:0",
  "bedrock:regional:jp.anthropic.claude-sonnet-4-20250514-v1:0",
  "bedrock:regional:claude-sonnet-4-20250514"
 ],
 "bedrock:regional:regional.anthropic.claude-sonnet-4-5-20250929-v1:0": [
  "bedrock:regional:anthropic.claude-sonnet-4-5-20250929-v1:0",
  "bedrock:regional:us.anthropic.claude-sonnet-4-5-20250929-v1:0",
  "bedrock:regional:au.anthropic.claude-sonnet-4-5-20250929-v1:0",
  "bedrock:regional:apac.anthropic.claude-sonnet-4-5-20250929-v1:0",
  "bedrock:regional:eu.anthropic.claude-sonnet-4-5-20250929-v1:0",
  "bedrock:regional:us-gov.anthropic.claude-sonnet-4-5-20250929-v1:0",
  "bedrock:regional:jp.anthropic.claude-sonnet-4-5-20250929-v1:0",
  "bedrock:regional:claude-sonnet-4-5-20250929"
 ],
 "bedrock:regional:regional.anthropic.claude-sonnet-4-6-v1:0": [
  "bedrock:regional:anthropic.claude-sonnet-4-6",
  "bedrock:regional:claude-sonnet-4-6"
 ],
 "bedrock:regional:regional.anthropic.claude-sonnet-5-v1:0": [
  "bedrock:regional:anthropic.claude-sonnet-5",
  "bedrock:regional:claude-sonnet-5"
 ],
 "azure:ada": [
  "azure:text-embedding-ada",
  "azure:text-embedding-ada-002",
  "azure:text-embedding-ada-002-v2"
 ],
 "azure:babbage": [
  "azure:babbage-002"
 ],
 "azure:curie": [
  "azure:text-curie",
  "azure:text-curie-001"
 ],
 "azure:davinci": [
  "azure:davinci-002",
  "azure:text-davinci",
  "azure:text-davinci-002"
 ],
 "azure:o1": [
  "azure:o1-2024-12-17"
 ],
 "azure:o1-mini": [
  "azure:o1-mini-2024-09-12"
 ],
 "azure:o1-preview": [
  "azure:o1-preview-2024-09-12"
 ],
 "azure:o3-2025-04-16": [
  "azure:o3"
 ],
 "azure:o3-mini": [
  "azure:o3-mini-2025-01-31"
 ],
 "azure:o4-mini": [
  "azure:o4-mini-2025-04-16"
 ],
 "cloudflare:@cf/meta/llama-3.1-8b-instruct-fp8-fast": [
  "cloudflare:@cf/meta/llama-3.1-8b-instruct-fast"
 ],
 "cohere:command-a": [
  "cohere:command-a-03-2025"
 ],
 "cohere:command-r": [
  "cohere:command-r-08-2024"
 ],
 "cohere:command-r-plus": [
  "cohere:command-r-plus-08-2024"
 ],
 "cohere:command-r7b": [
  "cohere:command-r7b-12-2024"
 ],
 "deepseek:deepseek-chat": [
  "deepseek:deepseek-chat-v3-0324"
 ],
 "deepseek:deepseek-reasoner": [
  "deepseek:deepseek-r1-0528"
 ],
 "fireworks:deepseek-r1-0528": [
  "fireworks:accounts/fireworks/models/deepseek-r1-0528"
 ],
 "fireworks:deepseek-v3-0324": [
  "fireworks:accounts/fireworks/models/deepseek-v3-0324"
 ],
 "fireworks:deepseek-v3p2": [
  "fireworks:accounts/fireworks/models/deepseek-v3p2"
 ],
 "fireworks:deepseek-v4-flash": [
  "fireworks:accounts/fireworks/models/deepseek-v4-flash",
  "fireworks:accounts/fireworks/models/deepseek-v4-flash-0731"
 ],
 "fireworks:deepseek-v4-pro": [
  "fireworks:accounts/fireworks/models/deepseek-v4-pro"
 ],
 "fireworks:gemma-3-27b-it": [
  "fireworks:accounts/fireworks/models/gemma-3-27b-it"
 ],
 "fireworks:glm-4p7": [
  "fireworks:accounts/fireworks/models/glm-4p7"
 ],
 "fireworks:glm-5p1": [
  "fireworks:accounts/fireworks/models/glm-5p1"
 ],
 "fireworks:glm-5p1-fast": [
  "fireworks:accounts/fireworks/routers/glm-5p1-fast"
 ],
 "fireworks:glm-5p2": [
  "fireworks:accounts/fireworks/models/glm-5p2"
 ],
 "fireworks:glm-5p2-fast": [
  "fireworks:accounts/fireworks/routers/glm-5p2-fast",
  "fireworks:accounts/fireworks/routers/glm-5p2-fast-us"
 ],
 "fireworks:gpt-oss-120b": [
  "fireworks:accounts/fireworks/models/gpt-oss-120b"
 ],
 "fireworks:gpt-oss-20b": [
  "fireworks:accounts/fireworks/models/gpt-oss-20b"
 ],
 "fireworks:inkling": [
  "fireworks:accounts/fireworks/models/inkling"
 ],
 "fireworks:kimi-k2p5": [
  "fireworks:accounts/fireworks/models/kimi-k2p5"
 ],
 "fireworks:kimi-k2p6": [
  "fireworks:accounts/fireworks/models/kimi-k2p6"
 ],
 "fireworks:kimi-k2p6-fast": [
  "fireworks:accounts/fireworks/routers/kimi-k2p6-fast"
 ],
 "fireworks:kimi-k2p7-code": [
  "fireworks:accounts/fireworks/models/kimi-k2p7-code"
 ],
 "fireworks:kimi-k2p7-code-fast": [
  "fireworks:accounts/fireworks/routers/kimi-k2p7-code-fast"
 ],
 "fireworks:kimi-k3": [
  "fireworks:accounts/fireworks/models/kimi-k3"
 ],
 "fireworks:kimi-k3-fast": [
  "fireworks:accounts/fireworks/routers/kimi-k3-fast"
 ],
 "fireworks:kimi-k3-us": [
  "fireworks:accounts/fireworks/routers/kimi-k3-us"
 ],
 "fireworks:llama-v3p1-8b-instruct": [
  "fireworks:accounts/fireworks/models/llama-v3p1-8b-instruct"
 ],
 "fireworks:llama4-maverick-instruct-basic": [
  "fireworks:accounts/fireworks/models/llama4-maverick-instruct-basic"
 ],
 "fireworks:minimax-m2p1": [
  "fireworks:accounts/fireworks/models/minimax-m2p1"
 ],
 "fireworks:minimax-m2p7": [
  "fireworks:accounts/fireworks/models/minimax-m2p7"
 ],
 "fireworks:minimax-m3": [
  "fireworks:accounts/fireworks/models/minimax-m3"
 ],
 "fireworks:nemotron-3-ultra-nvfp4": [
  "fireworks:accounts/fireworks/models/nemotron-3-ultra-nvfp4"
 ],
 "fireworks:qwen2p5-vl-72b-instruct": [
  "fireworks:accounts/fireworks/models/qwen2p5-vl-72b-instruct"
 ],
 "fireworks:qwen3-235b-a22b": [
  "fireworks:accounts/fireworks/models/qwen3-235b-a22b"
 ],
 "fireworks:qwen3p6-plus": [
  "fireworks:accounts/fireworks/models/qwen3p6-plus"
 ],
 "fireworks:qwen3p7-plus": [
  "fireworks:accounts/fireworks/models/qwen3p7-plus"
 ],
 "github_copilot:gpt-3.5-turbo": [
  "github_copilot:gpt-3.5-turbo-0613"
 ],
 "github_copilot:gpt-4.1": [
  "github_copilot:gpt-4.1-2025-04-14"
 ],
 "github_copilot:gpt-4o": [
  "github_copilot:gpt-4o-2024-05-13",
  "github_copilot:gpt-4o-2024-08-06",
  "github_copilot:gpt-4o-2024-11-20",
  "github_copilot:gpt-4-o-preview"
 ],
 "github_copilot:gpt-4o-mini": [
  "github_copilot:gpt-4o-mini-2024-07-18"
 ],
 "vertex_ai:claude-3-5-haiku": [
  "vertex_ai:claude-3-5-haiku@20241022"
 ],
 "vertex_ai:claude-3-5-sonnet": [
  "vertex_ai:claude-3-5-sonnet@20240620",
  "vertex_ai:claude-3-5-sonnet-v2@20241022"
 ],
 "vertex_ai:claude-3-7-sonnet": [
  "vertex_ai:claude-3-7-sonnet@20250219"
 ],
 "vertex_ai:claude-3-haiku": [
  "vertex_ai:claude-3-haiku@20240307"
 ],
 "vertex_ai:claude-3-opus": [
  "vertex_ai:claude-3-opus@20240229"
 ],
 "vertex_ai:claude-4-opus": [
  "vertex_ai:claude-opus-4",
  "vertex_ai:claude-opus-4@20250514"
 ],
 "vertex_ai:claude-4-sonnet": [
  "vertex_ai:claude-sonnet-4",
  "vertex_ai:anthropic/claude-sonnet-4",
  "vertex_ai:claude-sonnet-4@20250514"
 ],
 "vertex_ai:claude-sonnet-4-5": [
  "vertex_ai:claude-sonnet-4-5@20250929"
 ],
 "google:gemini-2.5-flash": [
  "google:gemini-2.5-flash-latest",
  "google:gemini-2.5-flash-preview-09-2025"
 ],
 "google:gemini-2.5-flash-image": [
  "google:gemini-2.5-flash-image-preview"
 ],
 "google:gemini-2.5-flash-lite": [
  "google:gemini-2.5-flash-lite-preview-06-17",
  "google:gemini-2.5-flash-lite-preview-09-2025"
 ],
 "google:gemini-2.5-flash-preview": [
  "google:gemini-2.5-flash-preview:thinking",
  "google:gemini-2.5-flash-preview-04-17"
 ],
 "google:gemini-2.5-flash-tts": [
  "google:gemini-2.5-flash-preview-tts"
 ],
 "google:gemini-2.5-pro-tts": [
  "google:gemini-2.5-pro-preview-tts"
 ],
 "google:gemini-3-pro-image-preview": [
  "google:gemini-3-pro-image"
 ],
 "google:gemini-3-pro-preview": [
  "google:gemini-3-pro-text-preview"
 ],
 "google:gemini-3.1-flash-image-preview": [
  "google:gemini-3.1-flash-image"
 ],
 "google:gemini-3.1-flash-lite": [
  "google:gemini-3.1-flash-lite-preview"
 ],
 "google:gemini-3.1-pro-preview": [
  "google:gemini-3.1-pro-preview-customtools"
 ],
 "google:gemini-live-2.5-flash": [
  "google:gemini-2.5-flash-native-audio-latest"
 ],
 "google:gemini-pro": [
  "google:gemini-1.0-pro"
 ],
 "groq:gemma2-9b-it": [
  "groq:gemma2-9b"
 ],
 "groq:moonshotai/kimi-k2-instruct": [
  "groq:moonshotai/kimi-k2-instruct-0905"
 ],
 "groq:openai/gpt-oss-120b": [
  "groq:openai/gpt-oss-safeguard-20b"
 ],
 "huggingface:cerebras:meta-llama/Llama-3.1-8B-Instruct": [
  "huggingface:cerebras:meta-llama/llama-3.1-8b-instruct",
  "huggingface:cerebras:meta-llama/llama-3.1-8b-instruct-fast"
 ],
 "huggingface:fireworks-ai:meta-llama/Llama-3.3-70B-Instruct": [
  "huggingface:fireworks-ai:meta-llama/llama-3.3-70b-instruct",
  "huggingface:fireworks-ai:meta-llama/llama-3.3-70b-instruct-fast"
 ],
 "huggingface:fireworks-ai:openai/gpt-oss-120b": [
  "huggingface:fireworks-ai:openai/gpt-oss-120b-fast"
 ],
 "huggingface:fireworks-ai:openai/gpt-oss-20b": [
  "huggingface:fireworks-ai:openai/gpt-oss-20b-fast"
 ],
 "huggingface:groq:Qwen/Qwen3-32B": [
  "huggingface:groq:qwen/qwen3-32b",
  "huggingface:groq:qwen/qwen3-32b-fast"
 ],
 "huggingface:groq:meta-llama/Llama-3.3-70B-Instruct": [
  "huggingface:groq:meta-llama/llama-3.3-70b-instruct",
  "huggingface:groq:meta-llama/llama-3.3-70b-instruct-fast"
 ],
 "huggingface:groq:meta-llama/Llama-4-Scout-17B-16E-Instruct": [
  "huggingface:groq:meta-llama/llama-4-scout-17b-16e-instruct",
  "huggingface:groq:meta-llama/llama-4-scout-17b-16e-instruct-fast"
 ],
 "huggingface:groq:openai/gpt-oss-120b": [
  "huggingface:groq:openai/gpt-oss-120b-fast"
 ],
 "huggingface:groq:openai/gpt-oss-20b": [
  "huggingface:groq:openai/gpt-oss-20b-fast"
 ],
 "huggingface:hyperbolic:Qwen/Qwen2.5-VL-72B-Instruct": [
  "huggingface:hyperbolic:qwen/qwen2.5-vl-72b-instruct",
  "huggingface:hyperbolic:qwen/qwen2.5-vl-72b-instruct-fast"
 ],
 "huggingface:hyperbolic:Qwen/Qwen2.5-VL-7B-Instruct": [
  "huggingface:hyperbolic:qwen/qwen2.5-vl-7b-instruct",
  "huggingface:hyperbolic:qwen/qwen2.5-vl-7b-instruct-fast"
 ],
 "huggingface:hyperbolic:Qwen/Qwen3-235B-A22B-Instruct-2507": [
  "huggingface:hyperbolic:qwen/qwen3-235b-a22b-instruct-2507",
  "huggingface:hyperbolic:qwen/qwen3-235b-a22b-instruct-2507-fast"
 ],
 "huggingface:hyperbolic:Qwen/Qwen3-Coder-480B-A35B-Instruct": [
  "huggingface:hyperbolic:qwen/qwen3-coder-480b-a35b-instruct",
  "huggingface:hyperbolic:qwen/qwen3-coder-480b-a35b-instruct-fast"
 ],
 "huggingface:hyperbolic:Qwen/Qwen3-Next-80B-A3B-Instruct": [
  "huggingface:hyperbolic:qwen/qwen3-next-80b-a3b-instruct",
  "huggingface:hyperbolic:qwen/qwen3-next-80b-a3b-instruct-fast"
 ],
 "huggingface:hyperbolic:Qwen/Qwen3-Next-80B-A3B-Thinking": [
  "huggingface:hyperbolic:qwen/qwen3-next-80b-a3b-thinking",
  "huggingface:hyperbolic:qwen/qwen3-next-80b-a3b-thinking-fast"
 ],
 "huggingface:hyperbolic:deepseek-ai/DeepSeek-R1": [
  "huggingface:hyperbolic:deepseek-ai/deepseek-r1",
  "huggingface:hyperbolic:deepseek-ai/deepseek-r1-fast"
 ],
 "huggingface:hyperbolic:deepseek-ai/DeepSeek-R1-0528": [
  "huggingface:hyperbolic:deepseek-ai/deepseek-r1-0528",
  "huggingface:hyperbolic:deepseek-ai/deepseek-r1-0528-fast"
 ],
 "huggingface:hyperbolic:deepseek-ai/DeepSeek-V3-0324": [
  "huggingface:hyperbolic:deepseek-ai/deepseek-v3-0324",
  "huggingface:hyperbolic:deepseek-ai/deepseek-v3-0324-fast"
 ],
 "huggingface:hyperbolic:meta-llama/Llama-3.3-70B-Instruct": [
  "huggingface:hyperbolic:meta-llama/llama-3.3-70b-instruct",
  "huggingface:hyperbolic:meta-llama/llama-3.3-70b-instruct-fast"
 ],
 "huggingface:hyperbolic:openai/gpt-oss-120b": [
  "huggingface:hyperbolic:openai/gpt-oss-120b-fast"
 ],
 "huggingface:hyperbolic:openai/gpt-oss-20b": [
  "huggingface:hyperbolic:openai/gpt-oss-20b-fast"
 ],
 "huggingface:nebius:NousResearch/Hermes-4-405B": [
  "huggingface:nebius:nousresearch/hermes-4-405b",
  "huggingface:nebius:nousresearch/hermes-4-405b-fast"
 ],
 "huggingface:nebius:NousResearch/Hermes-4-70B": [
  "huggingface:nebius:nousresearch/hermes-4-70b",
  "huggingface:nebius:nousresearch/hermes-4-70b-fast"
 ],
 "huggingface:nebius:PrimeIntellect/INTELLECT-3-FP8": [
  "huggingface:nebius:primeintellect/intellect-3-fp8",
  "huggingface:nebius:primeintellect/intellect-3-fp8-fast"
 ],
 "huggingface:nebius:Qwen/Qwen2.5-Coder-7B": [
  "huggingface:nebius:qwen/qwen2.5-coder-7b",
  "huggingface:nebius:qwen/qwen2.5-coder-7b-fast"
 ],
 "huggingface:nebius:Qwen/Qwen2.5-VL-72B-Instruct": [
  "huggingface:nebius:qwen/qwen2.5-vl-72b-instruct",
  "huggingface:nebius:qwen/qwen2.5-vl-72b-instruct-fast"
 ],
 "huggingface:nebius:Qwen/Qwen3-235B-A22B-Instruct-2507": [
  "huggingface:nebius:qwen/qwen3-235b-a22b-instruct-2507",
  "huggingface:nebius:qwen/qwen3-235b-a22b-instruct-2507-fast"
 ],
 "huggingface:nebius:Qwen/Qwen3-235B-A22B-Thinking-2507": [
  "huggingface:nebius:qwen/qwen3-235b-a22b-thinking-2507",
  "huggingface:nebius:qwen/qwen3-235b-a22b-thinking-2507-fast"
 ],
 "huggingface:nebius:Qwen/Qwen3-30B-A3B-Instruct-2507": [
  "huggingface:nebius:qwen/qwen3-30b-a3b-instruct-2507",
  "huggingface:nebius:qwen/qwen3-30b-a3b-instruct-2507-fast"
 ],
 "huggingface:nebius:Qwen/Qwen3-30B-A3B-Thinking-2507": [
  "huggingface:nebius:qwen/qwen3-30b-a3b-thinking-2507",
  "huggingface:nebius:qwen/qwen3-30b-a3b-thinking-2507-fast"
 ],
 "huggingface:nebius:Qwen/Qwen3-32B": [
  "huggingface:nebius:qwen/qwen3-32b",
  "huggingface:nebius:qwen/qwen3-32b-fast"
 ],
 "huggingface:nebius:Qwen/Qwen3-Coder-30B-A3B-Instruct": [
  "huggingface:nebius:qwen/qwen3-coder-30b-a3b-instruct",
  "huggingface:nebius:qwen/qwen3-coder-30b-a3b-instruct-fast"
 ],
 "huggingface:nebius:Qwen/Qwen3-Coder-480B-A35B-Instruct": [
  "huggingface:nebius:qwen/qwen3-coder-480b-a35b-instruct",
  "huggingface:nebius:qwen/qwen3-coder-480b-a35b-instruct-fast"
 ],
 "huggingface:nebius:deepseek-ai/DeepSeek-R1-0528": [
  "huggingface:nebius:deepseek-ai/deepseek-r1-0528",
  "huggingface:nebius:deepseek-ai/deepseek-r1-0528-fast"
 ],
 "huggingface:nebius:deepseek-ai/DeepSeek-V3-0324": [
  "huggingface:nebius:deepseek-ai/deepseek-v3-0324",
  "huggingface:nebius:deepseek-ai/deepseek-v3-0324-fast"
 ],
 "huggingface:nebius:google/gemma-2-2b-it": [
  "huggingface:nebius:google/gemma-2-2b-it-fast"
 ],
 "huggingface:nebius:google/gemma-2-9b-it": [
  "huggingface:nebius:google/gemma-2-9b-it-fast"
 ],
 "huggingface:nebius:google/gemma-3-27b-it": [
  "huggingface:nebius:google/gemma-3-27b-it-fast"
 ],
 "huggingface:nebius:meta-llama/Llama-3.1-8B-Instruct": [
  "huggingface:nebius:meta-llama/llama-3.1-8b-instruct",
  "huggingface:nebius:meta-llama/llama-3.1-8b-instruct-fast"
 ],
 "huggingface:nebius:meta-llama/Llama-3.3-70B-Instruct": [
  "huggingface:nebius:meta-llama/llama-3.3-70b-instruct",
  "huggingface:nebius:meta-llama/llama-3.3-70b-instruct-fast"
 ],
 "huggingface:nebius:moonshotai/Kimi-K2-Instruct": [
  "huggingface:nebius:moonshotai/kimi-k2-instruct",
  "huggingface:nebius:moonshotai/kimi-k2-instruct-fast"
 ],
 "huggingface:nebius:moonshotai/Kimi-K2-Thinking": [
  "huggingface:nebius:moonshotai/kimi-k2-thinking",
  "huggingface:nebius:moonshotai/kimi-k2-thinking-fast"
 ],
 "huggingface:nebius:nvidia/Llama-3_1-Nemotron-Ultra-253B-v1": [
  "huggingface:nebius:nvidia/llama-3_1-nemotron-ultra-253b-v1",
  "huggingface:nebius:nvidia/llama-3_1-nemotron-ultra-253b-v1-fast"
 ],
 "huggingface:nebius:nvidia/NVIDIA-Nemotron-Nano-12B-v2": [
  "huggingface:nebius:nvidia/nvidia-nemotron-nano-12b-v2",
  "huggingface:nebius:nvidia/nvidia-nemotron-nano-12b-v2-fast"
 ],
 "huggingface:nebius:openai/gpt-oss-120b": [
  "huggingface:nebius:openai/gpt-oss-120b-fast"
 ],
 "huggingface:nebius:zai-org/GLM-4.5": [
  "huggingface:nebius:zai-org/glm-4.5",
  "huggingface:nebius:zai-org/glm-4.5-fast"
 ],
 "huggingface:nebius:zai-org/GLM-4.5-Air": [
  "huggingface:nebius:zai-org/glm-4.5-air",
  "huggingface:nebius:zai-org/glm-4.5-air-fast"
 ],
 "huggingface:novita:MiniMaxAI/MiniMax-M1-80k": [
  "huggingface:novita:minimaxai/minimax-m1-80k",
  "huggingface:novita:minimaxai/minimax-m1-80k-fast"
 ],
 "huggingface:novita:MiniMaxAI/MiniMax-M2": [
  "huggingface:novita:minimaxai/minimax-m2",
  "huggingface:novita:minimaxai/minimax-m2-fast",
  "huggingface:novita:minimaxai/minimax-m2.1",
  "huggingface:novita:minimaxai/minimax-m2.1-fast",
  "huggingface:novita:minimaxai/minimax-m2.5",
  "huggingface:novita:minimaxai/minimax-m2.5-fast"
 ],
 "huggingface:novita:NousResearch/Hermes-2-Pro-Llama-3-8B": [
  "huggingface:novita:nousresearch/hermes-2-pro-llama-3-8b",
  "huggingface:novita:nousresearch/hermes-2-pro-llama-3-8b-fast"
 ],
 "huggingface:novita:Qwen/Qwen2.5-72B-Instruct": [
  "huggingface:novita:qwen/qwen2.5-72b-instruct",
  "huggingface:novita:qwen/qwen2.5-72b-instruct-fast"
 ],
 "huggingface:novita:Qwen/Qwen3-235B-A22B": [
  "huggingface:novita:qwen/qwen3-235b-a22b",
  "huggingface:novita:qwen/qwen3-235b-a22b-fast"
 ],
 "huggingface:novita:Qwen/Qwen3-235B-A22B-Instruct-2507": [
  "huggingface:novita:qwen/qwen3-235b-a22b-instruct-2507",
  "huggingface:novita:qwen/qwen3-235b-a22b-instruct-2507-fast"
 ],
 "huggingface:novita:Qwen/Qwen3-235B-A22B-Thinking-2507": [
  "huggingface:novita:qwen/qwen3-235b-a22b-thinking-2507",
  "huggingface:novita:qwen/qwen3-235b-a22b-thinking-2507-fast"
 ],
 "huggingface:novita:Qwen/Qwen3-30B-A3B": [
  "huggingface:novita:qwen/qwen3-30b-a3b",
  "huggingface:novita:qwen/qwen3-30b-a3b-fast"
 ],
 "huggingface:novita:Qwen/Qwen3-32B": [
  "huggingface:novita:qwen/qwen3-32b",
  "huggingface:novita:qwen/qwen3-32b-fast"
 ],
 "huggingface:novita:Qwen/Qwen3-Coder-480B-A35B-Instruct": [
  "huggingface:novita:qwen/qwen3-coder-480b-a35b-instruct",
  "huggingface:novita:qwen/qwen3-coder-480b-a35b-instruct-fast"
 ],
 "huggingface:novita:Qwen/Qwen3-Coder-Next": [
  "huggingface:novita:qwen/qwen3-coder-next",
  "huggingface:novita:qwen/qwen3-coder-next-fast"
 ],
 "huggingface:novita:Qwen/Qwen3-Next-80B-A3B-Instruct": [
  "huggingface:novita:qwen/qwen3-next-80b-a3b-instruct",
  "huggingface:novita:qwen/qwen3-next-80b-a3b-instruct-fast"
 ],
 "huggingface:novita:Qwen/Qwen3-Next-80B-A3B-Thinking": [
  "huggingface:novita:qwen/qwen3-next-80b-a3b-thinking",
  "huggingface:novita:qwen/qwen3-next-80b-a3b-thinking-fast"
 ],
 "huggingface:novita:Qwen/Qwen3-VL-235B-A22B-Instruct": [
  "huggingface:novita:qwen/qwen3-vl-235b-a22b-instruct",
  "huggingface:novita:qwen/qwen3-vl-235b-a22b-instruct-fast"
 ],
 "huggingface:novita:Qwen/Qwen3-VL-235B-A22B-Thinking": [
  "huggingface:novita:qwen/qwen3-vl-235b-a22b-thinking",
  "huggingface:novita:qwen/qwen3-vl-235b-a22b-thinking-fast"
 ],
 "huggingface:novita:Qwen/Qwen3-VL-30B-A3B-Instruct": [
  "huggingface:novita:qwen/qwen3-vl-30b-a3b-instruct",
  "huggingface:novita:qwen/qwen3-vl-30b-a3b-instruct-fast"
 ],
 "huggingface:novita:Qwen/Qwen3-VL-30B-A3B-Thinking": [
  "huggingface:novita:qwen/qwen3-vl-30b-a3b-thinking",
  "huggingface:novita:qwen/qwen3-vl-30b-a3b-thinking-fast"
 ],
 "huggingface:novita:Qwen/Qwen3-VL-8B-Instruct": [
  "huggingface:novita:qwen/qwen3-vl-8b-instruct",
  "huggingface:novita:qwen/qwen3-vl-8b-instruct-fast"
 ],
 "huggingface:novita:Qwen/Qwen3.5-122B-A10B": [
  "huggingface:novita:qwen/qwen3.5-122b-a10b",
  "huggingface:novita:qwen/qwen3.5-122b-a10b-fast"
 ],
 "huggingface:novita:Qwen/Qwen3.5-27B": [
  "huggingface:novita:qwen/qwen3.5-27b",
  "huggingface:novita:qwen/qwen3.5-27b-fast"
 ],
 "huggingface:novita:Qwen/Qwen3.5-35B-A3B": [
  "huggingface:novita:qwen/qwen3.5-35b-a3b",
  "huggingface:novita:qwen/qwen3.5-35b-a3b-fast"
 ],
 "huggingface:novita:Qwen/Qwen3.5-397B-A17B": [
  "huggingface:novita:qwen/qwen3.5-397b-a17b",
  "huggingface:novita:qwen/qwen3.5-397b-a17b-fast"
 ],
 "huggingface:novita:Sao10K/L3-70B-Euryale-v2.1": [
  "huggingface:novita:sao10k/l3-70b-euryale-v2.1",
  "huggingface:novita:sao10k/l3-70b-euryale-v2.1-fast"
 ],
 "huggingface:novita:Sao10K/L3-8B-Lunaris-v1": [
  "huggingface:novita:sao10k/l3-8b-lunaris-v1",
  "huggingface:novita:sao10k/l3-8b-lunaris-v1-fast"
 ],
 "huggingface:novita:Sao10K/L3-8B-Stheno-v3.2": [
  "huggingface:novita:sao10k/l3-8b-stheno-v3.2",
  "huggingface:novita:sao10k/l3-8b-stheno-v3.2-fast"
 ],
 "huggingface:novita:XiaomiMiMo/MiMo-V2-Flash": [
  "huggingface:novita:xiaomimimo/mimo-v2-flash",
  "huggingface:novita:xiaomimimo/mimo-v2-flash-fast"
 ],
 "huggingface:novita:alpindale/WizardLM-2-8x22B": [
  "huggingface:novita:alpindale/wizardlm-2-8x22b",
  "huggingface:novita:alpindale/wizardlm-2-8x22b-fast"
 ],
 "huggingface:novita:baidu/ERNIE-4.5-21B-A3B-PT": [
  "huggingface:novita:baidu/ernie-4.5-21b-a3b-pt",
  "huggingface:novita:baidu/ernie-4.5-21b-a3b-pt-fast"
 ],
 "huggingface:novita:baidu/ERNIE-4.5-300B-A47B-Base-PT": [
  "huggingface:novita:baidu/ernie-4.5-300b-a47b-base-pt",
  "huggingface:novita:baidu/ernie-4.5-300b-a47b-base-pt-fast"
 ],
 "huggingface:novita:baidu/ERNIE-4.5-VL-28B-A3B-PT": [
  "huggingface:novita:baidu/ernie-4.5-vl-28b-a3b-pt",
  "huggingface:novita:baidu/ernie-4.5-vl-28b-a3b-pt-fast"
 ],
 "huggingface:novita:baidu/ERNIE-4.5-VL-424B-A47B-Base-PT": [
  "huggingface:novita:baidu/ernie-4.5-vl-424b-a47b-base-pt",
  "huggingface:novita:baidu/ernie-4.5-vl-424b-a47b-base-pt-fast"
 ],
 "huggingface:novita:deepseek-ai/DeepSeek-Prover-V2-671B": [
  "huggingface:novita:deepseek-ai/deepseek-prover-v2-671b",
  "huggingface:novita:deepseek-ai/deepseek-prover-v2-671b-fast"
 ],
 "huggingface:novita:deepseek-ai/DeepSeek-R1": [
  "huggingface:novita:deepseek-ai/deepseek-r1",
  "huggingface:novita:deepseek-ai/deepseek-r1-fast",
  "huggingface:novita:deepseek-ai/deepseek-r1-0528",
  "huggingface:novita:deepseek-ai/deepseek-r1-0528-fast"
 ],
 "huggingface:novita:deepseek-ai/DeepSeek-R1-Distill-Llama-70B": [
  "huggingface:novita:deepseek-ai/deepseek-r1-distill-llama-70b",
  "huggingface:novita:deepseek-ai/deepseek-r1-distill-llama-70b-fast"
 ],
 "huggingface:novita:deepseek-ai/DeepSeek-V3": [
  "huggingface:novita:deepseek-ai/deepseek-v3",
  "huggingface:novita:deepseek-ai/deepseek-v3-fast"
 ],
 "huggingface:novita:deepseek-ai/DeepSeek-V3-0324": [
  "huggingface:novita:deepseek-ai/deepseek-v3-0324",
  "huggingface:novita:deepseek-ai/deepseek-v3-0324-fast"
 ],
 "huggingface:novita:deepseek-ai/DeepSeek-V3.1": [
  "huggingface:novita:deepseek-ai/deepseek-v3.1",
  "huggingface:novita:deepseek-ai/deepseek-v3.1-fast",
  "huggingface:novita:deepseek-ai/deepseek-v3.1-terminus",
  "huggingface:novita:deepseek-ai/deepseek-v3.1-terminus-fast"
 ],
 "huggingface:novita:deepseek-ai/DeepSeek-V3.2": [
  "huggingface:novita:deepseek-ai/deepseek-v3.2",
  "huggingface:novita:deepseek-ai/deepseek-v3.2-fast"
 ],
 "huggingface:novita:deepseek-ai/DeepSeek-V3.2-Exp": [
  "huggingface:novita:deepseek-ai/deepseek-v3.2-exp",
  "huggingface:novita:deepseek-ai/deepseek-v3.2-exp-fast"
 ],
 "huggingface:novita:meta-llama/Llama-3.1-8B-Instruct": [
  "huggingface:novita:meta-llama/llama-3.1-8b-instruct",
  "huggingface:novita:meta-llama/llama-3.1-8b-instruct-fast"
 ],
 "huggingface:novita:meta-llama/Llama-3.3-70B-Instruct": [
  "huggingface:novita:meta-llama/llama-3.3-70b-instruct",
  "huggingface:novita:meta-llama/llama-3.3-70b-instruct-fast"
 ],
 "huggingface:novita:meta-llama/Llama-4-Maverick-17B-128E-Instruct-FP8": [
  "huggingface:novita:meta-llama/llama-4-maverick-17b-128e-instruct-fp8",
  "huggingface:novita:meta-llama/llama-4-maverick-17b-128e-instruct-fp8-fast"
 ],
 "huggingface:novita:meta-llama/Llama-4-Scout-17B-16E-Instruct": [
  "huggingface:novita:meta-llama/llama-4-scout-17b-16e-instruct",
  "huggingface:novita:meta-llama/llama-4-scout-17b-16e-instruct-fast"
 ],
 "huggingface:novita:meta-llama/Meta-Llama-3-70B-Instruct": [
  "huggingface:novita:meta-llama/meta-llama-3-70b-instruct",
  "huggingface:novita:meta-llama/meta-llama-3-70b-instruct-fast"
 ],
 "huggingface:novita:meta-llama/Meta-Llama-3-8B-Instruct": [
  "huggingface:novita:meta-llama/meta-llama-3-8b-instruct",
  "huggingface:novita:meta-llama/meta-llama-3-8b-instruct-fast"
 ],
 "huggingface:novita:moonshotai/Kimi-K2-Instruct": [
  "huggingface:novita:moonshotai/kimi-k2-instruct",
  "huggingface:novita:moonshotai/kimi-k2-instruct-fast"
 ],
 "huggingface:novita:moonshotai/Kimi-K2-Instruct-0905": [
  "huggingface:novita:moonshotai/kimi-k2-instruct-0905",
  "huggingface:novita:moonshotai/kimi-k2-instruct-0905-fast"
 ],
 "huggingface:novita:moonshotai/Kimi-K2-Thinking": [
  "huggingface:novita:moonshotai/kimi-k2-thinking",
  "huggingface:novita:moonshotai/kimi-k2-thinking-fast"
 ],
 "huggingface:novita:moonshotai/Kimi-K2.5": [
  "huggingface:novita:moonshotai/kimi-k2.5",
  "huggingface:novita:moonshotai/kimi-k2.5-fast"
 ],
 "huggingface:novita:openai/gpt-oss-120b": [
  "huggingface:novita:openai/gpt-oss-120b-fast"
 ],
 "huggingface:novita:openai/gpt-oss-20b": [
  "huggingface:novita:openai/gpt-oss-20b-fast"
 ],
 "huggingface:novita:zai-org/AutoGLM-Phone-9B-Multilingual": [
  "huggingface:novita:zai-org/autoglm-phone-9b-multilingual",
  "huggingface:novita:zai-org/autoglm-phone-9b-multilingual-fast"
 ],
 "huggingface:novita:zai-org/GLM-4-32B-0414": [
  "huggingface:novita:zai-org/glm-4-32b-0414",
  "huggingface:novita:zai-org/glm-4-32b-0414-fast"
 ],
 "huggingface:novita:zai-org/GLM-4.5": [
  "huggingface:novita:zai-org/glm-4.5",
  "huggingface:novita:zai-org/glm-4.5-fast"
 ],
 "huggingface:novita:zai-org/GLM-4.5-Air": [
  "huggingface:novita:zai-org/glm-4.5-air",
  "huggingface:novita:zai-org/glm-4.5-air-fast"
 ],
 "huggingface:novita:zai-org/GLM-4.5V": [
  "huggingface:novita:zai-org/glm-4.5v",
  "huggingface:novita:zai-org/glm-4.5v-fast"
 ],
 "huggingface:novita:zai-org/GLM-4.6": [
  "huggingface:novita:zai-org/glm-4.6",
  "huggingface:novita:zai-org/glm-4.6-fast"
 ],
 "huggingface:novita:zai-org/GLM-4.6V-Flash": [
  "huggingface:novita:zai-org/glm-4.6v-flash",
  "huggingface:novita:zai-org/glm-4.6v-flash-fast"
 ],
 "huggingface:novita:zai-org/GLM-4.7": [
  "huggingface:novita:zai-org/glm-4.7",
  "huggingface:novita:zai-org/glm-4.7-fast"
 ],
 "huggingface:novita:zai-org/GLM-4.7-Flash": [
  "huggingface:novita:zai-org/glm-4.7-flash",
  "huggingface:novita:zai-org/glm-4.7-flash-fast"
 ],
 "huggingface:novita:zai-org/GLM-5": [
  "huggingface:novita:zai-org/glm-5",
  "huggingface:novita:zai-org/glm-5-fast"
 ],
 "huggingface:nscale:Qwen/QwQ-32B": [
  "huggingface:nscale:qwen/qwq-32b",
  "huggingface:nscale:qwen/qwq-32b-fast"
 ],
 "huggingface:nscale:Qwen/Qwen2.5-Coder-32B-Instruct": [
  "huggingface:nscale:qwen/qwen2.5-coder-32b-instruct",
  "huggingface:nscale:qwen/qwen2.5-coder-32b-instruct-fast"
 ],
 "huggingface:nscale:Qwen/Qwen2.5-Coder-3B-Instruct": [
  "huggingface:nscale:qwen/qwen2.5-coder-3b-instruct",
  "huggingface:nscale:qwen/qwen2.5-coder-3b-instruct-fast"
 ],
 "huggingface:nscale:Qwen/Qwen2.5-Coder-7B-Instruct": [
  "huggingface:nscale:qwen/qwen2.5-coder-7b-instruct",
  "huggingface:nscale:qwen/qwen2.5-coder-7b-instruct-fast"
 ],
 "huggingface:nscale:Qwen/Qwen3-14B": [
  "huggingface:nscale:qwen/qwen3-14b",
  "huggingface:nscale:qwen/qwen3-14b-fast"
 ],
 "huggingface:nscale:Qwen/Qwen3-235B-A22B": [
  "huggingface:nscale:qwen/qwen3-235b-a22b",
  "huggingface:nscale:qwen/qwen3-235b-a22b-fast",
  "huggingface:nscale:qwen/qwen3-235b-a22b-instruct-2507",
  "huggingface:nscale:qwen/qwen3-235b-a22b-instruct-2507-fast"
 ],
 "huggingface:nscale:Qwen/Qwen3-32B": [
  "huggingface:nscale:qwen/qwen3-32b",
  "huggingface:nscale:qwen/qwen3-32b-fast"
 ],
 "huggingface:nscale:Qwen/Qwen3-4B-Instruct-2507": [
  "huggingface:nscale:qwen/qwen3-4b-instruct-2507",
  "huggingface:nscale:qwen/qwen3-4b-instruct-2507-fast"
 ],
 "huggingface:nscale:Qwen/Qwen3-4B-Thinking-2507": [
  "huggingface:nscale:qwen/qwen3-4b-thinking-2507",
  "huggingface:nscale:qwen/qwen3-4b-thinking-2507-fast"
 ],
 "huggingface:nscale:Qwen/Qwen3-8B": [
  "huggingface:nscale:qwen/qwen3-8b",
  "huggingface:nscale:qwen/qwen3-8b-fast"
 ],
 "huggingface:nscale:deepseek-ai/DeepSeek-R1-Distill-Llama-70B": [
  "huggingface:nscale:deepseek-ai/deepseek-r1-distill-llama-70b",
  "huggingface:nscale:deepseek-ai/deepseek-r1-distill-llama-70b-fast"
 ],
 "huggingface:nscale:deepseek-ai/DeepSeek-R1-Distill-Llama-8B": [
  "huggingface:nscale:deepseek-ai/deepseek-r1-distill-llama-8b",
  "huggingface:nscale:deepseek-ai/deepseek-r1-distill-llama-8b-fast"
 ],
 "huggingface:nscale:deepseek-ai/DeepSeek-R1-Distill-Qwen-1.5B": [
  "huggingface:nscale:deepseek-ai/deepseek-r1-distill-qwen-1.5b",
  "huggingface:nscale:deepseek-ai/deepseek-r1-distill-qwen-1.5b-fast"
 ],
 "huggingface:nscale:deepseek-ai/DeepSeek-R1-Distill-Qwen-32B": [
  "huggingface:nscale:deepseek-ai/deepseek-r1-distill-qwen-32b",
  "huggingface:nscale:deepseek-ai/deepseek-r1-distill-qwen-32b-fast"
 ],
 "huggingface:nscale:deepseek-ai/DeepSeek-R1-Distill-Qwen-7B": [
  "huggingface:nscale:deepseek-ai/deepseek-r1-distill-qwen-7b",
  "huggingface:nscale:deepseek-ai/deepseek-r1-distill-qwen-7b-fast"
 ],
 "huggingface:nscale:meta-llama/Llama-3.1-8B-Instruct": [
  "huggingface:nscale:meta-llama/llama-3.1-8b-instruct",
  "huggingface:nscale:meta-llama/llama-3.1-8b-instruct-fast"
 ],
 "huggingface:nscale:meta-llama/Llama-3.3-70B-Instruct": [
  "huggingface:nscale:meta-llama/llama-3.3-70b-instruct",
  "huggingface:nscale:meta-llama/llama-3.3-70b-instruct-fast"
 ],
 "huggingface:nscale:meta-llama/Llama-4-Scout-17B-16E-Instruct": [
  "huggingface:nscale:meta-llama/llama-4-scout-17b-16e-instruct",
  "huggingface:nscale:meta-llama/llama-4-scout-17b-16e-instruct-fast"
 ],
 "huggingface:nscale:openai/gpt-oss-120b": [
  "huggingface:nscale:openai/gpt-oss-120b-fast"
 ],
 "huggingface:nscale:openai/gpt-oss-20b": [
  "huggingface:nscale:openai/gpt-oss-20b-fast"
 ],
 "huggingface:ovhcloud:Qwen/Qwen2.5-VL-72B-Instruct": [
  "huggingface:ovhcloud:qwen/qwen2.5-vl-72b-instruct",
  "huggingface:ovhcloud:qwen/qwen2.5-vl-72b-instruct-fast"
 ],
 "huggingface:ovhcloud:Qwen/Qwen3-32B": [
  "huggingface:ovhcloud:qwen/qwen3-32b",
  "huggingface:ovhcloud:qwen/qwen3-32b-fast"
 ],
 "huggingface:ovhcloud:Qwen/Qwen3-Coder-30B-A3B-Instruct": [
  "huggingface:ovhcloud:qwen/qwen3-coder-30b-a3b-instruct",
  "huggingface:ovhcloud:qwen/qwen3-coder-30b-a3b-instruct-fast"
 ],
 "huggingface:ovhcloud:meta-llama/Llama-3.1-8B-Instruct": [
  "huggingface:ovhcloud:meta-llama/llama-3.1-8b-instruct",
  "huggingface:ovhcloud:meta-llama/llama-3.1-8b-instruct-fast"
 ],
 "huggingface:ovhcloud:meta-llama/Llama-3.3-70B-Instruct": [
  "huggingface:ovhcloud:meta-llama/llama-3.3-70b-instruct",
  "huggingface:ovhcloud:meta-llama/llama-3.3-70b-instruct-fast"
 ],
 "huggingface:ovhcloud:openai/gpt-oss-120b": [
  "huggingface:ovhcloud:openai/gpt-oss-120b-fast"
 ],
 "huggingface:ovhcloud:openai/gpt-oss-20b": [
  "huggingface:ovhcloud:openai/gpt-oss-20b-fast"
 ],
 "huggingface:publicai:aisingapore/Gemma-SEA-LION-v4-27B-IT": [
  "huggingface:publicai:aisingapore/gemma-sea-lion-v4-27b-it",
  "huggingface:publicai:aisingapore/gemma-sea-lion-v4-27b-it-fast"
 ],
 "huggingface:publicai:aisingapore/Qwen-SEA-LION-v4-32B-IT": [
  "huggingface:publicai:aisingapore/qwen-sea-lion-v4-32b-it",
  "huggingface:publicai:aisingapore/qwen-sea-lion-v4-32b-it-fast"
 ],
 "huggingface:publicai:allenai/Olmo-3-7B-Instruct": [
  "huggingface:publicai:allenai/olmo-3-7b-instruct",
  "huggingface:publicai:allenai/olmo-3-7b-instruct-fast"
 ],
 "huggingface:publicai:allenai/Olmo-3.1-32B-Instruct": [
  "huggingface:publicai:allenai/olmo-3.1-32b-instruct",
  "huggingface:publicai:allenai/olmo-3.1-32b-instruct-fast"
 ],
 "huggingface:publicai:dicta-il/DictaLM-3.0-24B-Thinking": [
  "huggingface:publicai:dicta-il/dictalm-3.0-24b-thinking",
  "huggingface:publicai:dicta-il/dictalm-3.0-24b-thinking-fast"
 ],
 "huggingface:publicai:swiss-ai/Apertus-70B-Instruct-2509": [
  "huggingface:publicai:swiss-ai/apertus-70b-instruct-2509",
  "huggingface:publicai:swiss-ai/apertus-70b-instruct-2509-fast"
 ],
 "huggingface:publicai:swiss-ai/Apertus-8B-Instruct-2509": [
  "huggingface:publicai:swiss-ai/apertus-8b-instruct-2509",
  "huggingface:publicai:swiss-ai/apertus-8b-instruct-2509-fast"
 ],
 "huggingface:publicai:utter-project/EuroLLM-22B-Instruct-2512": [
  "huggingface:publicai:utter-project/eurollm-22b-instruct-2512",
  "huggingface:publicai:utter-project/eurollm-22b-instruct-2512-fast"
 ],
 "huggingface:sambanova:Qwen/Qwen3-32B": [
  "huggingface:sambanova:qwen/qwen3-32b",
  "huggingface:sambanova:qwen/qwen3-32b-fast"
 ],
 "huggingface:sambanova:deepseek-ai/DeepSeek-R1-0528": [
  "huggingface:sambanova:deepseek-ai/deepseek-r1-0528",
  "huggingface:sambanova:deepseek-ai/deepseek-r1-0528-fast"
 ],
 "huggingface:sambanova:deepseek-ai/DeepSeek-R1-Distill-Llama-70B": [
  "huggingface:sambanova:deepseek-ai/deepseek-r1-distill-llama-70b",
  "huggingface:sambanova:deepseek-ai/deepseek-r1-distill-llama-70b-fast"
 ],
 "huggingface:sambanova:deepseek-ai/DeepSeek-V3-0324": [
  "huggingface:sambanova:deepseek-ai/deepseek-v3-0324",
  "huggingface:sambanova:deepseek-ai/deepseek-v3-0324-fast"
 ],
 "huggingface:sambanova:meta-llama/Llama-3.1-8B-Instruct": [
  "huggingface:sambanova:meta-llama/llama-3.1-8b-instruct",
  "huggingface:sambanova:meta-llama/llama-3.1-8b-instruct-fast"
 ],
 "huggingface:sambanova:meta-llama/Llama-3.3-70B-Instruct": [
  "huggingface:sambanova:meta-llama/llama-3.3-70b-instruct",
  "huggingface:sambanova:meta-llama/llama-3.3-70b-instruct-fast"
 ],
 "huggingface:sambanova:openai/gpt-oss-120b": [
  "huggingface:sambanova:openai/gpt-oss-120b-fast"
 ],
 "huggingface:sambanova:tokyotech-llm/Llama-3.3-Swallow-70B-Instruct-v0.4": [
  "huggingface:sambanova:tokyotech-llm/llama-3.3-swallow-70b-instruct-v0.4",
  "huggingface:sambanova:tokyotech-llm/llama-3.3-swallow-70b-instruct-v0.4-fast"
 ],
 "huggingface:together:EssentialAI/rnj-1-instruct": [
  "huggingface:together:essentialai/rnj-1-instruct",
  "huggingface:together:essentialai/rnj-1-instruct-fast"
 ],
 "huggingface:together:Qwen/Qwen2.5-7B-Instruct": [
  "huggingface:together:qwen/qwen2.5-7b-instruct",
  "huggingface:together:qwen/qwen2.5-7b-instruct-fast"
 ],
 "huggingface:together:Qwen/Qwen3-235B-A22B-Instruct-2507": [
  "huggingface:together:qwen/qwen3-235b-a22b-instruct-2507",
  "huggingface:together:qwen/qwen3-235b-a22b-instruct-2507-fast"
 ],
 "huggingface:together:Qwen/Qwen3-Coder-480B-A35B-Instruct": [
  "huggingface:together:qwen/qwen3-coder-480b-a35b-instruct",
  "huggingface:together:qwen/qwen3-coder-480b-a35b-instruct-fast",
  "huggingface:together:qwen/qwen3-coder-480b-a35b-instruct-fp8",
  "huggingface:together:qwen/qwen3-coder-480b-a35b-instruct-fp8-fast"
 ],
 "huggingface:together:Qwen/Qwen3-Coder-Next-FP8": [
  "huggingface:together:qwen/qwen3-coder-next-fp8",
  "huggingface:together:qwen/qwen3-coder-next-fp8-fast"
 ],
 "huggingface:together:Qwen/Qwen3-Next-80B-A3B-Instruct": [
  "huggingface:together:qwen/qwen3-next-80b-a3b-instruct",
  "huggingface:together:qwen/qwen3-next-80b-a3b-instruct-fast"
 ],
 "huggingface:together:Qwen/Qwen3-VL-8B-Instruct": [
  "huggingface:together:qwen/qwen3-vl-8b-instruct",
  "huggingface:together:qwen/qwen3-vl-8b-instruct-fast"
 ],
 "huggingface:together:Qwen/Qwen3.5-397B-A17B": [
  "huggingface:together:qwen/qwen3.5-397b-a17b",
  "huggingface:together:qwen/qwen3.5-397b-a17b-fast"
 ],
 "huggingface:together:Qwen/Qwen3.5-9B": [
  "huggingface:together:qwen/qwen3.5-9b",
  "huggingface:together:qwen/qwen3.5-9b-fast"
 ],
 "huggingface:together:ServiceNow-AI/Apriel-1.6-15b-Thinker": [
  "huggingface:together:servicenow-ai/apriel-1.6-15b-thinker",
  "huggingface:together:servicenow-ai/apriel-1.6-15b-thinker-fast"
 ],
 "huggingface:together:deepcogito/cogito-671b-v2.1": [
  "huggingface:together:deepcogito/cogito-671b-v2.1-fast",
  "huggingface:together:deepcogito/cogito-671b-v2.1-fp8",
  "huggingface:together:deepcogito/cogito-671b-v2.1-fp8-fast"
 ],
 "huggingface:together:deepseek-ai/DeepSeek-R1": [
  "huggingface:together:deepseek-ai/deepseek-r1",
  "huggingface:together:deepseek-ai/deepseek-r1-fast",
  "huggingface:together:deepseek-ai/deepseek-r1-0528",
  "huggingface:together:deepseek-ai/deepseek-r1-0528-fast"
 ],
 "huggingface:together:deepseek-ai/DeepSeek-V3": [
  "huggingface:together:deepseek-ai/deepseek-v3",
  "huggingface:together:deepseek-ai/deepseek-v3-fast",
  "huggingface:together:deepseek-ai/deepseek-v3-0324",
  "huggingface:together:deepseek-ai/deepseek-v3-0324-fast"
 ],
 "huggingface:together:deepseek-ai/DeepSeek-V3.1": [
  "huggingface:together:deepseek-ai/deepseek-v3.1",
  "huggingface:together:deepseek-ai/deepseek-v3.1-fast"
 ],
 "huggingface:together:google/gemma-3n-E4B-it": [
  "huggingface:together:google/gemma-3n-e4b-it",
  "huggingface:together:google/gemma-3n-e4b-it-fast"
 ],
 "huggingface:together:meta-llama/Llama-3.3-70B-Instruct": [
  "huggingface:together:meta-llama/llama-3.3-70b-instruct",
  "huggingface:together:meta-llama/llama-3.3-70b-instruct-fast"
 ],
 "huggingface:together:meta-llama/Llama-4-Maverick-17B-128E-Instruct-FP8": [
  "huggingface:together:meta-llama/llama-4-maverick-17b-128e-instruct-fp8",
  "huggingface:together:meta-llama/llama-4-maverick-17b-128e-instruct-fp8-fast"
 ],
 "huggingface:together:moonshotai/Kimi-K2.5": [
  "huggingface:together:moonshotai/kimi-k2.5",
  "huggingface:together:moonshotai/kimi-k2.5-fast"
 ],
 "huggingface:together:openai/gpt-oss-120b": [
  "huggingface:together:openai/gpt-oss-120b-fast"
 ],
 "huggingface:together:openai/gpt-oss-20b": [
  "huggingface:together:openai/gpt-oss-20b-fast"
 ],
 "huggingface:together:zai-org/GLM-4.5-Air-FP8": [
  "huggingface:together:zai-org/glm-4.5-air-fp8",
  "huggingface:together:zai-org/glm-4.5-air-fp8-fast"
 ],
 "huggingface:together:zai-org/GLM-4.6": [
  "huggingface:together:zai-org/glm-4.6",
  "huggingface:together:zai-org/glm-4.6-fast"
 ],
 "huggingface:together:zai-org/GLM-4.7-FP8": [
  "huggingface:together:zai-org/glm-4.7-fp8",
  "huggingface:together:zai-org/glm-4.7-fp8-fast"
 ],
 "huggingface:together:zai-org/GLM-5": [
  "huggingface:together:zai-org/glm-5",
  "huggingface:together:zai-org/glm-5-fast"
 ],
 "minimax:M2-her": [
  "minimax:m2-her"
 ],
 "minimax:MiniMax-M2": [
  "minimax:minimax-m2",
  "minimax:MiniMax-M2.1",
  "minimax:minimax-m2.1",
  "minimax:MiniMax-M2.5",
  "minimax:minimax-m2.5"
 ],
 "minimax:MiniMax-M2.7": [
  "minimax:minimax-m2.7"
 ],
 "mistral:codestral": [
  "mistral:codestral-2501"
 ],
 "mistral:codestral-2508": [
  "mistral:codestral-latest"
 ],
 "mistral:devstral-2512": [
  "mistral:devstral-latest",
  "mistral:devstral-medium-latest"
 ],
 "mistral:devstral-small": [
  "mistral:devstral-small-2505",
  "mistral:devstral-small-2507",
  "mistral:devstral-small-latest",
  "mistral:labs-devstral-small-2512"
 ],
 "mistral:magistral-medium": [
  "mistral:magistral-medium-1-2-2509",
  "mistral:magistral-medium-2509",
  "mistral:magistral-medium-latest"
 ],
 "mistral:magistral-small": [
  "mistral:magistral-small-1-2-2509",
  "mistral:magistral-small-latest"
 ],
 "mistral:ministral-14b-2512": [
  "mistral:ministral-14b-latest"
 ],
 "mistral:ministral-3b-2512": [
  "mistral:ministral-3b-latest"
 ],
 "mistral:ministral-8b": [
  "mistral:ministral-8b-2410"
 ],
 "mistral:mistral-7b": [
  "mistral:open-mistral-7b"
 ],
 "mistral:mistral-large": [
  "mistral:mistral-large-2407",
  "mistral:mistral-large-2411"
 ],
 "mistral:mistral-large-2512": [
  "mistral:mistral-large-latest"
 ],
 "mistral:mistral-medium-3-1": [
  "mistral:mistral-medium",
  "mistral:mistral-medium-2505",
  "mistral:mistral-medium-2508"
 ],
 "mistral:mistral-medium-3-5": [
  "mistral:mistral-medium-3.5",
  "mistral:mistral-medium-3"
 ],
 "mistral:mistral-nemo": [
  "mistral:open-mistral-nemo"
 ],
 "mistral:mistral-ocr-2503": [
  "mistral:mistral-ocr-2503-completion"
 ],
 "mistral:mistral-ocr-2505": [
  "mistral:mistral-ocr-2505-completion"
 ],
 "mistral:mistral-ocr-2512": [
  "mistral:mistral-ocr-2512-completion"
 ],
 "mistral:mistral-ocr-4-0": [
  "mistral:mistral-ocr-4-0-completion"
 ],
 "mistral:mistral-ocr-4-1": [
  "mistral:mistral-ocr-4",
  "mistral:mistral-ocr-4-completion",
  "mistral:mistral-ocr-4-1-completion"
 ],
 "mistral:mistral-ocr-latest": [
  "mistral:mistral-ocr-latest-completion"
 ],
 "mistral:mistral-saba": [
  "mistral:mistral-saba-latest"
 ],
 "mistral:mixtral-8x7b": [
  "mistral:open-mixtral-8x7b"
 ],
 "mistral:pixtral-12b": [
  "mistral:pixtral-12b-latest"
 ],
 "mistral:pixtral-large": [
  "mistral:pixtral-large-latest",
  "mistral:pixtral-large-2411"
 ],
 "mistral:voxtral-mini-2602": [
  "mistral:voxtral-mini-latest"
 ],
 "mistral:voxtral-small-24b-2507": [
  "mistral:voxtral-small-2507",
  "mistral:voxtral-small-latest"
 ],
 "moonshot:moonshot-v1-128k": [
  "moonshot:moonshot-v1-128k-vision-preview"
 ],
 "moonshot:moonshot-v1-32k": [
  "moonshot:moonshot-v1-32k-vision-preview"
 ],
 "moonshot:moonshot-v1-8k": [
  "moonshot:moonshot-v1-8k-vision-preview"
 ],
 "novita:meta-llama/llama-3.1-8b-instruct": [
  "novita:meta-llama/llama-3.1-8b-instruct-max"
 ],
 "openai:ada": [
  "openai:text-ada-001"
 ],
 "openai:codex-mini": [
  "openai:codex-mini-latest"
 ],
 "openai:computer-use": [
  "openai:computer-use-preview",
  "openai:computer-use-preview-2025-03-11"
 ],
 "openai:curie": [
  "openai:text-curie-001"
 ],
 "openai:davinci": [
  "openai:text-davinci-001"
 ],
 "openai:ft:gpt-3.5-turbo-": [
  "openai:ft:gpt-3.5-turbo",
  "openai:ft:gpt-3.5-turbo-0125",
  "openai:ft:gpt-3.5-turbo-0613",
  "openai:ft:gpt-3.5-turbo-1106"
 ],
 "openai:ft:gpt-4o": [
  "openai:ft:gpt-4o-2024-08-06",
  "openai:ft:gpt-4o-2024-11-20"
 ],
 "openai:ft:gpt-4o-mini": [
  "openai:ft:gpt-4o-mini-2024-07-18"
 ],
 "openai:gpt-3.5-0301": [
  "openai:gpt-3.5-turbo-0301"
 ],
 "openai:gpt-3.5-turbo": [
  "openai:gpt-3.5-turbo-0125"
 ],
 "openai:gpt-3.5-turbo-16k": [
  "openai:gpt-3.5-turbo-16k-0613",
  "openai:gpt-35-turbo-16k-0613",
  "openai:gpt-35-turbo-16k"
 ],
 "openai:gpt-3.5-turbo-instruct": [
  "openai:gpt-3.5-turbo-instruct-0914"
 ],
 "openai:gpt-4": [
  "openai:gpt-4-0314",
  "openai:gpt-4-0613"
 ],
 "openai:gpt-4-32k": [
  "openai:gpt-4-32k-0314",
  "openai:gpt-4-32k-0613"
 ],
 "openai:gpt-4-turbo": [
  "openai:gpt-4-turbo-2024-04-09",
  "openai:gpt-4-turbo-0125-preview",
  "openai:gpt-4-0125-preview",
  "openai:gpt-4-1106-preview",
  "openai:gpt-4-turbo-preview"
 ],
 "openai:gpt-4-vision-preview": [
  "openai:gpt-4-1106-vision-preview"
 ],
 "openai:gpt-4.1": [
  "openai:gpt-4.1-2025-04-14"
 ],
 "openai:gpt-4.1-mini": [
  "openai:gpt-4.1-mini-2025-04-14"
 ],
 "openai:gpt-4.1-nano": [
  "openai:gpt-4.1-nano-2025-04-14"
 ],
 "openai:gpt-4o": [
  "openai:gpt-4o-2024-08-06",
  "openai:gpt-4o-2024-11-20"
 ],
 "openai:gpt-4o-mini": [
  "openai:gpt-4o-mini-2024-07-18"
 ],
 "openai:gpt-4o-search-preview": [
  "openai:gpt-4o-search-preview-2025-03-11"
 ],
 "openai:gpt-4o-transcribe": [
  "openai:gpt-4o-transcribe-diarize"
 ],
 "openai:gpt-5": [
  "openai:gpt-5-2025-08-07",
  "openai:gpt-5-chat",
  "openai:gpt-5-chat-latest",
  "openai:gpt-5-codex"
 ],
 "openai:gpt-5-mini": [
  "openai:gpt-5-mini-2025-08-07"
 ],
 "openai:gpt-5-nano": [
  "openai:gpt-5-nano-2025-08-07"
 ],
 "openai:gpt-5-pro": [
  "openai:gpt-5-pro-2025-10-06"
 ],
 "openai:gpt-5.1": [
  "openai:gpt-5.1-2025-11-13",
  "openai:gpt-5.1-codex",
  "openai:gpt-5.1-codex-max",
  "openai:gpt-5.1-chat",
  "openai:gpt-5.1-chat-latest",
  "openai:gpt-5-1",
  "openai:gpt-5-1-2025-11-13",
  "openai:gpt-5-1-codex",
  "openai:gpt-5-1-codex-max",
  "openai:gpt-5-1-chat",
  "openai:gpt-5-1-chat-latest"
 ],
 "openai:gpt-5.1-codex-mini": [
  "openai:gpt-5.1-mini",
  "openai:gpt-5-1-codex-mini",
  "openai:gpt-5-1-mini"
 ],
 "openai:gpt-5.2": [
  "openai:gpt-5.2-2025-12-11",
  "openai:gpt-5-2",
  "openai:gpt-5-2-2025-12-11",
  "openai:gpt-5.2-chat",
  "openai:gpt-5.2-chat-latest",
  "openai:gpt-5-2-chat",
  "openai:gpt-5-2-chat-latest",
  "openai:gpt-5.2-codex",
  "openai:gpt-5-2-codex"
 ],
 "openai:gpt-5.2-pro": [
  "openai:gpt-5.2-pro-2025-12-11",
  "openai:gpt-5-2-pro-2025-12-11"
 ],
 "openai:gpt-5.3": [
  "openai:gpt-5-3",
  "openai:gpt-5.3-chat",
  "openai:gpt-5.3-chat-latest",
  "openai:gpt-5-3-chat",
  "openai:gpt-5-3-chat-latest"
 ],
 "openai:gpt-5.3-codex": [
  "openai:gpt-5-3-codex"
 ],
 "openai:gpt-5.4": [
  "openai:gpt-5.4-2026-03-05",
  "openai:gpt-5-4",
  "openai:gpt-5-4-2026-03-05"
 ],
 "openai:gpt-5.4-mini": [
  "openai:gpt-5.4-mini-2026-03-17",
  "openai:gpt-5-4-mini",
  "openai:gpt-5-4-mini-2026-03-17"
 ],
 "openai:gpt-5.4-nano": [
  "openai:gpt-5.4-nano-2026-03-17",
  "openai:gpt-5-4-nano",
  "openai:gpt-5-4-nano-2026-03-17"
 ],
 "openai:gpt-5.4-pro": [
  "openai:gpt-5.4-pro-2026-03-05",
  "openai:gpt-5-4-pro",
  "openai:gpt-5-4-pro-2026-03-05"
 ],
 "openai:gpt-5.5": [
  "openai:gpt-5.5-2026-04-23",
  "openai:gpt-5.5-2026-04-24",
  "openai:gpt-5-5",
  "openai:gpt-5-5-2026-04-23",
  "openai:gpt-5-5-2026-04-24",
  "openai:gpt-5.5-chat",
  "openai:gpt-5.5-chat-latest",
  "openai:gpt-5-5-chat",
  "openai:gpt-5-5-chat-latest",
  "openai:gpt-5.5-codex",
  "openai:gpt-5-5-codex"
 ],
 "openai:gpt-5.5-pro": [
  "openai:gpt-5.5-pro-2026-04-23",
  "openai:gpt-5-5-pro",
  "openai:gpt-5-5-pro-2026-04-23"
 ],
 "openai:gpt-5.6-luna": [
  "openai:gpt-5-6-luna"
 ],
 "openai:gpt-5.6-sol": [
  "openai:gpt-5-6-sol",
  "openai:gpt-5.6",
  "openai:gpt-5-6"
 ],
 "openai:gpt-5.6-terra": [
  "openai:gpt-5-6-terra"
 ],
 "openai:gpt-audio": [
  "openai:gpt-audio-2025-08-28",
  "openai:gpt-audio-1.5"
 ],
 "openai:gpt-audio-mini": [
  "openai:gpt-audio-mini-2025-10-06",
  "openai:gpt-audio-mini-2025-12-15"
 ],
 "openai:gpt-image-1.5": [
  "openai:gpt-image-1.5-2025-12-16"
 ],
 "openai:gpt-image-2": [
  "openai:gpt-image-2-2026-04-21"
 ],
 "openai:gpt-realtime": [
  "openai:gpt-realtime-2025-08-28",
  "openai:gpt-realtime-1.5"
 ],
 "openai:gpt-realtime-2": [
  "openai:gpt-realtime-2.1"
 ],
 "openai:gpt-realtime-mini": [
  "openai:gpt-realtime-2.1-mini",
  "openai:gpt-realtime-mini-2025-12-15",
  "openai:gpt-realtime-mini-2025-10-06"
 ],
 "openai:moderation": [
  "openai:omni-moderation-latest",
  "openai:omni-moderation-2024-09-26"
 ],
 "openai:o1": [
  "openai:o1-2024-12-17"
 ],
 "openai:o1-mini": [
  "openai:o1-mini-2024-09-12"
 ],
 "openai:o1-preview": [
  "openai:o1-preview-2024-09-12"
 ],
 "openai:o1-pro": [
  "openai:o1-pro-2025-03-19"
 ],
 "openai:o3": [
  "openai:o3-2025-04-16"
 ],
 "openai:o3-deep-research": [
  "openai:o3-deep-research-2025-06-26"
 ],
 "openai:o3-mini": [
  "openai:o3-mini-2025-01-31",
  "openai:o3-mini-high"
 ],
 "openai:o3-pro": [
  "openai:o3-pro-2025-06-10"
 ],
 "openai:o4-mini": [
  "openai:o4-mini-2025-04-16",
  "openai:o4-mini-high"
 ],
 "openai:o4-mini-deep-research": [
  "openai:o4-mini-deep-research-2025-06-26"
 ],
 "openai:text-embedding-ada-002": [
  "openai:text-embedding-ada",
  "openai:text-embedding-ada-002-v2"
 ],
 "openrouter:anthropic/claude-2": [
  "openrouter:anthropic/claude-2.0",
  "openrouter:anthropic/claude-2.0:beta",
  "openrouter:anthropic/claude-2.1",
  "openrouter:anthropic/claude-2.1:beta",
  "openrouter:anthropic/claude-2:beta"
 ],
 "openrouter:anthropic/claude-3-haiku": [
  "openrouter:anthropic/claude-3-haiku:beta"
 ],
 "openrouter:anthropic/claude-3-opus": [
  "openrouter:anthropic/claude-3-opus:beta"
 ],
 "openrouter:anthropic/claude-3-sonnet": [
  "openrouter:anthropic/claude-3-sonnet:beta"
 ],
 "openrouter:anthropic/claude-3.5-haiku": [
  "openrouter:anthropic/claude-3.5-haiku-20241022",
  "openrouter:anthropic/claude-3.5-haiku-20241022:beta",
  "openrouter:anthropic/claude-3.5-haiku:beta"
 ],
 "openrouter:anthropic/claude-3.5-sonnet": [
  "openrouter:anthropic/claude-3.5-sonnet-20240620",
  "openrouter:anthropic/claude-3.5-sonnet-20240620:beta",
  "openrouter:anthropic/claude-3.5-sonnet:beta"
 ],
 "openrouter:anthropic/claude-3.7-sonnet": [
  "openrouter:anthropic/claude-3.7-sonnet:beta",
  "openrouter:anthropic/claude-3.7-sonnet:thinking"
 ],
 "openrouter:anthropic/claude-fable-5": [
  "openrouter:anthropic/claude-fable-5:beta"
 ],
 "openrouter:anthropic/claude-fable-5.1": [
  "openrouter:anthropic/claude-fable-5.1:beta"
 ],
 "openrouter:anthropic/claude-haiku-4.5": [
  "openrouter:anthropic/claude-4.5-haiku-20251001",
  "openrouter:anthropic/claude-4.5-haiku-20251001:beta",
  "openrouter:anthropic/claude-haiku-4.5-20251001",
  "openrouter:anthropic/claude-haiku-4.5-20251001:beta",
  "openrouter:anthropic/claude-haiku-4.5:beta"
 ],
 "openrouter:anthropic/claude-opus-4": [
  "openrouter:anthropic/claude-opus-4.1"
 ],
 "openrouter:anthropic/claude-opus-4.5": [
  "openrouter:anthropic/claude-4.5-opus-20251124",
  "openrouter:anthropic/claude-4.5-opus-20251124:beta",
  "openrouter:anthropic/claude-opus-4.5-20251124",
  "openrouter:anthropic/claude-opus-4.5-20251124:beta",
  "openrouter:anthropic/claude-opus-4.5:beta"
 ],
 "openrouter:anthropic/claude-opus-4.6": [
  "openrouter:anthropic/claude-4.6-opus-20260205",
  "openrouter:anthropic/claude-4.6-opus-20260205:beta",
  "openrouter:anthropic/claude-opus-4.6-20260205",
  "openrouter:anthropic/claude-opus-4.6-20260205:beta",
  "openrouter:anthropic/claude-opus-4.6:beta"
 ],
 "openrouter:anthropic/claude-opus-4.7": [
  "openrouter:anthropic/claude-opus-4.7:beta"
 ],
 "openrouter:anthropic/claude-opus-4.8": [
  "openrouter:anthropic/claude-opus-4.8:beta"
 ],
 "openrouter:anthropic/claude-opus-5": [
  "openrouter:anthropic/claude-opus-5:beta"
 ],
 "openrouter:anthropic/claude-opus-5.5": [
  "openrouter:anthropic/claude-opus-5.5:beta"
 ],
 "openrouter:anthropic/claude-sonnet-4.5": [
  "openrouter:anthropic/claude-4.5-sonnet-20250929",
  "openrouter:anthropic/claude-4.5-sonnet-20250929:beta",
  "openrouter:anthropic/claude-sonnet-4.5-20250929",
  "openrouter:anthropic/claude-sonnet-4.5-20250929:beta",
  "openrouter:anthropic/claude-sonnet-4.5:beta"
 ],
 "openrouter:anthropic/claude-sonnet-4.6": [
  "openrouter:anthropic/claude-4.6-sonnet-20260217",
  "openrouter:anthropic/claude-4.6-sonnet-20260217:beta",
  "openrouter:anthropic/claude-sonnet-4.6-20260217",
  "openrouter:anthropic/claude-sonnet-4.6-20260217:beta",
  "openrouter:anthropic/claude-sonnet-4.6:beta"
 ],
 "openrouter:anthropic/claude-sonnet-5": [
  "openrouter:anthropic/claude-sonnet-5:beta"
 ],
 "openrouter:cohere/command-r": [
  "openrouter:cohere/command-r-03-2024"
 ],
 "openrouter:cohere/command-r-plus": [
  "openrouter:cohere/command-r-plus-04-2024"
 ],
 "openrouter:google/gemini-2.5-pro": [
  "openrouter:google/gemini-2.5-pro-preview",
  "openrouter:google/gemini-2.5-pro-preview-05-06"
 ],
 "openrouter:google/gemini-3.1-flash-lite": [
  "openrouter:google/gemini-3.1-flash-lite-preview"
 ],
 "openrouter:google/gemini-3.1-pro-preview": [
  "openrouter:google/gemini-3.1-pro-preview-customtools"
 ],
 "openrouter:google/gemini-pro": [
  "openrouter:google/gemini-pro-vision"
 ],
 "openrouter:google/palm-2-chat-bison": [
  "openrouter:google/palm-2-chat-bison-32k"
 ],
 "openrouter:google/palm-2-codechat-bison": [
  "openrouter:google/palm-2-codechat-bison-32k"
 ],
 "openrouter:grok-3": [
  "openrouter:grok-3-beta"
 ],
 "openrouter:grok-3-mini": [
  "openrouter:grok-3-mini-beta"
 ],
 "openrouter:neversleep/llama-3-lumimaid-8b": [
  "openrouter:neversleep/llama-3-lumimaid-8b:extended"
 ],
 "openrouter:magistral-medium-2506": [
  "openrouter:magistral-medium-2506:thinking"
 ],
 "openrouter:minimax/minimax-m2-her": [
  "openrouter:minimax/minimax-m2-her-20260123"
 ],
 "openrouter:minimax/minimax-m2.5": [
  "openrouter:minimax/minimax-m2.5-20260211"
 ],
 "openrouter:minimax/minimax-m2.7": [
  "openrouter:minimax/minimax-m2.7-20260318"
 ],
 "openrouter:minimax/minimax-m3": [
  "openrouter:minimax/minimax-m3-20260531"
 ],
 "openrouter:mistralai/mistral-7b-instruct": [
  "openrouter:mistralai/mistral-7b-instruct-v0.3"
 ],
 "openrouter:mistralai/mistral-large": [
  "openrouter:mistralai/mistral-large-2407",
  "openrouter:mistral-large-2411"
 ],
 "openrouter:moonshotai/kimi-k2.7-code": [
  "openrouter:moonshotai/kimi-k2.7-code-20260612"
 ],
 "openrouter:moonshotai/kimi-k3": [
  "openrouter:moonshotai/kimi-k3-20260715"
 ],
 "openrouter:openai/o1-mini": [
  "openrouter:openai/o1-mini-2024-09-12"
 ],
 "openrouter:openai/gpt-3.5-turbo": [
  "openrouter:gpt-3.5-turbo-0125"
 ],
 "openrouter:openai/gpt-4": [
  "openrouter:gpt-4-0314"
 ],
 "openrouter:openai/gpt-4-32k": [
  "openrouter:openai/gpt-4-32k-0314"
 ],
 "openrouter:openai/gpt-4-turbo": [
  "openrouter:openai/gpt-4-turbo-preview"
 ],
 "openrouter:openai/gpt-4.1-mini": [
  "openrouter:openai/gpt-4.1-mini-2025-04-14"
 ],
 "openrouter:openai/gpt-4o": [
  "openrouter:openai/gpt-4o-2024-08-06",
  "openrouter:openai/gpt-4o-2024-11-20",
  "openrouter:openai/gpt-4o-audio-preview"
 ],
 "openrouter:openai/gpt-4o-mini": [
  "openrouter:openai/gpt-4o-mini-2024-07-18"
 ],
 "openrouter:openai/gpt-5": [
  "openrouter:openai/gpt-5-2025-08-07",
  "openrouter:openai/gpt-5-chat",
  "openrouter:openai/gpt-5-codex",
  "openrouter:openai/gpt-5.1-codex-max"
 ],
 "openrouter:openai/gpt-5-mini": [
  "openrouter:openai/gpt-5-mini-2025-08-07"
 ],
 "openrouter:openai/gpt-5.1": [
  "openrouter:openai/gpt-5.1-chat",
  "openrouter:openai/gpt-5.1-codex"
 ],
 "openrouter:openai/gpt-5.1-codex-mini": [
  "openrouter:openai/gpt-5.1-codex-mini-20251113"
 ],
 "openrouter:openai/gpt-5.2": [
  "openrouter:openai/gpt-5.2-20251211",
  "openrouter:openai/gpt-5.2-chat",
  "openrouter:openai/gpt-5.2-codex"
 ],
 "openrouter:openai/gpt-5.2-pro": [
  "openrouter:openai/gpt-5.2-pro-20251211"
 ],
 "openrouter:openai/gpt-5.3-codex": [
  "openrouter:openai/gpt-5.3-codex-20260224"
 ],
 "openrouter:openai/gpt-5.4": [
  "openrouter:openai/gpt-5.4-20260305"
 ],
 "openrouter:openai/gpt-6-luna": [
  "openrouter:openai/gpt-6-luna-pro"
 ],
 "openrouter:openai/gpt-6-luna:batch": [
  "openrouter:openai/gpt-6-luna-pro:batch"
 ],
 "openrouter:openai/gpt-6-sol": [
  "openrouter:openai/gpt-6-sol-pro"
 ],
 "openrouter:openai/gpt-6-sol:batch": [
  "openrouter:openai/gpt-6-sol-pro:batch"
 ],
 "openrouter:openai/o1": [
  "openrouter:o1-preview",
  "openrouter:o1-preview-2024-09-12"
 ],
 "openrouter:openai/o3-mini": [
  "openrouter:openai/o3-mini-high"
 ],
 "openrouter:openai/o4-mini": [
  "openrouter:openai/o4-mini-high"
 ],
 "openrouter:qwen/qwen3-coder": [
  "openrouter:qwen/qwen3-coder-480b-a35b-07-25"
 ],
 "openrouter:qwen/qwen3-coder-next": [
  "openrouter:qwen/qwen3-coder-next-2025-02-03"
 ],
 "openrouter:qwen/qwen3-max-thinking": [
  "openrouter:qwen/qwen3-max-thinking-20260123"
 ],
 "openrouter:qwen/qwen3-next-80b-a3b-instruct": [
  "openrouter:qwen/qwen3-next-80b-a3b-instruct-2509"
 ],
 "openrouter:qwen/qwen3-next-80b-a3b-thinking": [
  "openrouter:qwen/qwen3-next-80b-a3b-thinking-2509"
 ],
 "openrouter:qwen/qwen3.5-122b-a10b": [
  "openrouter:qwen/qwen3.5-122b-a10b-20260224"
 ],
 "openrouter:qwen/qwen3.5-27b": [
  "openrouter:qwen/qwen3.5-27b-20260224"
 ],
 "openrouter:qwen/qwen3.5-35b-a3b": [
  "openrouter:qwen/qwen3.5-35b-a3b-20260224"
 ],
 "openrouter:qwen/qwen3.5-397b-a17b": [
  "openrouter:qwen/qwen3.5-397b-a17b-20260216"
 ],
 "openrouter:qwen/qwen3.5-9b": [
  "openrouter:qwen/qwen3.5-9b-20260310"
 ],
 "openrouter:qwen/qwen3.5-flash-02-23": [
  "openrouter:qwen/qwen3.5-flash-20260224"
 ],
 "openrouter:qwen/qwen3.5-plus-02-15": [
  "openrouter:qwen/qwen3.5-plus-20260216"
 ],
 "openrouter:qwen/qwen3.6-27b": [
  "openrouter:qwen/qwen3.6-27b-20260422"
 ],
 "openrouter:qwen/qwen3.6-35b-a3b": [
  "openrouter:qwen/qwen3.6-35b-a3b-20260415"
 ],
 "openrouter:qwen/qwen3.6-max-preview": [
  "openrouter:qwen/qwen3.6-max-preview-20260420"
 ],
 "openrouter:qwen/qwen3.6-plus": [
  "openrouter:qwen/qwen3.6-plus-04-02"
 ],
 "openrouter:qwen/qwen3.7-max": [
  "openrouter:qwen/qwen3.7-max-20260520"
 ],
 "openrouter:qwen/qwen3.7-plus": [
  "openrouter:qwen/qwen3.7-plus-20260602"
 ],
 "openrouter:z-ai/glm-4.7-flash": [
  "openrouter:z-ai/glm-4.7-flash-20260119"
 ],
 "openrouter:z-ai/glm-5": [
  "openrouter:z-ai/glm-5-20260211"
 ],
 "openrouter:z-ai/glm-5-turbo": [
  "openrouter:z-ai/glm-5-turbo-20260315"
 ],
 "openrouter:z-ai/glm-5.1": [
  "openrouter:z-ai/glm-5.1-20260406"
 ],
 "openrouter:z-ai/glm-5.2": [
  "openrouter:z-ai/glm-5.2-20260616"
 ],
 "openrouter:z-ai/glm-5.3": [
  "openrouter:z-ai/glm-5.3-20260816"
 ],
 "ovhcloud:DeepSeek-R1-Distill-Llama-70B": [
  "ovhcloud:deepseek-r1-distill-llama-70b"
 ],
 "ovhcloud:Llama-3.1-8B-Instruct": [
  "ovhcloud:llama-3.1-8b-instruct"
 ],
 "ovhcloud:Meta-Llama-3_3-70B-Instruct": [
  "ovhcloud:meta-llama-3_3-70b-instruct"
 ],
 "ovhcloud:Mistral-7B-Instruct-v0.3": [
  "ovhcloud:mistral-7b-instruct-v0.3"
 ],
 "ovhcloud:Mistral-Nemo-Instruct-2407": [
  "ovhcloud:mistral-nemo-instruct-2407"
 ],
 "ovhcloud:Mistral-Small-3.2-24B-Instruct-2506": [
  "ovhcloud:mistral-small-3.2-24b-instruct-2506"
 ],
 "ovhcloud:Mixtral-8x7B-Instruct-v0.1": [
  "ovhcloud:mixtral-8x7b-instruct-v0.1"
 ],
 "ovhcloud:Qwen2.5-VL-72B-Instruct": [
  "ovhcloud:qwen2.5-vl-72b-instruct"
 ],
 "ovhcloud:Qwen3-32B": [
  "ovhcloud:qwen3-32b"
 ],
 "ovhcloud:Qwen3-Coder-30B-A3B-Instruct": [
  "ovhcloud:qwen3-coder-30b-a3b-instruct"
 ],
 "together:Qwen/Qwen1.5-0.5B": [
  "together:Qwen/Qwen1.5-0.5B-Chat"
 ],
 "together:Qwen/Qwen1.5-1.8B": [
  "together:Qwen/Qwen1.5-1.8B-Chat"
 ],
 "together:Qwen/Qwen1.5-14B": [
  "together:Qwen/Qwen1.5-14B-Chat"
 ],
 "together:Qwen/Qwen1.5-4B": [
  "together:Qwen/Qwen1.5-4B-Chat"
 ],
 "together:Qwen/Qwen1.5-7B": [
  "together:Qwen/Qwen1.5-7B-Chat"
 ],
 "together:allenai/OLMo-7B": [
  "together:allenai/OLMo-7B-Instruct",
  "together:allenai/OLMo-7B-Twin-2T"
 ],
 "together:google/gemma-2b": [
  "together:google/gemma-2b-it"
 ],
 "together:google/gemma-7b": [
  "together:google/gemma-7b-it"
 ],
 "typesafe:jev-1.13.0": [
  "typesafe:jev-latest",
  "typesafe:jev-preview"
 ],
 "xai:grok-2-1212": [
  "xai:grok-2",
  "xai:grok-2-latest"
 ],
 "xai:grok-2-vision-1212": [
  "xai:grok-2-vision",
  "xai:grok-2-vision-latest"
 ],
 "xai:grok-3": [
  "xai:grok-3-latest",
  "xai:grok-3-beta"
 ],
 "xai:grok-3-fast": [
  "xai:grok-3-fast-latest",
  "xai:grok-3-fast-beta"
 ],
 "xai:grok-3-mini": [
  "xai:grok-3-mini-beta",
  "xai:grok-3-mini-latest"
 ],
 "xai:grok-3-mini-fast": [
  "xai:grok-3-mini-fast-beta",
  "xai:grok-3-mini-fast-latest"
 ],
 "xai:grok-4-0709": [
  "xai:grok-4",
  "xai:grok-4-latest"
 ],
 "xai:grok-4-1-fast-non-reasoning": [
  "xai:grok-4-1-fast-non-reasoning-latest"
 ],
 "xai:grok-4-1-fast-reasoning": [
  "xai:grok-4-1-fast",
  "xai:grok-4-1-fast-reasoning-latest"
 ],
 "xai:grok-4-fast-non-reasoning": [
  "xai:grok-4-fast-non-reasoning-latest"
 ],
 "xai:grok-4-fast-reasoning": [
  "xai:grok-4-fast",
  "xai:grok-4-fast-reasoning-latest"
 ],
 "xai:grok-4.3": [
  "xai:x-ai/grok-4.3",
  "xai:grok-4.3-latest"
 ],
 "xai:grok-4.5": [
  "xai:x-ai/grok-4.5",
  "xai:grok-4.5-latest",
  "xai:grok-latest"
 ],
 "xai:grok-4.6": [
  "xai:x-ai/grok-4.6",
  "xai:grok-4.6-latest"
 ],
 "xai:grok-code-fast-1": [
  "xai:grok-code-fast",
  "xai:grok-code-fast-1-0825"
 ],
 "zai:GLM-5.2": [
  "zai:glm-5.2"
 ],
 "zai:GLM-5.3": [
  "zai:glm-5.3"
 ],
 "zai:GLM-5.3-Flash": [
  "zai:glm-5.3-flash"
 ],
 "zhipuai:GLM-4-Air": [
  "zhipuai:glm-4-air"
 ],
 "zhipuai:GLM-4-AirX": [
  "zhipuai:glm-4-airx"
 ],
 "zhipuai:GLM-4-Assistant": [
  "zhipuai:glm-4-assistant"
 ],
 "zhipuai:GLM-4-FlashX-250414": [
  "zhipuai:glm-4-flashx-250414"
 ],
 "zhipuai:GLM-4-Long": [
  "zhipuai:glm-4-long"
 ],
 "zhipuai:GLM-4-Plus": [
  "zhipuai:glm-4-plus"
 ],
 "zhipuai:GLM-4.5-Air": [
  "zhipuai:glm-4.5-air"
 ],
 "zhipuai:GLM-4.7": [
  "zhipuai:glm-4.7"
 ],
 "zhipuai:GLM-4.7-FlashX": [
  "zhipuai:glm-4.7-flashx"
 ],
 "zhipuai:GLM-5": [
  "zhipuai:glm-5"
 ],
 "zhipuai:GLM-5-Turbo": [
  "zhipuai:glm-5-turbo"
 ],
 "zhipuai:GLM-5.1": [
  "zhipuai:glm-5.1",
  "zhipuai:GLM-5.1-20260406",
  "zhipuai:glm-5.1-20260406"
 ],
 "zhipuai:GLM-5.2": [
  "zhipuai:glm-5.2"
 ],
 "zhipuai:GLM-5.3": [
  "zhipuai:glm-5.3"
 ],
 "zhipuai:GLM-5.3-Flash": [
  "zhipuai:glm-5.3-flash"
 ]
}
