import { eventsDefault } from '@ratecard/contract/alert'
import { z } from 'zod'
import { Pagination, Text, Timestamp } from './common.ts'
import { FilterName, WholeFilter } from '../../../features/webhooks/filter.ts'
import { ShownWebhook, WebhookEvent, WebhookEvents } from '../../../features/webhooks/webhook-store.ts'

export { FilterNames, FilterPreview } from '../../../features/webhooks/filter-preview.ts'
export { FilterName, WebhookEvent, WebhookEvents, WholeFilter }

/** The same as it is set: what is not said leaves nothing out. */
export const WebhookFilter = z.strictObject({
  vendors: WholeFilter.shape.vendors.default([]),
  products: WholeFilter.shape.products.default([]),
  min_severity: WholeFilter.shape.min_severity.default(1),
})

/** A name for people, at most 100 characters; null or empty: it goes by its address. */
export const WebhookName = z
  .string()
  .max(100)
  .regex(/^[^\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]*$/)
  .nullable()

export const ResendInput = z.strictObject({
  /** Only those that were made at this time or later; left out: all that are known. */
  since: Timestamp.exactOptional(),
})

export const Resent = z.strictObject({
  /** New deliveries, at most 100. */
  resent: z.int().min(0).max(100),
  /** Alerts that failed and are left for another time, counted up to 1,000. */
  left: z.int().min(0).max(1000),
})

/** Where alerts are sent: `https://`, at most 2,048 characters, no private address. */
export const WebhookUrl = z
  .string()
  .max(2048)
  .regex(/^https:\/\//)
  .meta({ format: 'uri' })

/** Signs each delivery: 16 to 512 characters, no control characters. */
export const WebhookSecret = Text.min(16).max(512)

/** A subscription. Its secret is shown once, when it is made or rotated. */
export const Webhook = ShownWebhook.extend({
  /** Alerts that failed and are not on their way again, counted up to 1,000. In the answer of one subscription. */
  failed_count: z.int().min(0).max(1000).exactOptional(),
  /** Why no alert would be sent to it now, and what to do; null: alerts are sent. */
  obstacle: z.string().nullable(),
})

export const WebhookList = z.strictObject({
  data: z.array(Webhook),
  /** Where the next page begins; left out on the last page. */
  pagination: Pagination.exactOptional(),
  active: z.int().min(0).max(1000000),
  /** How many the plan allows; null: any number. */
  active_max: z.int().min(0).max(1000000).nullable(),
})

export const WebhookInput = z.strictObject({
  url: WebhookUrl,
  name: WebhookName.exactOptional(),
  /** Of which changes to tell; left out: of all. */
  filter: WebhookFilter.exactOptional(),
  events: WebhookEvents.default(eventsDefault),
  /** A secret of your own; left out: one is made. */
  secret: WebhookSecret.exactOptional(),
})

export const WebhookSecretInput = z.strictObject({
  /** A secret of your own; left out: one is made. */
  secret: WebhookSecret.exactOptional(),
  /** How long the old secret signs on, while your endpoint learns to accept both; 0, at once. */
  overlap_seconds: z.int().min(0).max(259200).default(0),
})

export const NewWebhook = z.strictObject({ secret: WebhookSecret, record: Webhook })

export const WebhookPatch = z
  .strictObject({
    url: WebhookUrl.exactOptional(),
    events: WebhookEvents.exactOptional(),
    name: WebhookName.exactOptional(),
    /** Of which changes to tell from now on. It takes the place of the whole filter. */
    filter: WebhookFilter.exactOptional(),
    /** Whether the secret that is to come signs from now on, or is forgotten. Without one nothing changes. */
    next_secret: z.enum(['now', 'never']).exactOptional(),
    active: z.boolean().exactOptional(),
    /** Whether to send the headers of Standard Webhooks beside ours. */
    standard_headers: z.boolean().exactOptional(),
  })
  .meta({ minProperties: 1 })

export const UrlVerdict = z.strictObject({
  /** What to change; null: it may. */
  problem: z.string().nullable(),
})
