import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import {
  INVALID_SPAN_CONTEXT,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span as OtelSpan,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
  type SpanExporter,
} from '@opentelemetry/sdk-trace'
import type { Config } from './config.ts'
import type { Logger } from './logger.ts'
import type { Attributes, Span, SpanOptions, TraceParent, Tracer } from './tracing.ts'
import { readVersion } from './version.ts'

// The one file that knows OpenTelemetry, loaded when traces are asked for. Its provider is not made the one of the
// process: libraries that would use that (better-auth is one) put into spans what we have not looked at.

interface OtelOptions {
  config: Pick<
    Config,
    'OTEL_EXPORTER_OTLP_HEADERS' | 'OTEL_SERVICE_NAME' | 'OTEL_TRACES_SAMPLER' | 'OTEL_TRACES_SAMPLER_ARG'
  >
  endpoint: string
  logger: Logger
  onLost: (spans: number) => void
}

const sendMsMax = 10_000
const sendEveryMs = 2_000
/** In memory, while the receiver is slow or away. Newer ones are lost then. */
const waitingMax = 4_096
const stopMsMax = 2_000
const warnEveryMs = 60_000
const attributeLengthMax = 256

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL }

export function openTracer({ config, endpoint, logger, onLost }: OtelOptions): Tracer {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: Object.fromEntries(config.OTEL_EXPORTER_OTLP_HEADERS),
    timeoutMillis: sendMsMax,
  })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': config.OTEL_SERVICE_NAME,
      'service.version': readVersion(),
      'service.instance.id': randomUUID(),
    }),
    sampler: createSampler(config.OTEL_TRACES_SAMPLER, config.OTEL_TRACES_SAMPLER_ARG),
    spanLimits: { attributeValueLengthLimit: attributeLengthMax },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: sayingWhatIsLost(exporter, logger, onLost),
        maxQueueSize: waitingMax,
        scheduledDelayMillis: sendEveryMs,
        exportTimeoutMillis: sendMsMax,
      }),
    ],
  })
  const spans = provider.getTracer('ratecard', readVersion())
  const around = new AsyncLocalStorage<RatecardSpan>()
  return {
    start(options) {
      const parent = options.parent ?? around.getStore()
      const links = (options.links ?? []).flatMap((span) =>
        span instanceof RatecardSpan ? [{ context: span.inner.spanContext() }] : [],
      )
      const { name, kind, attributes = {} } = options
      return new RatecardSpan(
        spans.startSpan(
          name,
          { kind: kinds[kind], links, attributes: present(attributes) },
          buildContext(parent),
        ),
      )
    },
    within: (span, work) => (span instanceof RatecardSpan ? around.run(span, work) : work()),
    active: () => around.getStore(),
    async stop() {
      const late = Promise.withResolvers<void>()
      const timer = setTimeout(late.resolve, stopMsMax)
      // A receiver that is away holds no process up.
      await Promise.race([provider.shutdown().catch(() => undefined), late.promise])
      clearTimeout(timer)
    },
  }
}

class RatecardSpan implements Span {
  readonly inner: OtelSpan
  readonly isRecorded: boolean

  constructor(inner: OtelSpan) {
    this.inner = inner
    this.isRecorded = inner.isRecording()
  }

  get traceId(): string {
    return this.inner.spanContext().traceId
  }

  rename(name: string): void {
    this.inner.updateName(name)
  }

  set(attributes: Attributes): void {
    this.inner.setAttributes(present(attributes))
  }

  fail(error: unknown): void {
    this.inner.setAttribute('error.type', classifyError(error))
    this.inner.setStatus({ code: SpanStatusCode.ERROR })
  }

  link(other: Span): void {
    if (other instanceof RatecardSpan) this.inner.addLink({ context: other.inner.spanContext() })
  }

  end(): void {
    this.inner.end()
  }
}

/** The code or the name of an error: its message may quote what was asked. */
function classifyError(error: unknown): string {
  if (typeof error === 'string') return error
  if (!(error instanceof Error)) return 'unknown'
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? code : error.name
}

function present(attributes: Attributes): Record<string, string | number | boolean> {
  const entries = Object.entries(attributes).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(entries) as Record<string, string | number | boolean>
}

function buildContext(parent: SpanOptions['parent']): Context {
  if (parent === undefined || parent === 'none') return ROOT_CONTEXT
  if (parent instanceof RatecardSpan) return trace.setSpan(ROOT_CONTEXT, parent.inner)
  const { traceId, spanId } = parent as TraceParent
  const remote = { ...INVALID_SPAN_CONTEXT, traceId, spanId, isRemote: true }
  return trace.setSpanContext(ROOT_CONTEXT, remote)
}

function createSampler(name: Config['OTEL_TRACES_SAMPLER'], share: number): Sampler {
  const [, isByParent, kind] = /^(parentbased_)?(\w+)$/.exec(name) ?? []
  const root =
    kind === 'always_off'
      ? new AlwaysOffSampler()
      : kind === 'traceidratio'
        ? new TraceIdRatioBasedSampler(share)
        : new AlwaysOnSampler()
  // Of spans of ours. A caller decides nothing.
  return isByParent
    ? new ParentBasedSampler({ root, remoteParentSampled: root, remoteParentNotSampled: root })
    : root
}

/** The exporter itself fails in silence. */
function sayingWhatIsLost(
  exporter: SpanExporter,
  logger: Logger,
  onLost: (spans: number) => void,
): SpanExporter {
  let warnedAtMs = -Infinity
  return {
    export: (batch, done) =>
      exporter.export(batch, (result) => {
        // 0 is success.
        if (Number(result.code) !== 0) {
          onLost(batch.length)
          const nowMs = performance.now()
          if (nowMs - warnedAtMs > warnEveryMs) {
            warnedAtMs = nowMs
            const reason = result.error ? classifyError(result.error) : 'unknown'
            logger.warn(
              { reason, spans: batch.length },
              'traces cannot be sent: see OTEL_EXPORTER_OTLP_ENDPOINT',
            )
          }
        }
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
    ...(exporter.forceFlush && { forceFlush: () => exporter.forceFlush!() }),
  }
}
