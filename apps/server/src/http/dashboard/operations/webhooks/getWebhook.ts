import * as webhooks from '../../../../features/webhooks/webhook-store.ts'
import type { Operation } from '../../operation.ts'
import { webhookBody } from '../../webhook-body.ts'

export const getWebhook: Operation<'getWebhook'> = async ({ member, path }, { db }) => {
  const webhook = await webhooks.getWebhook(db, member.account.id, path.id)
  return { status: 200, body: { data: webhookBody(webhook) } }
}
