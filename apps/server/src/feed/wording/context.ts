import type { PriceRecord } from '../../features/prices/price-record.ts'
import type { FeedPolicy } from '../policy.ts'

/** The facts beside a draft that its words need. */
export interface WordingContext {
  policy: FeedPolicy
  /** The day of the run's clock, UTC, `YYYY-MM-DD`. */
  today: string
  /** Live served prices of the same product, and of the same vendor and modality. */
  prices: readonly PriceRecord[]
}
