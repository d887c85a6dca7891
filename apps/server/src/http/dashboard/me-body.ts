import type { Db } from '../../database/connect.ts'
import { largestPlan, termsFor } from '../../features/entitlements/plans.ts'
import { listCurrentPlans } from '../../features/entitlements/subscription-store.ts'
import { countReports } from '../../features/price-reports/report-store.ts'
import { countWaiting } from '../../ingest/publish/hold-store.ts'
import { toInstant } from '../../platform/instant.ts'
import type { Person } from './member.ts'
import type { DashboardServices } from './operation.ts'
import type { Schemas } from './schemas/index.ts'

/** The signed-in user, and what the plan of the account they look at allows. */
export async function meBody(
  { user, account, accounts, isOperator }: Pick<Person, 'user' | 'account' | 'accounts' | 'isOperator'>,
  { db, clock }: DashboardServices,
): Promise<Schemas['Me']> {
  const now = toInstant(clock.now())
  const operator = isOperator ? { waiting: await countForOperators(db) } : null
  if (account === null) return { user, account, accounts, operator, now }
  const current = await listCurrentPlans(db, account.id)
  const terms = termsFor(current)
  const whole = {
    ...account,
    plan: largestPlan(current),
    daily_limit: terms.dailyLimit,
    keys_max: terms.keysMax,
    active_webhooks_max: Number.isFinite(terms.activeWebhooksMax) ? terms.activeWebhooksMax : null,
    change_access: terms.changeAccess,
  }
  return { user, account: whole, accounts, operator, now }
}

/** How many moves and reports of readers wait. */
async function countForOperators(db: Db): Promise<number> {
  const waiting = [...(await countWaiting(db)).values()]
  return waiting.reduce((sum, ofSource) => sum + ofSource, await countReports(db))
}
