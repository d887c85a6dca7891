import { UsageError } from '../errors.ts'
import type { Usage } from '../types.ts'
import { countsCachedIn, toPlatform } from './provider.ts'
import {
  cacheWrites,
  count,
  keepUsed,
  has,
  isObject,
  refuse,
  said,
  text,
  without,
  type CacheOptions,
  type Fields,
} from './shape.ts'

/** How attributes of a span are read. */
export interface OpenTelemetryOptions extends CacheOptions {
  /**
   * Whether the input has what was read from a cache and written to one in it. The conventions say so, and the reader
   * believes attributes that are spelled as there. Older spellings (`cache_read_input_tokens`) do not tell.
   */
  readonly cachedIn?: boolean | undefined
}

const prefix = 'gen_ai.usage.'

interface Names {
  /** As the conventions, and those who follow them in this, spell it: part of the whole. */
  readonly in: readonly string[]
  /** Spellings of which nobody knows whether the whole has it. */
  readonly open: readonly string[]
}

// The spellings of the conventions, of the AI SDK, of Pydantic AI, of OpenLLMetry, Strands and those before them.
const cacheRead: Names = {
  in: [
    `${prefix}cache_read.input_tokens`,
    'ai.usage.inputTokenDetails.cacheReadTokens',
    `${prefix}details.cache_read_tokens`,
  ],
  open: [`${prefix}cache_read_input_tokens`, `${prefix}cached_input_tokens`, 'ai.usage.cachedInputTokens'],
}
const cacheWrite: Names = {
  in: [
    `${prefix}cache_creation.input_tokens`,
    `${prefix}cache_write.input_tokens`,
    'ai.usage.inputTokenDetails.cacheWriteTokens',
    `${prefix}details.cache_write_tokens`,
  ],
  open: [`${prefix}cache_creation_input_tokens`, `${prefix}cache_write_input_tokens`],
}
const reasoningNames = [
  `${prefix}reasoning.output_tokens`,
  'ai.usage.outputTokenDetails.reasoningTokens',
  `${prefix}details.reasoning_tokens`,
  `${prefix}reasoning_tokens`,
  `${prefix}reasoning_output_tokens`,
  'ai.usage.reasoningTokens',
]
/** What is not text is part of the whole, too; text is what is left. */
const kinds = ['image', 'audio', 'video'] as const

/**
 * Attributes of a span by OpenTelemetry's conventions for generative AI, as an object or as OTLP writes them. Input is with
 * what was read from a cache and written to one, as the conventions say.
 */
export function readOpenTelemetry(attributes: unknown, options: OpenTelemetryOptions = {}): Usage {
  const fields = readAttributes(attributes)
  const first = (...names: readonly string[]) => names.find((name) => has(fields, name)) ?? ''
  const inName = first(`${prefix}input_tokens`, `${prefix}prompt_tokens`)
  const outName = first(`${prefix}output_tokens`, `${prefix}completion_tokens`)
  if (inName === '' && outName === '') refuse(attributes, 'opentelemetry')
  const names = [cacheRead, cacheWrite].map((cache) => first(...cache.in, ...cache.open))
  const [read = 0, written = 0] = names.map((name) => count(fields, name))
  const provider = text(fields, 'gen_ai.provider.name') ?? text(fields, 'gen_ai.system')
  const platform = provider && toPlatform(provider)
  const input = count(fields, inName)
  const isOpen = names.some((name) => cacheRead.open.includes(name) || cacheWrite.open.includes(name))
  const isIn = !isOpen || isCachedIn(read + written, input, platform, options)
  const ins = kinds.map((kind) => count(fields, `${prefix}${kind}.input_tokens`))
  const heard = count(fields, `${prefix}audio.output_tokens`)
  checkKinds(fields, read + written, ins)
  const reasoning = count(fields, first(...reasoningNames))
  return said({
    counts: keepUsed({
      input_tokens: without(input, inName, ...(isIn ? [read, written] : []), ...ins),
      cached_input_tokens: read,
      cache_write_tokens: cacheWrites(written, {}, options),
      ...Object.fromEntries(kinds.map((kind, at) => [`input_${kind}_tokens`, ins[at]])),
      output_tokens: without(count(fields, outName), outName, reasoning, heard),
      reasoning_tokens: reasoning,
      output_audio_tokens: heard,
      ...unreadAttributes(fields),
    }),
    model: text(fields, 'gen_ai.response.model') ?? text(fields, 'gen_ai.request.model'),
    platform,
    tier: text(fields, 'openai.response.service_tier') ?? text(fields, 'gen_ai.openai.response.service_tier'),
  })
}

/** @throws UsageError where nobody knows */
function isCachedIn(
  cached: number,
  input: number,
  platform: string | undefined,
  { cachedIn }: OpenTelemetryOptions,
): boolean {
  if (cachedIn !== undefined) return cachedIn
  if (cached === 0) return true
  // A part is never more than the whole.
  if (cached > input) return false
  // With Anthropic some instrumentations add up, and some do not.
  if (countsCachedIn(platform)) return true
  throw new UsageError(
    'The attributes do not say whether the input has the cached tokens in it. Give { cachedIn: true } if the instrumentation adds them up, as OpenLLMetry does, else { cachedIn: false }.',
  )
}

/** @throws UsageError where something was counted that the reader would lose, or count twice */
function checkKinds(fields: Fields, cached: number, ins: readonly number[]): void {
  if (cached > 0 && ins.some((one) => one > 0))
    throw new UsageError('The attributes do not say how much of the image, audio or video was cached.')
  const stray = Object.keys(fields).find((name) => isUnread(name) && fields[name] !== 0)
  if (stray !== undefined)
    throw new UsageError(
      `"${stray.slice(0, 80)}" is not known to this reader, and may cost something else: update @ratecard/cost.`,
    )
}

const readNames = new Set([
  ...[cacheRead, cacheWrite].flatMap((names) => [...names.in, ...names.open]),
  ...kinds.map((kind) => `${prefix}${kind}.input_tokens`),
  `${prefix}audio.output_tokens`,
])

/** What else an instrumentation counts as usage: but for sums, and Pydantic AI's copies of what the vendor counts. */
function unreadAttributes(fields: Fields): Record<string, number> {
  const known = /^gen_ai\.usage\.(?:(?:input|output|prompt|completion|total)_tokens|cost\b.*|details\..*)$/
  const unread = Object.entries(fields).filter(
    ([name, value]) =>
      name.startsWith(prefix) &&
      typeof value === 'number' &&
      value > 0 &&
      !known.test(name) &&
      !readNames.has(name) &&
      !reasoningNames.includes(name),
  )
  return Object.fromEntries(
    unread.map(([name, value]) => [`usage.${name.slice(prefix.length)}`, value as number]),
  )
}

function isUnread(name: string): boolean {
  const isOfKind = /^gen_ai\.usage\..*(?:cache|image|audio|video).*tokens/.test(name)
  return isOfKind && !readNames.has(name)
}

/** Whether these are attributes of a span that counts what was used. */
export function isSpan(given: unknown): boolean {
  return Object.keys(readAttributes(given)).some((name) => name.startsWith(prefix))
}

/** OTLP's JSON has `[{ key, value: { intValue: "5" } }]`. */
function readAttributes(given: unknown): Fields {
  const list = Array.isArray(given) ? given : isObject(given) ? given['attributes'] : undefined
  if (isObject(list) && !Array.isArray(list)) return list
  if (!Array.isArray(list)) return isObject(given) ? given : {}
  const entries = list.filter(isObject).map(({ key, value }) => {
    const { intValue, doubleValue, stringValue } = isObject(value) ? value : {}
    return [String(key), intValue === undefined ? (doubleValue ?? stringValue) : Number(intValue)] as const
  })
  return Object.fromEntries(entries)
}
