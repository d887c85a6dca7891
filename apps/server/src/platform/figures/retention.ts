import { Gauge, type Registry } from 'prom-client'
import { labelledCounter } from './gauge.ts'

/** What a worker found when it last looked for rows to forget. */
export interface RetentionReading {
  /** How old the oldest row is that is forgotten by its age; null: there is none. */
  oldestSeconds: number | null
  limitSeconds: number
}

/** Figures of what is forgotten, by table. */
export function createRetentionFigures(registry: Registry) {
  const registers = [registry]
  const labelNames = ['table'] as const
  const countDeletedRows = labelledCounter(registry, 'table', null, {
    name: 'ratecard_retention_deleted_rows_total',
    help: 'Rows that this worker deleted because they are older than they are kept, or beyond the share of their account. What goes with a row of its table is not counted.',
  })
  const countRetentionFailure = labelledCounter(registry, 'table', null, {
    name: 'ratecard_retention_failures_total',
    help: 'Looks for rows to delete that failed. The next one comes within ten minutes.',
  })
  const limit = new Gauge({
    name: 'ratecard_retention_limit_seconds',
    help: 'For how long rows are kept that are forgotten by their age.',
    labelNames,
    aggregator: 'max',
    registers,
  })
  const read = new Map<string, { oldestAtMs: number | null }>()
  new Gauge({
    name: 'ratecard_retention_oldest_seconds',
    help: 'How old the oldest of those rows is, as of the last look of this worker; none: there is no such row. Combine with min.',
    labelNames,
    aggregator: 'min',
    registers,
    collect() {
      this.reset()
      for (const [table, { oldestAtMs }] of read)
        if (oldestAtMs !== null) this.set({ table }, Math.max(0, (Date.now() - oldestAtMs) / 1_000))
    },
  })
  return {
    /** Lets a table begin at 0. */
    watchRetention(table: string): void {
      countDeletedRows(table, 0)
      countRetentionFailure(table, 0)
    },
    observeRetention(table: string, { oldestSeconds, limitSeconds }: RetentionReading): void {
      limit.set({ table }, limitSeconds)
      read.set(table, { oldestAtMs: oldestSeconds === null ? null : Date.now() - oldestSeconds * 1_000 })
    },
    countDeletedRows,
    countRetentionFailure,
  }
}
