import { z } from 'zod'
import { Id, Pagination, Units } from './common.ts'
import { LoggedRequest, RequestHour, RequestSum } from '../../../features/metering/request-report-store.ts'

export { LoggedRequest, RequestHour, RequestSum }

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
