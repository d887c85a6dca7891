import type { FeatureError, Refusal } from '../../features/feature-error.ts'
import type { DashboardErrorCode } from './errors.ts'

/** What a feature refuses, in the terms of the dashboard: the code, and what the person can do. */
export function refusalAnswer({ message, refusal }: FeatureError): {
  code: DashboardErrorCode
  message: string
  headers?: Record<string, string>
} {
  switch (refusal.code) {
    case 'not_found':
      return { code: 'not_found', message: notFoundText(refusal.what) }
    case 'invalid_input':
    case 'invalid_period':
      return { code: 'invalid_request', message }
    case 'not_in_plan':
      return {
        code: 'forbidden',
        message: 'Your plan does not include webhooks. Upgrade to be told of changes.',
      }
    case 'conflict':
    case 'owner_only':
    case 'last_owner':
      return { code: refusal.code, message }
    case 'key_not_active':
      return {
        code: 'conflict',
        message:
          'The key is revoked, or was rotated already. Create a new one, or rotate the one that took its place.',
      }
    case 'key_limit_reached':
      return {
        code: 'key_limit_reached',
        message: `Your plan allows ${refusal.max} active keys. Revoke one, or upgrade.`,
      }
    case 'webhook_limit_reached':
      return {
        code: 'webhook_limit_reached',
        message: `Your plan allows ${refusal.max} active webhooks. Delete one or switch one off, or upgrade.`,
      }
    case 'too_many_webhooks_off':
      return { code: 'webhook_limit_reached', message }
    case 'too_many_accounts':
      return { code: 'too_many_attempts', message, headers: { 'Retry-After': '86400' } }
    case 'too_often': {
      const { retrySeconds } = refusal
      return {
        code: 'too_many_attempts',
        message: `${message} Try again in ${retrySeconds} ${retrySeconds === 1 ? 'second' : 'seconds'}.`,
        headers: { 'Retry-After': String(retrySeconds) },
      }
    }
  }
}

/** What another account has gets the same answer as what never existed. */
function notFoundText(what: Extract<Refusal, { code: 'not_found' }>['what']): string {
  return what === 'change' ? 'There is no such change.' : `There is no such ${what} in this account.`
}
