import { setTracer } from '../platform/tracing.ts'
import type { ProcessContext } from './process-life.ts'

/** Loads what makes spans, where they are asked for. */
export async function startTracing({
  config,
  logger,
  metrics,
  resources,
}: Pick<ProcessContext, 'config' | 'logger' | 'metrics' | 'resources'>): Promise<void> {
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT
  if (endpoint === undefined) return
  const { openTracer } = await import('../platform/otel.ts')
  const tracer = openTracer({ config, endpoint, logger, onLost: (spans) => metrics.countLostSpans(spans) })
  setTracer(tracer)
  resources.defer(async () => {
    setTracer(null)
    await tracer.stop()
  })
}
