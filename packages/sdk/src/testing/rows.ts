// One place that says where the row types come from.
export type { Change, ChangeAlternative, Price, Usage, Webhook, WebhookEvent } from '../models.ts'

export const operations = [
  'getHealth',
  'listPrices',
  'listChanges',
  'listWebhooks',
  'createWebhook',
  'deleteWebhook',
  'getUsage',
] as const

/** The operations of Ratecard, as the contract names them. */
export type FakeOperation = (typeof operations)[number]
