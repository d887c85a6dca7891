import { findWebhookDetails } from '../../../features/webhooks/webhook-details-store.ts'
import { notFound } from '../errors.ts'
import type { Operation } from '../operation.ts'

export const getWebhook: Operation<'getWebhook'> = async ({ member, path }, { db }) => {
  const data = await findWebhookDetails(db, member.account.id, path.id)
  if (!data) throw notFound('webhook')
  return { status: 200, body: { data } }
}
