import type { PriceRecord } from '../features/prices/price-record.ts'
import type { Rate } from '../features/prices/rate-card.ts'
import type { HoldReason } from './amounts.ts'
import type { ChangeDraft } from './change-draft.ts'
import type { Claim } from './precedence.ts'
import type { Amounts, ScheduledPrice, SourceRecord } from './source-record.ts'

/** What a source says of a resource. */
export interface FeedRecord extends Claim {
  resource_id: string
  /** Its last word. */
  stated: SourceRecord
  /** What we go by: amounts differ from `stated` while they wait for review. */
  accepted: SourceRecord
  firstSeen: string
  /** Since when, and in how many runs, the source does not have it; null and 0: it has. */
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

/** What is stored about the resources that a source names, has named, or holds. */
export interface FeedState {
  source: string
  /** The source has never been taken in: nothing of it is told as a change. */
  isFirst: boolean
  lastObservedAt: string | null
  /** Resources that were gone in a run that waits to be confirmed, and since when. */
  heldGone: { since: string; ids: ReadonlySet<string> } | null
  records: ReadonlyMap<string, FeedRecord>
  /** Of all other sources, by resource. */
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

/** What is to be written and told; nothing in it when all is as it was. */
export interface FeedPlan {
  records: FeedRecord[]
  served: ServedRecord[]
  drafts: ChangeDraft[]
  newHolds: NewHold[]
  /** Holds that the source itself has ended by saying something else. */
  withdrawnHolds: string[]
  schedules: KnownSchedule[]
  endedSchedules: { resource_id: string; starts_on: string }[]
}

export function emptyPlan(): FeedPlan {
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
