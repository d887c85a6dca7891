import type { Registry } from 'prom-client'
import { readGauge } from './gauge.ts'

/** What the last check of this worker found: none before the first. */
export function createLedgerFigures(registry: Registry) {
  let found: { differences: number; atMs: number } | null = null
  readGauge(registry, {
    name: 'ratecard_ledger_differences',
    help: 'Balances that differ from the ledger, by the last check of this worker. Combine with max.',
    aggregator: 'max',
    read: () => found?.differences ?? null,
  })
  readGauge(registry, {
    name: 'ratecard_ledger_checked_timestamp_seconds',
    help: 'When this worker last compared all balances with the ledger. Combine with max.',
    aggregator: 'max',
    read: () => (found === null ? null : found.atMs / 1_000),
  })
  return {
    observeLedger(differences: number, atMs: number): void {
      found = { differences, atMs }
    },
  }
}
