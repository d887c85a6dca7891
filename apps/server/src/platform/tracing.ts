// Traces, for operators who have a receiver for them. This file knows no library: the one that makes spans is loaded
// when OTEL_EXPORTER_OTLP_ENDPOINT is set (`otel.ts`), and without it a span costs a look at a variable.
//
// What stands in a span is decided where it is made, and is what stands in the log: ids, counts and outcomes. Never a
// key, a secret, an address with its query, a body, or the text of an error, which may hold any of them.

export type Attributes = Record<string, string | number | boolean | null | undefined>

/**
 * Where a span belongs, as the header `traceparent` of W3C Trace Context says it. Whether the caller records its own span is
 * not read: what is recorded here is the operator's to say.
 */
export interface TraceParent {
  traceId: string
  spanId: string
}

export interface Span {
  readonly traceId: string
  /** Whether it will be sent to the receiver. */
  readonly isRecorded: boolean
  rename: (name: string) => void
  set: (attributes: Attributes) => void
  /** Marks it as failed, with the kind of the error. */
  fail: (error: unknown) => void
  /** Names one of another trace that did the work of this. */
  link: (other: Span) => void
  end: () => void
}

export interface SpanOptions {
  name: string
  kind: 'server' | 'client' | 'internal'
  /** What it is a part of. Default: what goes on around it. */
  parent?: Span | TraceParent | 'none'
  /** Others that it does the work of. */
  links?: readonly Span[]
  attributes?: Attributes
}

export interface Tracer {
  start: (options: SpanOptions) => Span
  within: <T>(span: Span, work: () => T) => T
  active: () => Span | undefined
  /** Sends what is left. */
  stop: () => Promise<void>
}

let tracer: Tracer | null = null

/** What makes spans from now on; null: nothing does. */
export function setTracer(next: Tracer | null): void {
  tracer = next
}

export function isTracing(): boolean {
  return tracer !== null
}

/** What goes on around the caller. Null: nothing, or nobody traces. */
export function activeSpan(): Span | null {
  return tracer?.active() ?? null
}

/** To be ended by the caller. Null: nobody traces. */
export function startSpan(options: SpanOptions): Span | null {
  return tracer?.start(options) ?? null
}

/** Does the work as a part of the span. */
export function withinSpan<T>(span: Span | null, work: () => T): T {
  return span && tracer ? tracer.within(span, work) : work()
}

/** Does the work in a span of its own, which ends with it. */
export async function traced<T>(options: SpanOptions, work: (span: Span | null) => Promise<T>): Promise<T> {
  const span = startSpan(options)
  if (!span) return work(null)
  try {
    return await withinSpan(span, () => work(span))
  } catch (error) {
    span.fail(error)
    throw error
  } finally {
    span.end()
  }
}

/** Runs a statement, as a span of what goes on around it. Where nothing is traced, there is none. */
export function tracedStatement<T>(text: unknown, run: () => Promise<T>): Promise<T> {
  if (tracer === null) return run()
  const parent = tracer.active()
  if (!parent?.isRecorded) return run()
  const { operation, target } = summarize(typeof text === 'string' ? text : '')
  return traced(
    {
      name: target === undefined ? operation : `${operation} ${target}`,
      kind: 'client',
      parent,
      attributes: {
        'db.system.name': 'postgresql',
        'db.operation.name': operation,
        'db.collection.name': target,
      },
    },
    run,
  )
}

/** The verb of a statement and its first table or function. Its text is nobody else's: it may have a value in it. */
export function summarize(text: string): { operation: string; target: string | undefined } {
  const verb = /^\s*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? 'QUERY'
  const table = /\b(?:from|into|update)\s+(?:"?\w+"?\.)?"?([a-z_]\w*)/i.exec(text)?.[1]
  return { operation: verb, target: table ?? /^\s*select\s+([a-z_]\w*)\s*\(/i.exec(text)?.[1] }
}

const traceparentPattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/

/** Reads `traceparent`; null: it is none (https://www.w3.org/TR/trace-context/#traceparent-header). */
export function readTraceparent(text: string): TraceParent | null {
  const [, version, traceId = '', spanId = '', more] = traceparentPattern.exec(text) ?? []
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return null
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return null
  return { traceId, spanId }
}
