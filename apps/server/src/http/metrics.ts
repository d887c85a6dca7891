import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

export interface Metrics {
  observeRequest: (operation: string, status: number, durationSeconds: number) => void
  requestsInFlight: Gauge
  /** The figures in Prometheus's text format. */
  render: () => Promise<string>
  contentType: string
}

/** Labels are bounded: operations and statuses of the contract, never a key or an account. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const requests = new Counter({
    name: 'ratecard_http_requests_total',
    help: 'Requests answered, by operation and status.',
    labelNames: ['operation', 'status'],
    registers,
  })
  const durations = new Histogram({
    name: 'ratecard_http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its answer.',
    labelNames: ['operation'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  })
  const requestsInFlight = new Gauge({
    name: 'ratecard_http_requests_in_flight',
    help: 'Requests being answered now.',
    registers,
  })
  return {
    observeRequest(operation, status, durationSeconds) {
      requests.inc({ operation, status })
      durations.observe({ operation }, durationSeconds)
    },
    requestsInFlight,
    render: () => registry.metrics(),
    contentType: registry.contentType,
  }
}
