import { AggregatorRegistry, collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client'
import { createCellFigures } from './figures/cells.ts'
import { createDatabaseFigures } from './figures/database.ts'
import { createDeliveryFigures } from './figures/deliveries.ts'
import { createFeedFigures } from './figures/feed.ts'
import { createHttpFigures } from './figures/http.ts'
import { createLedgerFigures } from './figures/ledger.ts'
import { createMeterFigures } from './figures/meter.ts'
import { createRetentionFigures } from './figures/retention.ts'
import { readCommit, readVersion } from './version.ts'

export type Metrics = ReturnType<typeof createMetrics>

/**
 * The figures of a process, by Prometheus's conventions. What a process does not know it does not export; a counter
 * whose labels are known begins at 0, so that its first step is seen.
 */
export function createMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  // Gauges with the name of a counter. The figures by type, of which they are the sums, stay.
  for (const what of ['handles', 'requests', 'resources'])
    registry.removeSingleMetric(`nodejs_active_${what}_total`)
  new Gauge({
    name: 'ratecard_build_info',
    help: 'The release of this process, and its Node. Always 1.',
    labelNames: ['version', 'commit', 'node_version'],
    aggregator: 'max',
    registers: [registry],
  }).set({ version: readVersion(), commit: readCommit(), node_version: process.version }, 1)
  // Of several processes the one that was started last: that of prom-client is in no page of theirs.
  new Gauge({
    name: 'ratecard_start_time_seconds',
    help: 'When this process was started.',
    aggregator: 'max',
    registers: [registry],
  }).set(Math.round(performance.timeOrigin / 1_000))
  const spansLost = new Counter({
    name: 'ratecard_trace_spans_lost_total',
    help: 'Spans that could not be handed to the receiver of traces.',
    registers: [registry],
  })
  return {
    ...createHttpFigures(registry),
    ...createMeterFigures(registry),
    ...createDatabaseFigures(registry),
    ...createDeliveryFigures(registry),
    ...createFeedFigures(registry),
    ...createCellFigures(registry),
    ...createLedgerFigures(registry),
    ...createRetentionFigures(registry),
    countLostSpans: (spans: number) => spansLost.inc(spans),
    /** The figures in Prometheus's text format. */
    render: () => registry.metrics(),
    /** The same for `renderTogether`. */
    collect: (): Promise<unknown> => registry.getMetricsAsJSON(),
    contentType: registry.contentType,
  }
}

/** The figures of several processes as one, each by what `collect` gave: by the aggregator of each, mostly added. */
export function renderTogether(collected: readonly unknown[]): Promise<string> {
  return AggregatorRegistry.aggregate([...collected] as object[]).metrics()
}
