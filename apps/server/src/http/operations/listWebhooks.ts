import * as webhooks from '../../features/webhooks/webhook-store.ts'
import type { Operation } from '../pipeline/operation.ts'

export const listWebhooks: Operation<'listWebhooks'> = async ({ caller, reserve }, { db }) => {
  const records = await webhooks.listWebhooks(db, caller.accountId)
  await reserve()
  return { status: 200, body: { data: records.map(webhooks.publicWebhook) } }
}
