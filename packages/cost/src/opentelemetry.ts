import { costOf } from './cost-of.ts'
import { UsageError } from './errors.ts'
import { forCore } from './overrides.ts'
import { readOpenTelemetry, type OpenTelemetryOptions } from './readers/opentelemetry.ts'
import type { Cost, CostOptions } from './types.ts'

// Costs as attributes of spans. Experimental: no convention of OpenTelemetry for costs is settled, and the names below
// follow it. Only the parts of OpenTelemetry's types that are used are named here: it fits the SDK's versions 1 to 3.

/** A value of an attribute, as this processor writes it. */
export type CostAttribute = string | number | string[]

/** The part of a span that is read. */
export interface EndedSpan {
  readonly attributes: object
  /** Seconds since 1970, and nanoseconds. */
  readonly startTime: [number, number]
}

/** The part of a span that is written to, while it ends. */
export interface EndingSpan extends EndedSpan {
  setAttribute(key: string, value: CostAttribute): unknown
}

/** A processor of the SDK, of any version. */
export interface NextProcessor {
  forceFlush(): Promise<void>
  // Each SDK has types of its own for what it hands on.
  onStart(span: never, context: never): void
  onEnding?(span: never): void
  onEnd(span: never): void
  shutdown(): Promise<void>
}

/** A `SpanProcessor` of OpenTelemetry. */
export interface CostSpanProcessor {
  forceFlush(): Promise<void>
  onStart(span: EndedSpan, context: unknown): void
  onEnding(span: EndingSpan): void
  onEnd(span: EndedSpan): void
  shutdown(): Promise<void>
}

/** What one span's cost depends on besides its attributes. */
export type SpanCostOptions = Omit<CostOptions, 'catalog'> & OpenTelemetryOptions

/** How spans are priced. */
export interface CostSpanOptions {
  readonly catalog: CostOptions['catalog']
  /** For all spans, or by the attributes of each: `{ platform: 'vertex_ai', cacheTtl: '5m' }`. */
  readonly cost?: SpanCostOptions | ((attributes: Readonly<Record<string, unknown>>) => SpanCostOptions)
  /**
   * The processor that the priced spans are handed on to. Version 2.3 and later of the SDK let a processor write to a span
   * that ends: all processors see the cost then, and this is not needed. Older ones do not.
   */
  readonly next?: NextProcessor
  /**
   * The operations that are paid (`gen_ai.operation.name`). Agents, workflows and tools repeat the usage of the calls
   * below them, so they are not among them.
   */
  readonly operations?: readonly string[]
  /** Told of what fails in here. Nothing of it reaches the program. */
  readonly onError?: (error: unknown) => void
}

const amountName = 'gen_ai.usage.cost.amount'
const paid = ['chat', 'generate_content', 'text_completion', 'embeddings', 'rerank']

/**
 * A span processor that writes what a call to a model costs. Experimental: the names of the draft convention
 * (`gen_ai.usage.cost.amount`, `.currency`, `.source`) may change. They are there only where the cost is whole. The exact
 * amount is `ratecard.cost.total`; where a part has no price, there is `ratecard.cost.at_least` and
 * `ratecard.cost.unpriced` instead. A span that has a cost already keeps it.
 * @example new NodeSDK({ spanProcessors: [costSpanProcessor({ catalog }), new BatchSpanProcessor(exporter)] })
 */
export function costSpanProcessor(options: CostSpanOptions): CostSpanProcessor {
  const { onError = () => {} } = options
  const next = options.next as CostSpanProcessor | undefined
  const seen = new WeakSet<EndedSpan>()
  let isTold = false
  const quietly = <Result>(work: () => Result): Result | undefined => {
    try {
      return work()
    } catch (error) {
      try {
        onError(error)
      } catch {
        // Nobody is left to tell.
      }
      return undefined
    }
  }
  return {
    onStart: (span, context) => next?.onStart(span, context),
    onEnding: (span) => {
      seen.add(span)
      quietly(() => write(span, costAttributes(span, options)))
      next?.onEnding?.(span)
    },
    onEnd: (span) => {
      if (seen.has(span)) return next?.onEnd(span)
      const attributes = quietly(() => costAttributes(span, options))
      if (next !== undefined) return next.onEnd(attributes ? withAttributes(span, attributes) : span)
      if (!attributes || isTold) return
      isTold = true
      quietly(() => {
        throw new TypeError(
          'This OpenTelemetry SDK is older than 2.3, and lets no processor write to a span that ends: give costSpanProcessor the processor that exports, as "next".',
        )
      })
    },
    forceFlush: () => next?.forceFlush() ?? Promise.resolve(),
    shutdown: () => next?.shutdown() ?? Promise.resolve(),
  }
}

type Attributes = Record<string, CostAttribute>

/** Null: the span is no call that is paid, or has its cost. */
function costAttributes({ attributes, startTime }: EndedSpan, options: CostSpanOptions): Attributes | null {
  const fields = attributes as Readonly<Record<string, unknown>>
  const operation = fields['gen_ai.operation.name']
  const { catalog, operations = paid, cost: told = {} } = options
  if (!hasUsage(fields) || amountName in fields) return null
  if (typeof operation === 'string' && !operations.includes(operation)) return null
  const own = typeof told === 'function' ? told(fields) : told
  const at = new Date(startTime[0] * 1_000 + startTime[1] / 1_000_000)
  try {
    return toAttributes(costOf(readOpenTelemetry(fields, own), forCore({ at, ...own, catalog })))
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    // Its message holds no text of the span but names of attributes.
    return { 'ratecard.cost.unpriced': ['usage: not_readable'], 'ratecard.cost.message': error.message }
  }
}

function hasUsage(fields: object): boolean {
  for (const name in fields) if (name.startsWith('gen_ai.usage.')) return true
  return false
}

/** The amount comes last: where a span takes no more attributes, it is not there without its currency. */
function toAttributes(cost: Cost): Attributes {
  const attributes: Attributes = { 'ratecard.cost.catalog_version': cost.catalog.version }
  const add = (name: string, value: string | string[] | null) => {
    if (value !== null && value.length > 0) attributes[name] = value
  }
  add('ratecard.cost.resource_id', cost.resourceId)
  add('ratecard.cost.rule', cost.rule)
  add('ratecard.cost.doubts', [...cost.doubts])
  if (cost.isWhole) {
    add('gen_ai.usage.cost.currency', cost.currency)
    add('gen_ai.usage.cost.source', cost.source === 'reported' ? 'provider' : 'local')
    add('ratecard.cost.total', cost.total)
    attributes[amountName] = Number(cost.total)
    return attributes
  }
  add(
    'ratecard.cost.unpriced',
    cost.unpriced.map(({ meter, reason }) => `${meter}: ${reason}`),
  )
  if (cost.currency === null) return attributes
  add('ratecard.cost.currency', cost.currency)
  add('ratecard.cost.at_least', cost.atLeast)
  return attributes
}

function write(span: EndingSpan, attributes: Attributes | null): void {
  for (const name in attributes) {
    const value = attributes[name]!
    span.setAttribute(name, value)
    // An SDK that limits the length of texts cuts them: what is left of an amount would be another amount.
    const kept = (span.attributes as Attributes)[name]
    if (typeof value === 'string' && kept !== undefined && kept !== value) span.setAttribute(name, '')
  }
}

/** The span as it is, with more attributes: it has ended, and takes none itself. */
function withAttributes(span: EndedSpan, attributes: Attributes): EndedSpan {
  const all = { ...span.attributes, ...attributes }
  return new Proxy(span, {
    get: (target, name) => {
      if (name === 'attributes') return all
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
}
