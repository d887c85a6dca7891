export { readAnthropic } from './readers/anthropic.ts'
export { readUsage, type ReaderName } from './readers/any.ts'
export { readAiSdk, type AiSdkOptions } from './readers/ai-sdk.ts'
export { readGemini } from './readers/gemini.ts'
export { readCohere, readDeepgram } from './readers/media.ts'
export { readOpenAi } from './readers/openai.ts'
export { readOpenTelemetry, type OpenTelemetryOptions } from './readers/opentelemetry.ts'
export type { CacheOptions } from './readers/shape.ts'
export {
  readBedrock,
  readDeepSeek,
  readLiteLlm,
  readMistral,
  readOpenRouter,
  readXai,
} from './readers/vendors.ts'
export { UsageError } from './errors.ts'
export type { Count, Counts, Money, Usage } from './types.ts'
