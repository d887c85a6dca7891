import type { PriceRecord } from '../../catalog/price-record.ts'
import type { Rule } from '../../catalog/price-rule.ts'
import type { Rate } from '../../catalog/rate-card.ts'
import type { ChangeDraft } from './change-draft.ts'
import type { Claim } from '../claims/claim.ts'
import type { Transition } from './draft-changes.ts'
import type { HoldReason } from '../claims/doubts.ts'
import type { RateEvidence } from '../judge/judge-rates.ts'
import type { Amounts, ScheduledPrice } from '../source-record.ts'

/** A claim that is not served, with the amounts that are served in its place. */
export interface Hold {
  id: string
  source: string
  resource_id: string
  reason: HoldReason
  before: Amounts
  after: Amounts
  firstSeen: string
}

export type NewHold = Omit<Hold, 'id'>

export interface KnownSchedule extends ScheduledPrice {
  resource_id: string
  /** Days ahead of the last announcement or reminder; null: none yet. */
  remindedDays: number | null
}

/** Why a price is served, as it is stored. */
export interface Standing {
  key: string
  resource_id: string
  source: string
  goneSince: string | null
  retiresOn: string | null
  isConfirmed: boolean | null
  /** Null: it was decided by a release that did not say. */
  rule: Rule | null
  evidence: Evidence
  rateEvidence: RateEvidence
}

/** By column: the sources that state the served amount, and what the others state. */
export type Evidence = Record<string, { said_by: string[]; denied_by: Record<string, string> }>

/** All that is known when something is decided. */
export interface FeedState {
  /** Every claim of every source. */
  claims: readonly Claim[]
  /** By resource key. */
  standings: ReadonlyMap<string, Standing>
  /** By resource id: what is served now. */
  served: ReadonlyMap<string, PriceRecord>
  /** The rate cards of prices, by resource id; sorted. */
  cards: ReadonlyMap<string, readonly Rate[]>
  holds: readonly Hold[]
}

/** What is known of the source that is read. */
export interface SourceState {
  source: string
  /** The source has never been read before. */
  isFirst: boolean
  lastObservedAt: string | null
  schedules: ReadonlyMap<string, readonly KnownSchedule[]>
}

interface ServedRecord {
  record: PriceRecord
  source: string
  rates: readonly Rate[] | null
}

/** What is written and published; empty when nothing moved. */
export interface Decision {
  /** Claims that are stated anew, or gone. */
  claims: Claim[]
  served: ServedRecord[]
  /** Resources that leave the served list. */
  left: string[]
  standings: Standing[]
  /** Keys of standings that end. */
  endedStandings: string[]
  /** Every resource before and after, of which the changes are drafted. */
  transitions: readonly Transition[]
  /** What is announced for later. */
  drafts: ChangeDraft[]
  newHolds: NewHold[]
  /** Holds that wait on, with what is served in their place by now. */
  restatedHolds: Hold[]
  /** Holds whose claim is served now, and holds that the source itself ended. */
  confirmedHolds: string[]
  withdrawnHolds: string[]
  schedules: KnownSchedule[]
  endedSchedules: { resource_id: string; starts_on: string }[]
}

export function emptyDecision(): Decision {
  return {
    claims: [],
    served: [],
    left: [],
    standings: [],
    endedStandings: [],
    transitions: [],
    drafts: [],
    newHolds: [],
    restatedHolds: [],
    confirmedHolds: [],
    withdrawnHolds: [],
    schedules: [],
    endedSchedules: [],
  }
}
