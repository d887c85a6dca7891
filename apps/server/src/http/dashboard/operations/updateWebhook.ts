import { termsFor } from '../../../features/entitlements/plans.ts'
import { listCurrentPlans } from '../../../features/entitlements/subscription-store.ts'
import { insertAuditEntry } from '../../../features/members/audit-store.ts'
import { WebhookLimitReached } from '../../../features/webhooks/operate-webhooks.ts'
import * as store from '../../../features/webhooks/webhook-details-store.ts'
import { notFound } from '../errors.ts'
import { actorOf } from '../member.ts'
import type { Operation } from '../operation.ts'
import { requireGoodUrl, webhookLimitReached } from '../webhook-terms.ts'

export const updateWebhook: Operation<'updateWebhook'> = async ({ member, path, body }, services) => {
  const { db, plans, isAllowedAddress } = services
  const accountId = member.account.id
  const { url } = body
  if (url !== undefined) requireGoodUrl(url, isAllowedAddress)
  const { activeWebhooksMax: activeMax } = termsFor(plans, await listCurrentPlans(db, accountId))
  try {
    return await db.transaction().execute(async (trx) => {
      const changed = await store.updateWebhook(trx, { accountId, id: path.id, activeMax }, body)
      if (!changed) throw notFound('webhook')
      if (Object.keys(changed).length > 0) {
        await insertAuditEntry(trx, {
          accountId,
          actor: actorOf(member),
          action: 'webhook.updated',
          subjectId: path.id,
          details: {
            ...(changed.url !== undefined && { host: new URL(changed.url).host }),
            ...(changed.events !== undefined && { events: changed.events.join(', ') }),
            ...(changed.active !== undefined && { active: changed.active ? 'on' : 'off' }),
            ...(changed.standard_headers !== undefined && {
              standard_headers: changed.standard_headers ? 'on' : 'off',
            }),
          },
        })
      }
      const data = await store.findWebhookDetails(trx, accountId, path.id)
      if (!data) throw notFound('webhook')
      return { status: 200, body: { data } }
    })
  } catch (error) {
    if (error instanceof WebhookLimitReached) throw webhookLimitReached(error.activeMax, error)
    throw error
  }
}
