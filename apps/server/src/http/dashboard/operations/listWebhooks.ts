import { termsFor } from '../../../features/entitlements/plans.ts'
import { listCurrentPlans } from '../../../features/entitlements/subscription-store.ts'
import { listWebhookDetails } from '../../../features/webhooks/webhook-details-store.ts'
import type { Operation } from '../operation.ts'

export const listWebhooks: Operation<'listWebhooks'> = async ({ member }, { db, plans }) => {
  const [data, current] = await Promise.all([
    listWebhookDetails(db, member.account.id),
    listCurrentPlans(db, member.account.id),
  ])
  const { activeWebhooksMax } = termsFor(plans, current)
  return {
    status: 200,
    body: {
      data,
      active: data.filter(({ active }) => active).length,
      active_max: Number.isFinite(activeWebhooksMax) ? activeWebhooksMax : null,
    },
  }
}
