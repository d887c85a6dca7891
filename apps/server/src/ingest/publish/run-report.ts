import type { AmountColumn, PriceRecord, RejectedRow } from '../../catalog/price-record.ts'
import { movedColumns } from '../amounts.ts'
import { resourceKey } from '../match/names.ts'
import type { NewHold } from '../changes/feed-state.ts'
import type { RunDecision } from '../changes/decide-run.ts'
import type { PublishedDrafts } from './publish-drafts.ts'
import type { SourceReading, UnknownField } from '../source-record.ts'

interface PriceMove {
  id: string
  /** The served fields that move; all of them for a new record. */
  fields: string[]
  before: Record<string, unknown>
  after: Record<string, unknown>
}

export interface RunReport extends PublishedDrafts {
  /** Null in a dry run. */
  run_id: string | null
  source: string
  /** UTC. */
  observed_at: string
  version: string
  /** The newest day that the data itself states; null: it states none. */
  data_at: string | null
  outcome: 'applied' | 'refused'
  /** Why it was refused. */
  message: string | null
  /** Rows of the source: `added`, `changed`, `unchanged` and `rejected` together. */
  rows: number
  added: PriceMove[]
  changed: PriceMove[]
  /** Other prices that are served otherwise by what the source says: of products that it prices, or spelled anew. */
  elsewhere: PriceMove[]
  /** Served as before: what another source outranks, and what is held, included. */
  unchanged: number
  rejected: RejectedRow[]
  /** Rows that are served without what cannot be shown. */
  mended: RejectedRow[]
  /** Fields of the source with prices that its importer does not know. */
  unknown_fields: UnknownField[]
  gone: string[]
  /** Moves that wait for a review from this run on. */
  held: (NewHold & { fields: AmountColumn[] })[]
}

export interface FinishedRun extends PublishedDrafts {
  runId: string | null
  source: string
  observedAt: string
  reading: SourceReading
  /** The prices as they were served before. */
  served: ReadonlyMap<string, PriceRecord>
  decided: RunDecision
}

export function buildReport({ reading, served, decided, ...run }: FinishedRun): RunReport {
  const read = new Set(reading.records.map((record) => resourceKey(record.resource_id)))
  const moves = decided.served.flatMap(({ record }): PriceMove[] => {
    const id = record.resource_id
    const before = { ...served.get(id) } as Record<string, unknown>
    const after: Record<string, unknown> = { ...record }
    const fields = Object.keys(after).filter((field) => before[field] !== after[field])
    return fields.length === 0 ? [] : [{ id, fields, before, after }]
  })
  const isRead = ({ id }: PriceMove) => read.has(resourceKey(id))
  const own = moves.filter(isRead)
  return {
    run_id: run.runId,
    source: run.source,
    observed_at: run.observedAt,
    version: reading.version ?? 'unknown',
    data_at: reading.data_at,
    outcome: decided.outcome,
    message: decided.message,
    rows: reading.records.length + reading.rejected.length,
    added: own.filter(({ id }) => !served.has(id)),
    changed: own.filter(({ id }) => served.has(id)),
    elsewhere: moves.filter((move) => !isRead(move)),
    unchanged: reading.records.length - own.length,
    rejected: reading.rejected,
    mended: reading.mended,
    unknown_fields: reading.unknown_fields,
    gone: decided.gone,
    held: decided.newHolds.map((hold) => ({ ...hold, fields: movedColumns(hold.before, hold.after) })),
    changes: run.changes,
    deliveries: run.deliveries,
  }
}
