import { z } from 'zod'
import { Id, Name, Pagination, Timestamp, Units } from './common.ts'

export const RequestSum = z.strictObject({
  /** The HTTP status; 499 when the client left before the answer. */
  status: z.int().min(100).max(599),
  /** The code in the answer; null: it was served. */
  error: z.string().nullable(),
  requests: Units,
})

export const LoggedRequest = z.strictObject({
  /** The `X-Request-Id` of its answer. */
  id: Id,
  at: Timestamp,
  key_id: Id,
  key_name: Name,
  key_last_four: z.string(),
  operation: z.string(),
  /** Path and query. Values of parameters that do not exist are hidden, and so is what looks like a key. */
  target: z.string(),
  /** The HTTP status; 499 when the client left before the answer. */
  status: z.int().min(100).max(599),
  /** The code in the answer; null: it was served. */
  error: z.string().nullable(),
  duration_ms: z.number().min(0),
})

/** Only those that were served, refused (400 to 498) or failed (the client left, or the fault was ours), or with one status. */
const statuses = [
  'served',
  'refused',
  'failed',
  '400',
  '401',
  '402',
  '403',
  '404',
  '413',
  '415',
  '429',
  '499',
  '500',
  '503',
] as const

export const RequestFilter = z
  .strictObject({
    status: z.enum(statuses),
    operation: z.enum([
      'listPrices',
      'listChanges',
      'listWebhooks',
      'createWebhook',
      'deleteWebhook',
      'getUsage',
    ]),
    key_id: Id,
  })
  .exactPartial()

/** An hour in which some requests are counted and not listed. */
export const RequestHour = z.strictObject({ hour: Timestamp, requests: Units, listed: Units })

export const RequestLog = z.strictObject({
  data: z.array(LoggedRequest).max(100),
  /** Hours of this page in which some requests are counted and not listed, newest first. */
  partial_hours: z.array(RequestHour),
  /** All requests of these days by outcome, the most frequent first. */
  outcomes: z.array(RequestSum),
  listed: Units,
  days: z.int().min(1).max(400),
  pagination: Pagination.exactOptional(),
})
