import type { Registry } from 'prom-client'
import { labelledCounter, plainCounter, plainHistogram, readGauge } from './gauge.ts'

/** What became of a batch: its outcome is known, the database refused it, or its connection was lost. */
const batchEnds = ['carried_out', 'refused', 'lost'] as const
export type BatchEnd = (typeof batchEnds)[number]
const unitOutcomes = ['granted', 'denied', 'given_back'] as const
type UnitOutcome = (typeof unitOutcomes)[number]

/** What the meter tells of its work, once for each batch. */
export interface MeterObserver {
  observeBatch: (batch: {
    requests: number
    /** How long its first request waited for it. */
    queuedMs: number
    durationMs: number
    end: BatchEnd
  }) => void
  countUnits: (outcome: UnitOutcome, units: number) => void
}

interface MeterState {
  /** Requests that wait for a batch. */
  waiting: number
  /** Batches whose connection was lost, and of which it is not known yet whether they were carried out. */
  unsettled: number
}

const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]

export function createMeterFigures(registry: Registry) {
  const countBatch = labelledCounter(registry, 'outcome', batchEnds, {
    name: 'ratecard_meter_batches_total',
    help: 'Batches of reservations, by what became of them: carried_out, refused by the database, or lost with their connection.',
  })
  const batchRequests = plainHistogram(registry, [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000], {
    name: 'ratecard_meter_batch_requests',
    help: 'Requests whose units were reserved by one statement.',
  })
  const batchWaits = plainHistogram(registry, durationBuckets, {
    name: 'ratecard_meter_queue_duration_seconds',
    help: 'Time that the first request of a batch waited for the batch to begin.',
  })
  const batchDurations = plainHistogram(registry, durationBuckets, {
    name: 'ratecard_meter_batch_duration_seconds',
    help: 'Time a batch took, up to its outcome.',
  })
  const forgotten = plainCounter(registry, {
    name: 'ratecard_meter_batches_forgotten_total',
    help: 'Batches of reservations that the database had confirmed and does not have any more, at most: each of the server processes that notice says so. 1 where the timeline went back and no batch is known to be lost.',
  })
  const countUnits = labelledCounter(registry, 'outcome', unitOutcomes, {
    name: 'ratecard_meter_units_total',
    help: 'Units that batches were asked for: granted, denied because the quota is used up, and given back because the request was over by then. A write reserves in its own transaction, and is not among them.',
  })
  let readMeter: (() => MeterState) | null = null
  readGauge(registry, {
    name: 'ratecard_meter_requests_waiting',
    help: 'Requests that wait for the batch that goes next.',
    read: () => readMeter?.().waiting ?? null,
  })
  readGauge(registry, {
    name: 'ratecard_meter_unsettled_batches',
    help: 'Batches whose connection was lost, and of which it is not known yet whether they were carried out.',
    read: () => readMeter?.().unsettled ?? null,
  })
  const meterObserver: MeterObserver = {
    observeBatch({ requests, queuedMs, durationMs, end }) {
      countBatch(end)
      batchRequests.observe(requests)
      batchWaits.observe(queuedMs / 1_000)
      batchDurations.observe(durationMs / 1_000)
    },
    countUnits,
  }
  return {
    meterObserver,
    countForgotten: (batchCount: number) => forgotten.inc(Math.max(1, batchCount)),
    /** Where the figures of the meter come from, once there is one here. */
    watchMeter(read: () => MeterState): void {
      readMeter = read
    },
  }
}
