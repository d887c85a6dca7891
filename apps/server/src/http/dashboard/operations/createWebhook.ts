import { insertAuditEntry } from '../../../features/members/audit-store.ts'
import { generateWebhookSecret } from '../../../features/webhooks/secret.ts'
import { findWebhookDetails } from '../../../features/webhooks/webhook-details-store.ts'
import { insertWebhook, tooManyOff } from '../../../features/webhooks/webhook-store.ts'
import { DashboardError } from '../errors.ts'
import { actorOf } from '../member.ts'
import type { Operation } from '../operation.ts'
import { requireGoodSecret, requireGoodUrl, requireWebhooks, webhookLimitReached } from '../webhook-terms.ts'

export const createWebhook: Operation<'createWebhook'> = async ({ member, body }, services) => {
  const { db, plans, secrets, isAllowedAddress } = services
  const accountId = member.account.id
  const { url, events = ['change.alert'], secret = generateWebhookSecret() } = body
  const { activeWebhooksMax: activeMax } = await requireWebhooks(db, plans, accountId)
  requireGoodUrl(url, isAllowedAddress)
  requireGoodSecret(secret)
  return db.transaction().execute(async (trx) => {
    const input = { url, secret, events }
    const webhook = await insertWebhook(trx, { accountId, input, activeMax, secrets })
    if (webhook === 'limit_reached') throw webhookLimitReached(activeMax)
    if (webhook === 'too_many_off') throw new DashboardError('webhook_limit_reached', { message: tooManyOff })
    await insertAuditEntry(trx, {
      accountId,
      actor: actorOf(member),
      action: 'webhook.created',
      subjectId: webhook.id,
      // Not the whole address: some have a token of their receiver in it.
      details: { host: new URL(url).host },
    })
    const record = await findWebhookDetails(trx, accountId, webhook.id)
    if (!record) throw new Error('The subscription was not stored.')
    return { status: 201, body: { data: { secret, record } } }
  })
}
