import type { AddressGuard } from '@ratecard/contract/addresses'
import { webhookSecretProblem, webhookUrlProblem } from '@ratecard/contract/webhook-url'
import type { Db } from '../../database/connect.ts'
import { termsFor, type PlanTerms, type Plans } from '../../features/entitlements/plans.ts'
import { listCurrentPlans } from '../../features/entitlements/subscription-store.ts'
import { DashboardError } from './errors.ts'

// What the operations of webhooks ask before they do something, by the rules of the public interface.

/**
 * The terms of an account whose plan includes webhooks.
 * @throws DashboardError forbidden
 */
export async function requireWebhooks(db: Db, plans: Plans, accountId: string): Promise<PlanTerms> {
  const terms = termsFor(plans, await listCurrentPlans(db, accountId))
  if (terms.operations.has('createWebhook')) return terms
  throw new DashboardError('forbidden', {
    message: 'Your plan does not include webhooks. Upgrade to be told of changes.',
  })
}

/** @throws DashboardError invalid_request, with what is wrong */
export function requireGoodUrl(url: string, isAllowedAddress: AddressGuard): void {
  const problem = webhookUrlProblem(url, isAllowedAddress)
  if (problem !== null) throw new DashboardError('invalid_request', { message: problem })
}

/** @throws DashboardError invalid_request, with what is wrong */
export function requireGoodSecret(secret: string): void {
  const problem = webhookSecretProblem(secret)
  if (problem !== null) throw new DashboardError('invalid_request', { message: problem })
}

export function webhookLimitReached(activeMax: number, cause?: unknown): DashboardError {
  return new DashboardError('webhook_limit_reached', {
    message: `Your plan allows ${activeMax} active webhooks. Delete one or switch one off, or upgrade.`,
    cause,
  })
}
