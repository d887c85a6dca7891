import { FeatureError, type Refusal } from '../../features/feature-error.ts'
import { SemaphoreTimeout } from '../../platform/keyed-semaphore.ts'
import { asApiError } from '../pipeline/answer-error.ts'
import { DashboardError, isDashboardCode, tooOften } from './errors.ts'

/** What was thrown, in the dashboard's terms. What an account did itself is not the operator's to know. */
export function asDashboardError(error: unknown): DashboardError {
  if (error instanceof DashboardError) return error
  if (error instanceof FeatureError) return refusalAnswer(error)
  if (error instanceof SemaphoreTimeout) return tooOften(1, 'Too many requests at a time.')
  // The steps that both interfaces share fail in the terms of the public one.
  const { code, message, headers, cause } = asApiError(error)
  if (!isDashboardCode(code)) return new DashboardError('internal_error', { cause })
  const tellsMore = ['invalid_request', 'method_not_allowed', 'payload_too_large'].includes(code)
  return new DashboardError(code, { ...(tellsMore && { message }), headers, cause })
}

/** What a feature refuses, in the terms of the dashboard: the code, and what the person can do. */
function refusalAnswer({ message, refusal }: FeatureError): DashboardError {
  switch (refusal.code) {
    case 'not_found':
      return new DashboardError('not_found', { message: notFoundText(refusal.what) })
    case 'invalid_input':
    case 'invalid_period':
      return new DashboardError('invalid_request', { message })
    case 'not_in_plan':
      return new DashboardError('forbidden', {
        message: 'Your plan does not include webhooks. Upgrade to be told of changes.',
      })
    case 'conflict':
    case 'owner_only':
    case 'last_owner':
      return new DashboardError(refusal.code, { message })
    case 'key_not_active':
      return new DashboardError('conflict', {
        message:
          'The key has ended, or was rotated already. Create a new one, or rotate the one that took its place.',
      })
    case 'key_limit_reached':
      return new DashboardError('key_limit_reached', {
        message: `Your plan allows ${refusal.max} active keys. Revoke one, or upgrade.`,
      })
    case 'webhook_limit_reached':
      return new DashboardError('webhook_limit_reached', {
        message: `Your plan allows ${refusal.max} active webhooks. Delete one or switch one off, or upgrade.`,
      })
    case 'too_many_webhooks_off':
      return new DashboardError('webhook_limit_reached', { message })
    case 'too_many_accounts':
      return new DashboardError('too_many_attempts', { message, headers: { 'Retry-After': '86400' } })
    case 'too_often':
      return tooOften(refusal.retrySeconds, message)
  }
}

/** What another account has gets the same answer as what never existed. */
function notFoundText(what: Extract<Refusal, { code: 'not_found' }>['what']): string {
  return what === 'change' || what === 'hold' || what === 'report'
    ? `There is no such ${what}.`
    : `There is no such ${what} in this account.`
}
