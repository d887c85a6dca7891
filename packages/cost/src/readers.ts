import { readAISDK } from './readers/ai-sdk.ts'
import { readOpenAI } from './readers/openai.ts'
import { readLiteLLM, readXAI } from './readers/vendors.ts'

export { readAISDK, type AiSdkOptions } from './readers/ai-sdk.ts'
export { readAnthropic } from './readers/anthropic.ts'
export { readerNames, readUsage, type ReaderName, type ReadOptions } from './readers/any.ts'
export { readGemini } from './readers/gemini.ts'
export { readCohere, readDeepgram } from './readers/media.ts'
export { readAzure, readGroq, readOpenAI, readPerplexity, readTogether } from './readers/openai.ts'
export { readOpenTelemetry, type OpenTelemetryOptions } from './readers/opentelemetry.ts'
export type { CacheOptions } from './readers/shape.ts'
export {
  readBedrock,
  readDeepSeek,
  readLiteLLM,
  readMistral,
  readOpenRouter,
  readXAI,
} from './readers/vendors.ts'
export { UsageError } from './errors.ts'
export type { Count, Counts, Money, Usage } from './types.ts'

/** @deprecated Spelled `readOpenAI`. Gone in 2.0. */
export const readOpenAi = readOpenAI
/** @deprecated Spelled `readXAI`. Gone in 2.0. */
export const readXai = readXAI
/** @deprecated Spelled `readLiteLLM`. Gone in 2.0. */
export const readLiteLlm = readLiteLLM
/** @deprecated Spelled `readAISDK`. Gone in 2.0. */
export const readAiSdk = readAISDK
