import { largestPlan, termsFor } from '../../../features/entitlements/plans.ts'
import { listCurrentPlans } from '../../../features/entitlements/subscription-store.ts'
import { toInstant } from '../../../platform/instant.ts'
import type { Operation } from '../operation.ts'

export const getMe: Operation<'getMe'> = async ({ member }, { db, plans, clock }) => {
  const { user, account, accounts } = member
  const current = await listCurrentPlans(db, account.id)
  const terms = termsFor(plans, current)
  return {
    status: 200,
    body: {
      data: {
        user,
        account: {
          ...account,
          plan: largestPlan(current),
          daily_limit: terms.dailyLimit,
          keys_max: terms.keysMax,
          active_webhooks_max: Number.isFinite(terms.activeWebhooksMax) ? terms.activeWebhooksMax : null,
          change_access: terms.changeAccess,
        },
        accounts,
        now: toInstant(clock.now()),
      },
    },
  }
}
