// The one import of the row types.
export type { Change, ChangeAlternative, Price, Usage, Webhook } from '../generated/models.ts'

/** The operations of Ratecard, as the contract names them. */
export type FakeOperation =
  'getHealth' | 'listPrices' | 'listChanges' | 'listWebhooks' | 'createWebhook' | 'deleteWebhook' | 'getUsage'
