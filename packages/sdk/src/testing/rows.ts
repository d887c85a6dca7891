// One place that says where the row types come from.
export type { Change, ChangeAlternative, Price, Usage, Webhook, WebhookEvent } from '../models.ts'

/** The operations of Ratecard, as the contract names them. */
export type FakeOperation =
  'getHealth' | 'listPrices' | 'listChanges' | 'listWebhooks' | 'createWebhook' | 'deleteWebhook' | 'getUsage'
