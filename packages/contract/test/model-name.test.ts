import { expect, test } from 'vitest'
import { companyName, modelName, recordName, sourceName } from '../src/model-name.js'

test.each([
  ['google/gemini-2.5-pro', 'Gemini 2.5 Pro'],
  ['anthropic/claude-sonnet-4-5', 'Claude Sonnet 4.5'],
  ['openai/gpt-4o-2024-08-06', 'GPT-4o 2024\u201108\u201106'],
  ['openai/ft:gpt-4o', 'GPT-4o, fine-tuned'],
  ['openai/gpt-4o-mini.ft', 'GPT-4o Mini, fine-tuned'],
  ['openai/dall-e-3', 'DALL·E 3'],
  ['alibaba/qwen2p5-72b', 'Qwen2.5 72B'],
  ['alibaba/qwen3-30b-a3b:thinking', 'Qwen3 30B A3B (thinking)'],
  ['constructor', 'Constructor'],
  ['openai/', 'Openai/'],
  ['::', '::'],
])('%s reads %s', (id, name) => expect(modelName(id)).toBe(name))

test.each([
  ['bedrock:eu:eu.twelvelabs.marengo-embed-2-7-v1:0', 'Marengo Embed 2.7 V1'],
  ['bedrock:stability.stable-diffusion-xl-v0::premium', 'Stable Diffusion XL V0 (premium)'],
  ['bedrock:ap-northeast-1:anthropic.claude-v2', 'Claude V2'],
  ['azure:gpt-35-turbo-0125.ft', 'GPT-3.5 Turbo 0125, fine-tuned'],
  ['vertex_ai:llama3-3@llama-3.3-70b-instruct', 'Llama 3.3 70B Instruct'],
  ['vertex_ai:qwen3@qwen3-32b', 'Qwen3 32B'],
  ['vertex_ai:codechat-bison@001', 'Codechat Bison (001)'],
  ['ollama-cloud:qwen3-vl:235b-instruct', 'Qwen3 VL 235B Instruct'],
  ['openai:ft:gpt-4o', 'GPT-4o, fine-tuned'],
  ['nano-gpt:anthropic/claude-opus-4.6:thinking:low', 'Claude Opus 4.6 (thinking, low)'],
  ['acme:', 'Acme'],
])('the record %s reads %s', (id, name) => expect(recordName(id)).toBe(name))

test.each([
  ['openai', 'OpenAI'],
  ['github_copilot', 'GitHub Copilot'],
  ['ByteDance', 'ByteDance'],
  ['bedrock', 'Amazon Bedrock'],
  ['sap-ai-core', 'SAP AI Core'],
  ['unknown', 'not stated'],
  ['constructor', 'Constructor'],
])('the company %s reads %s', (id, name) => expect(companyName(id)).toBe(name))

test.each([
  ['litellm', 'LiteLLM'],
  ['genai-prices', 'genai-prices'],
  ['openrouter', 'OpenRouter'],
  ['openai-page', 'OpenAI pricing page'],
  ['deepseek-page-cn', 'DeepSeek pricing page in Chinese'],
  ['anthropic-retirements', 'Anthropic deprecations page'],
  ['aws-price-list', 'AWS Price List'],
  ['own-csv', 'the operator (CSV)'],
  ['constructor', 'Constructor'],
])('the source %s reads %s', (id, name) => expect(sourceName(id)).toBe(name))
