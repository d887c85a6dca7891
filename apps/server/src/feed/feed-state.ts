import type { PriceRecord } from '../features/prices/price-record.ts'
import type { Rate } from '../features/prices/rate-card.ts'
import type { HoldReason } from './amounts.ts'
import type { ChangeDraft } from './change-draft.ts'
import type { Candidate } from './precedence.ts'
import type { Amounts, ScheduledPrice, SourceRecord } from './source-record.ts'

/** The record of a resource in one source. */
export interface FeedRecord extends Candidate {
  resource_id: string
  /** The amounts that it stated last. */
  stated: SourceRecord
  /** The amounts that we accept. They differ from `stated` while those wait for review. */
  accepted: SourceRecord
  firstSeen: string
  /** Since when, and in how many runs, the source lacks the resource; null and 0: the source has it. */
  goneSince: string | null
  goneRuns: number
}

export interface Hold {
  id: string
  source: string
  resource_id: string
  reason: HoldReason
  before: Amounts
  after: Amounts
  firstSeen: string
}

export type NewHold = Omit<Hold, 'id' | 'source'>

export interface KnownSchedule extends ScheduledPrice {
  resource_id: string
  /** Days ahead of the last announcement or reminder; null: none yet. */
  remindedDays: number | null
}

/** The stored records of the resources that a source names, has named, or holds. */
export interface FeedState {
  source: string
  /** The source has never been read before: its first reading publishes no changes. */
  isFirst: boolean
  lastObservedAt: string | null
  /** Resources that a run found removed and that the next run must confirm, and since when. */
  heldGone: { since: string; ids: ReadonlySet<string> } | null
  records: ReadonlyMap<string, FeedRecord>
  /** The records of all other sources, by resource. */
  others: ReadonlyMap<string, readonly FeedRecord[]>
  served: ReadonlyMap<string, PriceRecord>
  holds: ReadonlyMap<string, Hold>
  rejected: ReadonlyMap<string, readonly Hold[]>
  schedules: ReadonlyMap<string, readonly KnownSchedule[]>
}

export interface ServedRecord {
  record: PriceRecord
  source: string
  rates: readonly Rate[]
}

/** What a run writes and publishes; empty when nothing moved. */
export interface Decision {
  records: FeedRecord[]
  served: ServedRecord[]
  drafts: ChangeDraft[]
  newHolds: NewHold[]
  /** Holds that the source itself has ended by stating another amount. */
  withdrawnHolds: string[]
  schedules: KnownSchedule[]
  endedSchedules: { resource_id: string; starts_on: string }[]
}

export function emptyDecision(): Decision {
  return {
    records: [],
    served: [],
    drafts: [],
    newHolds: [],
    withdrawnHolds: [],
    schedules: [],
    endedSchedules: [],
  }
}
