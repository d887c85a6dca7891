import type { AuthRequest } from '../../features/members/sign-in.ts'
import { DashboardError } from './errors.ts'

/** A code of the app is six digits, with or without a gap; anything else is a recovery code. */
export function codeRequest(code: string): Pick<AuthRequest, 'method' | 'path' | 'body'> {
  const plain = code.replaceAll(' ', '')
  return /^\d{6}$/.test(plain)
    ? { method: 'POST', path: '/two-factor/verify-totp', body: { code: plain } }
    : { method: 'POST', path: '/two-factor/verify-backup-code', body: { code: plain } }
}

/** What better-auth says when a second factor is managed, in our terms. */
export function explainSecondFactor(code: string): Error | null {
  if (code === 'INVALID_PASSWORD') {
    return new DashboardError('invalid_request', { message: 'The present password is wrong.' })
  }
  if (code === 'TOTP_ALREADY_ENABLED') {
    return new DashboardError('conflict', { message: 'You have a second factor already. Remove it first.' })
  }
  if (code === 'TOTP_NOT_ENABLED' || code === 'TWO_FACTOR_NOT_ENABLED') {
    return new DashboardError('conflict', { message: 'You have no second factor. Set one up first.' })
  }
  if (code === 'INVALID_CODE') {
    return new DashboardError('invalid_request', {
      message: 'The code is wrong. Check the clock of your device, and try the next code.',
    })
  }
  return null
}
