import type { PriceRecord } from '../../../catalog/price-record.ts'
import type { FeedPolicy } from '../../policy.ts'

/** The facts beside a draft that its words need. */
export interface WordingContext {
  policy: FeedPolicy
  /** The day of the run's clock, UTC, `YYYY-MM-DD`. */
  today: string
  /** Live served prices of the drafts' products, and of their vendors and platforms. */
  prices: readonly PriceRecord[]
  /** The day of retirement of live prices that have one, by resource id. */
  retirements: ReadonlyMap<string, string>
}
