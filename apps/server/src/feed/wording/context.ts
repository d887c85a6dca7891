import type { PriceRecord } from '../../features/prices/price-record.ts'
import type { FeedPolicy } from '../policy.ts'

/** What is known beside a draft when it is put into words. */
export interface WordingContext {
  policy: FeedPolicy
  /** The day of the run's clock, UTC, `YYYY-MM-DD`. */
  today: string
  /** Live served prices of the same product, and of the same vendor and modality. */
  prices: readonly PriceRecord[]
}
