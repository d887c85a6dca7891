import { z } from 'zod'
import { deliveryStates } from '../../../features/webhooks/delivery-store.ts'
import { Id, OptionalTimestamp, Pagination, Timestamp } from './common.ts'

export const DeliveryState = z.enum(deliveryStates)

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

export const Attempt = z.strictObject({
  attempt: z.int().min(1).max(1000),
  started_at: Timestamp,
  duration_ms: z.int().min(0).max(2147483647),
  /** The HTTP status; null when no answer came, or one with no status of HTTP. */
  status: z.int().min(100).max(599).nullable(),
  /** What kind of failure it was; null: none. */
  error_class: z.string().nullable(),
  error: z.string().nullable(),
  exchange: Exchange.exactOptional(),
})

/** One alert to one subscription, with every attempt. */
export const Delivery = z.strictObject({
  id: Id,
  webhook_id: Id,
  /** The delivery that it sends again; null: it is a first one. */
  resent_from: z.string().nullable(),
  /** The latest delivery that sends it again; null: none does. */
  resent_as: z.string().nullable(),
  state: DeliveryState,
  /** Why it has not arrived, and what to do; null: it has, or is about to be tried. */
  advice: z.string().nullable(),
  attempts: z.int().min(0).max(1000),
  change_ids: z.array(Id),
  /** The titles of the first ten, in the same order. */
  titles: z.array(z.string()).max(10),
  created_at: Timestamp,
  next_attempt_at: OptionalTimestamp,
  finished_at: OptionalTimestamp,
  log: z.array(Attempt),
})

export const DeliveryList = z.strictObject({
  data: z.array(Delivery).max(100),
  pagination: Pagination.exactOptional(),
})
