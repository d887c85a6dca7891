import type { PriceRecord } from '../features/prices/price-record.ts'
import type { Rate } from '../features/prices/rate-card.ts'

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

/** What moved in one row. Rates and the day of retirement are not served with prices, but told as changes. */
export interface RowState {
  record: PriceRecord
  rates: readonly Rate[]
  retires_on: string | null
}

export interface MovedRow {
  resource_id: string
  /** Null: the row is new. */
  before: RowState | null
  /** Null: the row is gone. */
  after: RowState | null
}

/** What a run found about one product, before it is put into words: one change per product, category and run. */
export interface ChangeDraft {
  category: FeedCategory
  /** `product_id`, or the resource_id of a row without one. */
  product: string
  rows: readonly MovedRow[]
  /** When it was first seen, and when it was seen last, RFC 3339 in UTC. */
  firstSeen: string
  lastSeen: string
  /** Whether another independent source, or an operator, says the same. */
  verified: boolean
  /**
   * `announced`: begins on `effectiveOn`. `withdrawn`: was announced and is not to come. `in_effect`: everything else.
   */
  status: 'announced' | 'in_effect' | 'withdrawn'
  /** The day from which a dated price holds, `YYYY-MM-DD`; null: the source does not date it. */
  effectiveOn: string | null
}
