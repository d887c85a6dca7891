import type { Schemas } from '@ratecard/dashboard/contract'
import { obstacleOf } from '../../features/webhooks/explain.ts'
import type { WebhookRecord } from '../../features/webhooks/webhook-store.ts'

/** A subscription as the contract has it. */
export function webhookBody(record: WebhookRecord): Schemas['Webhook'] {
  const { account_id: _, entitled: __, ...webhook } = record
  return { ...webhook, obstacle: obstacleOf(record) }
}
