import { z } from 'zod'
import { DeliveryState, LoggedAttempt, QueuedDelivery } from '../../../features/webhooks/delivery-store.ts'
import { Id, Pagination } from './common.ts'

export { DeliveryState }

/** The beginning of an answer, without characters that are not shown. */
export const ExchangeAnswer = z.strictObject({
  headers: z.record(z.string(), z.string()),
  body: z.string().max(1024),
  is_cut: z.boolean(),
})

/** What an attempt sent, and the beginning of what came back. */
export const Exchange = z.strictObject({
  url: z.string(),
  request_headers: z.record(z.string(), z.string()),
  /** The exact body; null: it cannot be shown as it was sent, because a change of it is gone. */
  body: z.string().nullable(),
  /** What came back; null: nothing. */
  answer: ExchangeAnswer.nullable(),
})

export const Attempt = LoggedAttempt.extend({ exchange: Exchange.exactOptional() })

/** One alert to one subscription, with every attempt. */
export const Delivery = QueuedDelivery.extend({
  /** Why it has not arrived, and what to do; null: it has, or is about to be tried. */
  advice: z.string().nullable(),
  change_ids: z.array(Id),
  /** The titles of the first ten, in the same order. */
  titles: z.array(z.string()).max(10),
  log: z.array(Attempt),
})

export const DeliveryList = z.strictObject({
  data: z.array(Delivery).max(100),
  pagination: Pagination.exactOptional(),
})
