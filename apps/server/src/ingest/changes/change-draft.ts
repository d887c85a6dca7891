import type { ChangeEvidence } from '../../features/changes/change-evidence.ts'
import type { PriceRecord } from '../../catalog/price-record.ts'
import type { Rate } from '../../catalog/rate-card.ts'

export const feedCategories = [
  'price_cut',
  'price_rise',
  'model_added',
  'model_removed',
  'deprecation',
  'tier_change',
  'correction',
  'metadata',
] as const
export type FeedCategory = (typeof feedCategories)[number]

/** What moved in one row. Rates and the day of retirement are not served with prices, but published as changes. */
export interface RowState {
  record: PriceRecord
  rates: readonly Rate[]
  retires_on: string | null
  /** The id, on the same platform, that is named in its place. */
  replaced_by?: string
}

export interface MovedRow {
  resource_id: string
  /** Null: the row is new. */
  before: RowState | null
  /** Null: the row is gone. */
  after: RowState | null
}

/** The finding of a run about one product, not yet in words: one change per product, category and run. */
export interface ChangeDraft {
  category: FeedCategory
  /** `product_id`, or the resource_id of a row without one. */
  product: string
  rows: readonly MovedRow[]
  /** When it was first seen, and when it was seen last, RFC 3339 in UTC. */
  firstSeen: string
  lastSeen: string
  /** Whether another independent source, or an operator, confirms it. */
  verified: boolean
  /**
   * `announced`: begins on `effectiveOn`. `withdrawn`: an announcement was taken back. `in_effect`: everything else.
   */
  status: 'announced' | 'in_effect' | 'withdrawn'
  /** The day on which a dated price begins, `YYYY-MM-DD`; null: the source does not date it. */
  effectiveOn: string | null
  /** Of a correction: why it is no move of a vendor's, each reason once. */
  reasons?: readonly string[]
  /** What each source says of the rows. The version of a source is added when the change is published. */
  evidence: readonly Omit<ChangeEvidence, 'version' | 'quote'>[]
}
