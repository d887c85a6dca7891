import { UsageError } from './errors.ts'
import { exactCount, type Exact } from './exact.ts'
import type { Usage } from './types.ts'

/** One kind of what was used; none is 0. */
export interface Item {
  readonly meter: string
  readonly variant: string | null
  readonly count: Exact
}

const itemsMax = 200

/** @throws UsageError where a count is none, or the object is a usage as a vendor writes it */
export function itemsOf(usage: Usage): Item[] {
  const { counts } = Object(usage) as Partial<Usage>
  if (typeof counts !== 'object' || counts === null) throw new UsageError(unreadMessage(usage))
  const items: Item[] = []
  const add = (meter: string, variant: string | null, count: unknown) => {
    if (count === undefined || count === 0) return
    const exact = countOf(count, meter)
    if (exact.units !== 0n) items.push({ meter, variant, count: exact })
  }
  for (const meter in counts) {
    const stated = counts[meter]
    if (typeof stated !== 'object' || stated === null) add(meter, null, stated)
    else for (const variant in stated) add(meter, normalVariant(meter, variant), stated[variant])
  }
  if (items.length > itemsMax) throw new UsageError(`A usage has at most ${itemsMax} counts.`)
  return items
}

/** Five minutes are what a cache write is, where nothing else is said. */
function normalVariant(meter: string, variant: string): string | null {
  return variant === '' || (variant === '5m' && meter.startsWith('cache_write')) ? null : variant
}

function countOf(count: unknown, meter: string): Exact {
  try {
    return exactCount(count as number)
  } catch (error) {
    throw new UsageError(`counts.${meter.slice(0, 60)}: ${(error as Error).message}.`)
  }
}

/** Fields by which an object shows who wrote it, the surest first. */
const signs: readonly [field: string, reader: string][] = [
  ['gen_ai.usage.input_tokens', 'readOpenTelemetry'],
  ['usageMetadata', 'readGemini'],
  ['promptTokenCount', 'readGemini'],
  ['prompt_cache_hit_tokens', 'readDeepSeek'],
  ['cost_in_usd_ticks', 'readXai'],
  ['cost_details', 'readOpenRouter'],
  ['_hidden_params', 'readLiteLlm'],
  ['inputTokenDetails', 'readAiSdk'],
  ['totalUsage', 'readAiSdk'],
  ['cacheReadInputTokens', 'readBedrock'],
  ['cachedInputTokens', 'readAiSdk'],
  ['cache_read_input_tokens', 'readAnthropic'],
  ['cache_creation', 'readAnthropic'],
  ['prompt_tokens', 'readOpenAi'],
  ['input_tokens_details', 'readOpenAi'],
  ['inputTokens', 'readBedrock or readAiSdk'],
  ['input_tokens', 'readAnthropic or readOpenAi'],
]

/** What is said of an object that is no usage of ours: which reader to use. */
export function unreadMessage(given: unknown): string {
  const outer = Object(given) as Record<string, unknown>
  const objects = [outer, Object(outer['usage']) as object]
  const sign = signs.find(([field]) => objects.some((one) => Object.hasOwn(one, field)))
  const which = sign === undefined ? 'one of its readers, or write { counts: { input_tokens: 1200 } }' : sign[1]
  return `This is no usage that can be priced. Read it with ${which} of @ratecard/cost/readers.`
}
